/** The only file that listens. */
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { refuseTunnel } from './failure.ts';

export interface HttpServer {
  /** Where it can be reached: scheme, host as asked for, and port. */
  readonly origin: string;
  /** From now on no connection is accepted; answers that are under way still go out. */
  readonly stopAccepting: () => void;
  /** Settles when everything is answered and closed; what takes longer is cut off. */
  readonly drain: (limitMs: number) => Promise<void>;
}

export interface Address {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

const originOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

function bind(app: FastifyInstance, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    app.server.once('error', reject);
    app.server.listen({ host, port }, () => {
      app.server.off('error', reject);
      resolve();
    });
  });
}

/** Rejects with the system's own error (EADDRINUSE, EACCES, …) when it cannot listen there. */
export async function listen(app: FastifyInstance, address: Address): Promise<HttpServer> {
  await app.ready();
  const { server } = app;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (_request, socket: Socket) => refuseTunnel(socket));
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await bind(app, address);

  let closed: Promise<void> | undefined;
  const stopAccepting = (): void => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    // Browsers open connections ahead of need; the server does not count those as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const drain = async (limitMs: number): Promise<void> => {
    stopAccepting();
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, limitMs);
    await closed;
    clearTimeout(cut);
    await app.close();
  };
  const { port } = server.address() as AddressInfo;
  return { origin: originOf(address.host, port), stopAccepting, drain };
}
