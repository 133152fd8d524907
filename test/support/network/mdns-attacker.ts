/**
 * Sends packets of multicast DNS into a network, and then until it is ended an office whose name begins with `last`. Arguments:
 * `honest` or `hostile`, how many of each, the own address.
 */
import { createSocket } from 'node:dgram';
import process from 'node:process';
import {
  emptyPromise,
  manyOffices,
  oneOffice,
  pointerChains,
  repeatedOffice,
} from './mdns-packets.ts';

const [kind = '', count = '0', own = ''] = process.argv.slice(2);
const socket = createSocket({ type: 'udp4', reuseAddr: true });

const send = (packet: Buffer): Promise<void> =>
  new Promise((resolve) => socket.send(packet, 5353, '224.0.0.251', () => resolve()));

const packets = {
  honest: [manyOffices(1_400)],
  hostile: [
    ...[repeatedOffice(65_500), pointerChains(65_500), manyOffices(65_500), emptyPromise()],
    ...[repeatedOffice(1_400), pointerChains(1_400)],
  ],
};

async function flood(): Promise<void> {
  for (let n = 0; n < Number(count); n += 1) {
    for (const packet of packets[kind === 'honest' ? kind : 'hostile']) await send(packet);
  }
  process.stdout.write('told\n');
  setInterval(() => void send(oneOffice(`last ${kind}`)), 200);
}

socket.bind(5353, () => {
  socket.setMulticastInterface(own);
  void flood();
});
