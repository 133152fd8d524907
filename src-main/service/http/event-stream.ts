/** GET /api/v1/events/stream: one answer that stays open (API decisions 8.4). */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { eventStreamParams, eventStreamPath } from '#shared/api/endpoints/events.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { accessOf } from '#shared/api/endpoint.ts';
import { decodeParams } from '#shared/api/wire.ts';
import { memoized } from '../core/cache/attached.ts';
import type { OpenEventStream, StreamSink } from '../core/ports/event-stream.ts';
import type { CountCall } from './limits/account-limits.ts';
import type { Authenticator } from './authenticate.ts';
import { callOf } from './call.ts';
import { apiHeaders, methodNotAllowed } from './failure.ts';
import { credentialsOf, parametersOf } from './pipeline.ts';
import { rateHeaders } from './limits/rate-limit.ts';

interface EventStreamParts {
  readonly openEventStream: OpenEventStream;
  readonly authenticator: Authenticator;
  readonly countCall: CountCall;
}

const headers = {
  ...apiHeaders,
  'content-type': 'application/x-ndjson',
  // A proxy that packs the answer, or waits for its end, would hold every event back.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // It is over when the service stops: nothing else would be asked on it.
  connection: 'close',
};

const CHUNK_END = '\r\n';

/** Bytes as a chunk of an answer (RFC 9112, 7.1), put together once for all who are told the same. */
const frameOf = memoized((bytes: Uint8Array): Uint8Array => {
  const size = `${bytes.length.toString(16)}${CHUNK_END}`;
  return Buffer.concat([Buffer.from(size), bytes, Buffer.from(CHUNK_END)]);
});

/**
 * Node would put size, bytes and end together anew for each connection.
 * @param socket  the answer's from its beginning; null where it waits for an answer before it
 */
function write(raw: ServerResponse, socket: Socket | null, bytes: Uint8Array): boolean {
  const isDirect = socket?.writableLength === raw.writableLength && raw.chunkedEncoding;
  return isDirect ? socket.write(frameOf(bytes)) : raw.write(bytes);
}

function begin(reply: FastifyReply): StreamSink {
  reply.hijack();
  const { raw } = reply;
  const { socket } = raw;
  raw.writeHead(200, headers);
  raw.flushHeaders();
  socket?.setNoDelay(true);
  return {
    write: (bytes) => write(raw, socket, bytes),
    onDrain(listener) {
      // Whichever of both has been written to.
      raw.on('drain', listener);
      socket?.on('drain', listener);
    },
    end: () => raw.end(),
    cut: () => raw.destroy(),
  };
}

export function serveEventStream(app: FastifyInstance, parts: EventStreamParts): void {
  const { openEventStream, authenticator, countCall } = parts;

  const stream = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const known = await authenticator.byHeader('user', credentialsOf(request));
    const caller = { ...known, access: accessOf(api.events.poll) };
    // Beside the fetches that it takes the place of.
    const verdict = countCall(api.events.poll, caller);
    if (verdict !== null) reply.headers(rateHeaders(verdict));
    const params = decodeParams(eventStreamParams, parametersOf(request, { isJsonRead: false }));
    const { signal } = callOf(request, reply, { caller, body: null, files: [] });
    await openEventStream(caller, params, { signal, begin: () => begin(reply) });
    return reply;
  };

  app.get(`/api/v1${eventStreamPath}`, { exposeHeadRoute: false }, stream);
  app.head(`/api/v1${eventStreamPath}`, () => {
    throw methodNotAllowed(['GET']);
  });
}
