/** The service as an HTTP application; it does not listen yet. */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Api } from '../../contract/api/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ApiHandlers, CallerDirectory } from '../../contract/handlers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ApiKeys } from '../credentials/api-keys.ts';
import { createAuthenticator } from './authenticate.ts';
import {
  apiHeaders,
  failureOf,
  lingerOnClose,
  methodNotAllowed,
  notFound,
  refuseMalformed,
} from './failure.ts';
import { answer, createPipeline } from './pipeline.ts';
import { type Limit, SlidingWindow } from './rate-limit.ts';
import { isApiPath, methodsAt, pathOf, type Route, routesOf } from './routes.ts';
import { createSignInLimit } from './sign-in-limit.ts';
import { createPages, sendText, type ServePage } from './static.ts';

export interface Limits {
  readonly bodyBytes: number;
  readonly webhookBodyBytes: number;
  /** How long a request may take to arrive completely. */
  readonly requestTimeoutMs: number;
  /** Wrong keys by address. */
  readonly failedKeys: Limit;
  /** Calls of /fetch_api_key by address. */
  readonly signInCalls: Limit;
  /** Wrong passwords by account name. */
  readonly signInFailures: Limit;
}

const MINUTE_MS = 60_000;

/** API decisions, section 13. */
const defaultLimits: Limits = {
  bodyBytes: 1024 * 1024,
  webhookBodyBytes: 5 * 1024 * 1024,
  requestTimeoutMs: MINUTE_MS,
  failedKeys: { hits: 120, windowMs: MINUTE_MS },
  signInCalls: { hits: 60, windowMs: MINUTE_MS },
  signInFailures: { hits: 10, windowMs: 15 * MINUTE_MS },
};

export interface AppParts {
  readonly handlers: ApiHandlers<Api>;
  readonly callers: CallerDirectory;
  readonly apiKeys: ApiKeys;
  /** Whether `/external/{name}` exists: a name that does not is 404 before anything else is looked at. */
  readonly isKnownIntegration: (name: string) => boolean;
  readonly log: Log;
  readonly clock: Clock;
  /** The built renderer; null where there is none. */
  readonly rendererDir: string | null;
  readonly limits?: Partial<Limits>;
}

const placeOf = (request: FastifyRequest): string =>
  `${request.method} ${pathOf(request.raw.url ?? '')}`;

/** Of a client that has gone: a waiting handler stopped waiting, and nobody reads the answer. */
const isAbandoned = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof Error && error.name === 'AbortError' && request.raw.socket.destroyed;

function createServer(limits: Limits, log: Log): FastifyInstance {
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const cause = isAbandoned(error, request) ? notFound() : error;
    const { status, body, headers } = failureOf(cause, placeOf(request), log);
    if (status === 413) lingerOnClose(request.raw.socket);
    return answer(reply.headers(headers), status, JSON.stringify(body));
  };
  const app = fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    forceCloseConnections: false,
    return503OnClosing: false,
    // A request without a Host header is served under the address it arrived at.
    http: {
      requireHostHeader: false,
      // Node takes the longer of the two for whole requests, so the headers' must not stay at its default.
      requestTimeout: limits.requestTimeoutMs,
      headersTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(limits.requestTimeoutMs, 5000),
    },
    // Parameters are read from the raw query later, by stricter rules.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 16_384 },
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (error, request, reply) => void fail(error, request, reply),
  });
  app.setErrorHandler(fail);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  return app;
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** What has to be settled before the library looks at the body. */
function inspectBody(app: FastifyInstance, limits: Limits): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, method, socket } = request.raw;
    const type = headers['content-type'];
    // The library refuses a malformed type; here a body of an unknown type is merely not read.
    if (type !== undefined && !MEDIA_TYPE.test(type)) {
      headers['content-type'] = 'application/octet-stream';
    }
    if (method !== 'GET' && method !== 'HEAD') {
      done();
      return;
    }
    // The body of a GET is never read, so the library does not limit it either.
    if (headers['transfer-encoding'] !== undefined) {
      lingerOnClose(socket);
      reply.header('connection', 'close');
    }
    const isTooLarge = Number(headers['content-length'] ?? 0) > limits.bodyBytes;
    done(isTooLarge ? new ServiceError('PAYLOAD_TOO_LARGE', 'The body is too large') : undefined);
  });
}

function serveRoutes(app: FastifyInstance, routes: readonly Route[], parts: AppParts): void {
  const limits = { ...defaultLimits, ...parts.limits };
  const { callers, apiKeys, clock, isKnownIntegration } = parts;
  const failures = new SlidingWindow(limits.failedKeys, clock);
  const pipeline = createPipeline({
    authenticator: createAuthenticator({ callers, apiKeys, failures, clock }),
    signInLimit: createSignInLimit(
      { calls: limits.signInCalls, failures: limits.signInFailures },
      clock,
    ),
    isKnownIntegration,
  });
  for (const route of routes) {
    const { method, auth } = route.endpoint;
    const bodyLimit = auth === 'webhook' ? limits.webhookBodyBytes : limits.bodyBytes;
    app.route({ method, url: route.path, bodyLimit, handler: pipeline(route) });
  }
}

/** Answers every request that no endpoint takes. */
function serveRest(app: FastifyInstance, pages: ServePage, parts: AppParts): void {
  const miss = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const methods = methodsAt(pathOf(request.raw.url ?? ''), parts.isKnownIntegration);
    if (methods.length === 0) throw notFound();
    if (request.method !== 'OPTIONS') throw methodNotAllowed(methods);
    return reply.code(204).headers(apiHeaders).header('allow', methods.join(', ')).send();
  };

  app.get('/*', (request, reply) => {
    if (isApiPath(pathOf(request.raw.url ?? ''))) return miss(request, reply);
    return pages(reply, `/${(request.params as { readonly '*': string })['*']}`);
  });
  app.setNotFoundHandler((request, reply) => {
    if (isApiPath(pathOf(request.raw.url ?? ''))) return miss(request, reply);
    if (request.method === 'GET' || request.method === 'HEAD') {
      return sendText(reply, 404, 'There is nothing here.\n');
    }
    return sendText(
      reply.header('allow', 'GET, HEAD'),
      405,
      'Only GET and HEAD are possible here.\n',
    );
  });
}

/** Serves the endpoint table by its handlers, and the built renderer beside it. */
export function createApp(parts: AppParts): FastifyInstance {
  const limits = { ...defaultLimits, ...parts.limits };
  const app = createServer(limits, parts.log);
  inspectBody(app, limits);
  serveRoutes(app, routesOf(parts.handlers), parts);
  serveRest(app, createPages(app, parts.rendererDir), parts);
  return app;
}
