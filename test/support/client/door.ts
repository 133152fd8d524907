/** A way to a service by another address of it: whoever comes by it is passed on, until it is closed. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ProxyDoor {
  /** Over TLS. */
  readonly address: string;
  /** Whoever is in is thrown out, and nobody answers there any more. */
  readonly close: () => Promise<void>;
}

/** @param port  0 picks a free one */
export async function openDoor(serviceOrigin: string, port = 0): Promise<ProxyDoor> {
  const service = Number(new URL(serviceOrigin).port);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((outer) => {
    const inner = connect(service, '127.0.0.1');
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      keep(one);
      one.once('close', () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(close);
  const { port: own } = server.address() as AddressInfo;
  return { address: `https://127.0.0.1:${String(own)}`, close };
}
