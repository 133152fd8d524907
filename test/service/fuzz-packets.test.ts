/** Packets of multicast DNS, as they came or with bytes changed, cut or put together at random: nothing throws, and little is heard. */
import { decode } from 'dns-packet';
import type { ResponsePacket } from 'multicast-dns';
import { expect, test } from 'vitest';
import { servicesIn } from '#desktop/system/discovery.ts';
import { createPacketFilter } from '#node/discovery/mdns.ts';
import { adversarialText } from '../support/fuzz/values.ts';
import { shortOrLong } from '../support/long.ts';
import { TEST_LIMIT_MS } from '../support/patience.ts';
import {
  emptyPromise,
  manyOffices,
  oneOffice,
  pointerChains,
  repeatedOffice,
} from '../support/network/mdns-packets.ts';
import { type Random, randomFrom } from '../support/random.ts';

const told = process.env['HEARTH_FUZZ_REQUESTS'];
const PACKETS = told === undefined ? shortOrLong(3000, 30_000) : Number(told);
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const MAX_MS = 250;
const MOST_OFFICES = 8;

const packets: readonly ((random: Random) => Buffer)[] = [
  (random) => oneOffice(`Office ${String(random.below(100))}`),
  (random) => manyOffices(100 + random.below(2000)),
  (random) => repeatedOffice(100 + random.below(65_000)),
  (random) => pointerChains(100 + random.below(65_000)),
  emptyPromise,
  (random) =>
    Buffer.concat([oneOffice('a'), Buffer.from(adversarialText(random, random.below(2000)))]),
  (random) => Buffer.from(Array.from({ length: random.below(1500) }, () => random.below(256))),
];

function spoilt(random: Random, packet: Buffer): Buffer {
  const copy = Buffer.from(packet);
  for (let left = random.pick([0, 1, 3, 20]); left > 0 && copy.length > 0; left--) {
    copy[random.below(copy.length)] = random.pick([0, 1, 0xc0, 0xff, random.below(256)]);
  }
  return random.chance(0.2) ? copy.subarray(0, random.below(copy.length)) : copy;
}

/** As the listener does it, which drops what cannot be decoded. */
function heard(packet: Buffer, admits: ReturnType<typeof createPacketFilter>): number {
  if (!admits(packet, '10.0.0.1')) return 0;
  let response: ResponsePacket;
  try {
    response = decode(packet) as ResponsePacket;
  } catch {
    return 0;
  }
  return servicesIn(response).length;
}

test(
  `no packet of multicast DNS takes long, crashes the listener or is heard as many offices (FUZZ_SEED=${String(seed)})`,
  { timeout: TEST_LIMIT_MS + 2 * PACKETS },
  () => {
    const random = randomFrom(seed);
    let nowMs = 0;
    const admits = createPacketFilter(
      { subnet: '10.0.0.0/8', labels: ['_hearth'] },
      () => (nowMs += 1000),
    );
    let offices = 0;
    for (let sent = 0; sent < PACKETS; sent++) {
      const packet = spoilt(random, random.pick(packets)(random));
      const startedAt = performance.now();
      const count = heard(packet, admits);
      const again = (): number => {
        const at = performance.now();
        heard(packet, admits);
        return performance.now() - at;
      };
      if (told !== undefined && performance.now() - startedAt > MAX_MS) {
        expect(Math.min(again(), again(), again()), packet.toString('base64')).toBeLessThan(MAX_MS);
      }
      expect(count, packet.toString('base64')).toBeLessThanOrEqual(MOST_OFFICES);
      offices += count;
    }
    // Otherwise nothing but refusals was looked at.
    expect(offices).toBeGreaterThan(PACKETS / 10);
  },
);
