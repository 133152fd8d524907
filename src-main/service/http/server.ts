/** The only file that listens. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer, type SecureContextOptions } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { codeOf } from '#node/error-code.ts';
import { ConnectionThrottle } from './connection-pacing.ts';
import { hasBody } from './body.ts';
import { refuseTunnel } from './failure.ts';
import { onFirstByte } from './detect-tls.ts';

export interface HttpServer {
  /** Where it can be reached: scheme, host as asked for, and port. */
  readonly origin: string;
  /**
   * From now on it listens at these addresses too, on the same port, and at no others but its own; connections through one
   * that is closed end. Answers where it cannot.
   */
  readonly listenOn: (addresses: readonly string[]) => Promise<readonly FailedListener[]>;
  /** Addresses of those who are connected by way of these. */
  readonly remoteClients: () => readonly string[];
  /** Settles when every request that has come is answered, or after so long. */
  readonly settle: (limitMs: number) => Promise<void>;
  /** From now on no connection is accepted; answers that are under way still go out. */
  readonly stopAccepting: () => void;
  /** Settles when everything is answered and closed; what takes longer is cut off. */
  readonly drain: (limitMs: number) => Promise<void>;
}

/** An address at which it was to listen. */
export interface FailedListener {
  readonly address: string;
  /** The system's: EADDRINUSE where another program has the port there. */
  readonly code: string;
}

export interface Address {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

/** What it shows of itself: the certificate as it is now, and who wants to be told of another one. */
export interface TlsIdentity {
  readonly current: () => SecureContextOptions;
  readonly onChange: (listener: (next: SecureContextOptions) => void) => void;
}

export interface ListenOptions extends Address {
  /** Absent, it speaks HTTP alone. */
  readonly tls?: TlsIdentity;
  /** The scheme of its origin; HTTP unless it says so. */
  readonly isSecure?: boolean;
  /** How long a connection may take to begin, and a handshake to end. */
  readonly handshakeLimitMs?: number;
}

const HANDSHAKE_LIMIT_MS = 10_000;
/**
 * So many may knock while the thread is busy; the system lowers it to what it allows. Whoever finds no room is not refused,
 * but tries again a second later: with Node's 511 that would be half of an office of a thousand.
 */
const BACKLOG = 4096;

const originOf = (scheme: string, host: string, port: number): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;

function bind(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      // What goes wrong with one that listens concerns its next connection.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

const ended = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

/** Puts a handshake in front of those connections that begin with one; the others go on as they are. */
function acceptTlsAndPlain(server: Server, identity: TlsIdentity, limitMs: number): void {
  // Node's own, which reads HTTP from whatever connection it is given; of the others each sees every connection.
  const [serve, ...watching] = server.listeners('connection');
  if (serve === undefined) throw new Error('no HTTP server');
  server.removeAllListeners('connection');
  for (const watch of watching) {
    server.on('connection', (socket: Socket) => void Reflect.apply(watch, server, [socket]));
  }
  const serveHttp = (socket: Socket): void => {
    Reflect.apply(serve, server, [socket]);
  };
  const tlsServer = createTlsServer({
    ...identity.current(),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: limitMs,
  });
  tlsServer.on('secureConnection', (socket) => {
    // Whoever leaves in the middle of an answer has not done anything wrong.
    socket.on('error', () => socket.destroy());
    serveHttp(socket);
  });
  // A handshake that fails ends its connection; the other side knows why.
  tlsServer.on('tlsClientError', (_error, socket) => socket.destroy());
  identity.onChange((next) => tlsServer.setSecureContext(next));
  const throttle = new ConnectionThrottle();
  server.on('connection', (socket: Socket) => {
    if (socket.destroyed) return;
    onFirstByte(socket, { limitMs, arrivals: throttle }, (isTls) => {
      if (!isTls) {
        serveHttp(socket);
        return;
      }
      // Whoever leaves in the middle of the handshake is not waited for.
      socket.allowHalfOpen = false;
      tlsServer.emit('connection', socket);
    });
  });
}

interface ListenerGroup {
  readonly server: Server;
  readonly sockets: Set<Socket>;
}

/** More ways to one server: whatever comes in by them, it takes as its own. */
class ExtraListeners {
  readonly #main: Server;
  readonly #port: number;
  readonly #doors = new Map<string, ListenerGroup>();
  #changes: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(main: Server, port: number) {
    this.#main = main;
    this.#port = port;
  }

  readonly listenOn = (addresses: readonly string[]): Promise<readonly FailedListener[]> => {
    const change = this.#changes.then(() => this.#become(new Set(addresses)));
    this.#changes = change;
    return change;
  };

  readonly remoteClients = (): readonly string[] => {
    const sockets = [...this.#doors.values()].flatMap((door) => [...door.sockets]);
    const addresses = sockets.flatMap(({ remoteAddress }) => remoteAddress ?? []);
    return [...new Set(addresses)].sort();
  };

  /** No new ones; those who are in stay. */
  stopAccepting(): void {
    this.#isClosed = true;
    for (const { server } of this.#doors.values()) server.close();
  }

  async #become(wanted: ReadonlySet<string>): Promise<readonly FailedListener[]> {
    const closed: FailedListener[] = [];
    for (const [address, { server, sockets }] of this.#doors) {
      if (wanted.has(address)) continue;
      this.#doors.delete(address);
      server.close();
      for (const socket of sockets) socket.destroy();
    }
    for (const address of wanted) {
      if (this.#doors.has(address) || this.#isClosed) continue;
      try {
        this.#doors.set(address, await this.#open(address));
      } catch (error) {
        closed.push({ address, code: codeOf(error) });
      }
    }
    return closed;
  }

  async #open(address: string): Promise<ListenerGroup> {
    const sockets = new Set<Socket>();
    // Its connections are such as those of Node's HTTP server.
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      this.#main.emit('connection', socket);
    });
    await bind(server, { host: address, port: this.#port });
    return { server, sockets };
  }
}

const SETTLE_POLL_MS = 5;

async function settle({ underWay }: FastifyInstance, limitMs: number): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (underWay() > 0 && performance.now() < endMs) await pause(SETTLE_POLL_MS);
}

/** Rejects with the system's own error (EADDRINUSE, EACCES, …) when it cannot listen there. */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<HttpServer> {
  await app.ready();
  const { server } = app;
  const { tls, handshakeLimitMs = HANDSHAKE_LIMIT_MS } = options;
  if (tls !== undefined) acceptTlsAndPlain(server, tls, handshakeLimitMs);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (_request, socket: Socket) => refuseTunnel(socket));
  server.on('checkContinue', (request, response) => {
    // A client that wants to send a body is told to when it is known who it is.
    if (!hasBody(request)) response.writeContinue();
    server.emit('request', request, response);
  });
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await bind(server, options);
  const { port } = server.address() as AddressInfo;

  const extraListeners = new ExtraListeners(server, port);

  let closed: Promise<void> | undefined;
  const stopAccepting = (): void => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    extraListeners.stopAccepting();
    // Browsers open connections ahead of need; the server does not count those as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const drain = async (limitMs: number): Promise<void> => {
    stopAccepting();
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, limitMs);
    await closed;
    await Promise.all([...sockets].map(ended));
    clearTimeout(cut);
    await app.close();
  };
  const scheme = options.isSecure === true ? 'https' : 'http';
  const origin = originOf(scheme, options.host, port);
  const { listenOn, remoteClients } = extraListeners;
  const settled = (limitMs: number): Promise<void> => settle(app, limitMs);
  return { origin, listenOn, remoteClients, settle: settled, stopAccepting, drain };
}
