/** The service as an HTTP application; it does not listen yet. */
import { tmpdir } from 'node:os';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Api } from '#shared/api/endpoints/index.ts';
import type { ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { OpenEventStream } from '../core/ports/event-stream.ts';
import type { DeliveryRecorder } from '../core/ports/deliveries.ts';
import type { FileSource } from '../core/ports/files.ts';
import type { ApiHandlers, CallerDirectory } from '../core/ports/handlers.ts';
import { defaultLimits, type Limits } from '#shared/limits.ts';
import type { IntegrationDescription } from '../core/ports/integrations.ts';
import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import type { ApiKeys } from '../security/api-keys.ts';
import { admitBodies } from './admission.ts';
import { refuseAsleep } from './sleep.ts';
import { type CountCall, createAccountLimits } from './limits/account-limits.ts';
import { type Authenticator, createAuthenticator } from './authenticate.ts';
import {
  apiHeaders,
  closeUnread,
  failureOf,
  methodNotAllowed,
  notFound,
  refuseMalformed,
} from './failure.ts';
import { readBodies } from './body.ts';
import { answerInTurn, limitConnections } from './connections.ts';
import { serveDocumentation } from './documentation/serve.ts';
import { serveEventStream } from './event-stream.ts';
import { serveFiles } from './files.ts';
import { type Monitoring, serveMonitoring } from './monitoring.ts';
import { type IdentityProof, requireTls, serveIdentityProof } from './server-identity.ts';
import { type MigrationSource, serveMigration } from './migration.ts';
import { overriddenMethod } from './method-override.ts';
import { createClientAddresses, type ClientAddressOptions } from './client-address.ts';
import {
  answer,
  type Captures,
  type CheckIntegration,
  checkingIntegrations,
  createPipeline,
  type RouteRunner,
} from './pipeline.ts';
import { SlidingWindow } from './limits/rate-limit.ts';
import {
  findRoute,
  type IntegrationMethods,
  isApiPath,
  methodsAt,
  methodsOfIntegrations,
  pathOf,
  type Route,
  routesOf,
} from './routes.ts';
import { createJoinLimit } from './limits/join-limit.ts';
import { createSignInLimit } from './limits/sign-in-limit.ts';
import { endStalled } from './limits/stalled-readers.ts';
import { createAnswerSpool } from './limits/waiting-answers.ts';
import { createPages, sendText, type ServePage } from './static.ts';

const MINUTE_MS = 60_000;
const HEADERS_LIMIT_MS = 10_000;
const BODY_IDLE_MS = 15_000;

export interface AppParts extends ClientAddressOptions {
  readonly handlers: ApiHandlers<Api>;
  readonly callers: CallerDirectory;
  readonly files: FileSource;
  readonly openEventStream: OpenEventStream;
  readonly deliveryRecorder: DeliveryRecorder;
  /** With which everything is refused now. */
  readonly refusal?: () => ServiceError | undefined;
  readonly apiKeys: ApiKeys;
  /** What `/external/{name}` takes: any other name is 404 before anything else is looked at. */
  readonly integrations: readonly IntegrationDescription[];
  /** The product's own version. */
  readonly version: string;
  readonly log: Log;
  readonly clock: Clock;
  /** The built renderer; null where there is none. */
  readonly rendererDir: string | null;
  readonly limits?: Partial<Limits>;
  /** Where answers wait that are too long for the memory: a folder that nobody else may read; the system's temporary one unless it says so. */
  readonly spoolDir?: string;
  /** Whose key proves who it is; absent where it proves nothing. */
  readonly identityProof?: IdentityProof;
  /** What programs that watch it are told; absent where they are told nothing. */
  readonly monitoring?: Monitoring;
  /** By which it leaves for another computer; absent where it cannot. */
  readonly migrationSource?: MigrationSource;
  /** Whether it answers others than this computer over TLS alone. */
  readonly requiresTls?: boolean;
  /** Whether it answers under its own names alone: a development service, which gives keys to everybody who reads its answers. */
  readonly requiresOwnName?: boolean;
  /** How long a request may take to arrive completely. */
  readonly requestTimeoutMs?: number;
  /** How long its body may not move. */
  readonly bodyIdleMs?: number;
}

interface Serving extends AppParts {
  readonly limits: Limits;
  readonly authenticator: Authenticator;
  readonly countCall: CountCall;
  readonly integrationMethods: IntegrationMethods;
  readonly checkIntegration: CheckIntegration;
}

const placeOf = (request: FastifyRequest): string =>
  `${request.method} ${pathOf(request.raw.url ?? '')}`;

/** Whether the client has gone: a waiting handler stopped waiting, and nobody reads the answer. */
const isAbandoned = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof Error && error.name === 'AbortError' && request.raw.socket.destroyed;

const noSchema = (): never => {
  throw new Error('No route has a schema of the framework');
};
/** Arguments are read by the endpoint, and answers written by it: what would compile schemas, a hundred modules, is not loaded. */
const withoutSchemas = {
  compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema },
};

function createServer(requestTimeoutMs: number, log: Log): FastifyInstance {
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const cause = isAbandoned(error, request) ? notFound() : error;
    const { status, body, headers } = failureOf(cause, placeOf(request), log);
    closeUnread(request, reply);
    return answer(reply.headers(headers), status, JSON.stringify(body));
  };
  const app = fastify({
    logger: false,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: false,
    return503OnClosing: false,
    schemaController: withoutSchemas,
    // A request without a Host header is served under the address it arrived at.
    http: {
      requireHostHeader: false,
      // Node takes the longer of the two for whole requests, so the headers' must not stay at its default.
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(requestTimeoutMs, HEADERS_LIMIT_MS),
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 5000),
    },
    // Parameters are read from the raw query later, by stricter rules.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 16_384 },
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (error, request, reply) => void fail(error, request, reply),
  });
  app.setErrorHandler(fail);
  return app;
}

function keepFromOtherOrigins(app: FastifyInstance, routes: readonly Route[]): void {
  const paths = routes.flatMap(({ endpoint, path }) => (endpoint.isSameOrigin ? [path] : []));
  app.addHook('onSend', (request, reply, payload, done) => {
    const { url = '' } = request.raw;
    const route = request.routeOptions.url;
    // Most addresses have nothing of them: those need not be taken apart.
    const isAsked = (path: string): boolean =>
      route === path || (url.includes(path) && pathOf(url) === path);
    if (paths.some(isAsked)) {
      for (const name of Object.keys(apiHeaders)) {
        if (name.startsWith('access-control-')) reply.removeHeader(name);
      }
    }
    done(null, payload);
  });
}

/** Keeps out pages from elsewhere that have their own name point to this computer (DNS rebinding). */
function requireOwnName(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isNamed = app.clientAddresses.isNamed(request);
    const host = (request.headers.host ?? '').slice(0, 100);
    done(isNamed ? undefined : refusal('development_host_unknown', { host }));
  });
}

/** Answers a POST that stands for another method; undefined when it stands for itself. */
type AnswerOverride = (
  request: FastifyRequest,
  reply: FastifyReply,
) => ReturnType<RouteRunner> | undefined;

function serveRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  parts: Serving,
): AnswerOverride {
  const { clock, integrationMethods, limits, authenticator, countCall, deliveryRecorder } = parts;
  const pipelineOf = createPipeline({
    authenticator,
    signInLimit: createSignInLimit(
      {
        calls: { hits: limits.signInCalls, windowMs: MINUTE_MS },
        failures: { hits: limits.signInFailures, windowMs: 15 * MINUTE_MS },
      },
      clock,
    ),
    admitToJoin: createJoinLimit(limits, clock),
    countCall,
    checkIntegration: parts.checkIntegration,
    deliveryRecorder,
  });
  const pipelines = new Map(routes.map((route) => [route, pipelineOf(route)]));
  const answerOverride: AnswerOverride = (request, reply) => {
    const method = overriddenMethod(request);
    if (method === undefined) return undefined;
    const path = pathOf(request.raw.url ?? '');
    const found = findRoute(routes, method, path);
    const run = found === undefined ? undefined : pipelines.get(found.route);
    if (found === undefined || run === undefined) {
      throw methodNotAllowed(methodsAt(path, integrationMethods));
    }
    return run(request, reply, found.captures);
  };
  for (const [route, run] of pipelines) {
    const isWebhook = route.endpoint.auth === 'webhook';
    app.route({
      method: route.endpoint.method,
      url: route.path,
      config: { endpoint: route.endpoint },
      handler: (request, reply) =>
        (isWebhook ? undefined : answerOverride(request, reply)) ??
        run(request, reply, request.params as Captures),
    });
  }
  return answerOverride;
}

interface FallbackParts {
  readonly pages: ServePage;
  readonly answerOverride: AnswerOverride;
  readonly integrationMethods: IntegrationMethods;
}

/** Answers every request that no endpoint takes. */
function serveFallback(app: FastifyInstance, rest: FallbackParts): void {
  const { pages, answerOverride, integrationMethods } = rest;
  const miss = (
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | ReturnType<RouteRunner> => {
    const methods = methodsAt(pathOf(request.raw.url ?? ''), integrationMethods);
    if (methods.length === 0) throw notFound();
    const overridden = answerOverride(request, reply);
    if (overridden !== undefined) return overridden;
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
  const routes = routesOf(parts.handlers);
  const { callers, apiKeys, clock, log, requestTimeoutMs = MINUTE_MS } = parts;
  const limits = { ...defaultLimits, ...parts.limits };
  const app = createServer(requestTimeoutMs, log);
  app.decorate('clientAddresses', createClientAddresses(parts));
  app.decorate('waitingAnswers', createAnswerSpool(parts.spoolDir ?? tmpdir(), clock));
  answerInTurn(app);
  limitConnections(app, limits, clock);
  endStalled(app.server, clock);
  if (parts.refusal !== undefined) refuseAsleep(app, parts.refusal);
  if (parts.requiresTls === true) requireTls(app);
  if (parts.requiresOwnName === true) requireOwnName(app);
  const failedKeys = { hits: limits.failedKeys, windowMs: MINUTE_MS };
  const failures = new SlidingWindow(failedKeys, clock);
  const authenticator = createAuthenticator({ callers, apiKeys, failures });
  const countCall = createAccountLimits(limits, clock);
  const integrationMethods = methodsOfIntegrations(parts.integrations);
  const checkIntegration = checkingIntegrations(integrationMethods);
  const { mostUploadBytes } = parts.files;
  readBodies(app, { clock, idleMs: parts.bodyIdleMs ?? BODY_IDLE_MS });
  admitBodies(app, {
    authenticator,
    limits,
    clock,
    checkIntegration,
    integrationMethods,
    mostUploadBytes: () => mostUploadBytes(),
  });
  keepFromOtherOrigins(app, routes);
  const serving = {
    ...parts,
    limits,
    authenticator,
    countCall,
    integrationMethods,
    checkIntegration,
  };
  const answerOverride = serveRoutes(app, routes, serving);
  serveEventStream(app, { openEventStream: parts.openEventStream, authenticator, countCall });
  serveDocumentation(app, { version: parts.version, limits, integrations: parts.integrations });
  if (parts.identityProof !== undefined) serveIdentityProof(app, parts.identityProof);
  if (parts.monitoring !== undefined) serveMonitoring(app, parts.monitoring, clock);
  if (parts.migrationSource !== undefined) serveMigration(app, parts.migrationSource);
  serveFiles(app, { files: parts.files, authenticator });
  const pages = createPages(app, parts.rendererDir);
  serveFallback(app, { pages, answerOverride, integrationMethods });
  return app;
}
