/** Limits on connections: one address must not use up those of everybody else (API decisions 13). */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '#node/clock.ts';
import { createObjectCache } from '#service/core/cache/attached.ts';
import type { Limits } from '#shared/limits.ts';
import { addressKey, tooManyNow } from './limits/rate-limit.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** How many requests have come and are not answered. */
    readonly underWay: () => number;
  }
}

/** How many there are of each; none is kept of what there are none of. */
class KeyCounts {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts one more, unless there is no room for it. */
  take(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#limit) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  giveBack(key: string): void {
    const left = (this.#counts.get(key) ?? 1) - 1;
    if (left === 0) this.#counts.delete(key);
    else this.#counts.set(key, left);
  }
}

/** Counts a connection until it ends; where there is no room for it, it ends now. */
function admit(socket: Socket, counts: KeyCounts, key: string): boolean {
  if (!counts.take(key)) {
    socket.destroy();
    return false;
  }
  socket.once('close', () => counts.giveBack(key));
  return true;
}

/** Clients that send requests ahead of answers (RFC 9112, section 9.3.2) send a few. */
const MOST_AHEAD = 100;

interface PipelinedRequests {
  newest: ServerResponse;
  waiting: number;
}

/**
 * Of requests that come on one connection without waiting, each begins when the one before is answered. A connection with too
 * many of them ends: what fits into one read of the socket would take seconds, and be in memory meanwhile.
 */
export function answerInTurn(app: FastifyInstance): void {
  let underWay = 0;
  app.decorate('underWay', () => underWay);
  const turnsOf = createObjectCache<Socket, PipelinedRequests | undefined>();

  function takeTurn(
    turns: PipelinedRequests,
    socket: Socket,
    { raw }: FastifyReply,
    begin: () => void,
  ): void {
    const before = turns.newest;
    turns.newest = raw;
    turns.waiting += 1;
    if (turns.waiting > MOST_AHEAD) {
      socket.destroy();
      return;
    }
    before.on('close', () => {
      turns.waiting -= 1;
      if (!socket.destroyed) begin();
    });
  }

  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    if (socket.destroyed) return;
    const turns = turnsOf.get(socket);
    underWay += 1;
    reply.raw.on('close', () => {
      underWay -= 1;
      if (turnsOf.get(socket)?.newest === reply.raw) turnsOf.set(socket, undefined);
    });
    if (turns !== undefined) {
      takeTurn(turns, socket, reply, done);
      return;
    }
    turnsOf.set(socket, { newest: reply.raw, waiting: 0 });
    done();
  });
}

/**
 * Whoever comes through a trusted proxy shares its connections with everybody else: there requests that are under way are
 * counted, by the address for which the proxy asks.
 */
export function limitConnections(
  app: FastifyInstance,
  limits: Pick<Limits, 'connections' | 'addressConnections'>,
  clock: Clock,
): void {
  const { clientAddresses, server } = app;
  const inAll = new KeyCounts(limits.connections);
  const connections = new KeyCounts(limits.addressConnections);
  const requests = new KeyCounts(limits.addressConnections);
  server.on('connection', (socket) => {
    if (!admit(socket, inAll, 'all') || clientAddresses.isProxy(socket.remoteAddress)) return;
    // Kept, because a connection that has ended no longer knows it.
    admit(socket, connections, addressKey(socket.remoteAddress));
  });
  if (!clientAddresses.hasProxies) return;
  app.addHook('onRequest', (request, reply, done) => {
    if (!clientAddresses.isProxy(request.raw.socket.remoteAddress)) {
      done();
      return;
    }
    const key = clientAddresses.addressOf(request);
    if (requests.take(key)) {
      reply.raw.once('close', () => requests.giveBack(key));
      done();
      return;
    }
    done(tooManyNow(limits.addressConnections, clock.now()));
  });
}
