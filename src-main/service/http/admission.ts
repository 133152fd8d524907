/** Whose request it is, and how much of its body is read: settled before any of it is (API decisions 13). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { Clock } from '#node/clock.ts';
import type { Caller } from '../core/ports/handlers.ts';
import {
  FORM_KEY_BYTES,
  type Limits,
  PICTURE_BODY_BYTES,
  PIECE_BYTES,
  STRANGER_BODY_BYTES,
  UPLOAD_OVERHEAD_BYTES,
} from '#shared/limits.ts';
import { type Authenticator, readBasic } from './authenticate.ts';
import { accept, type Admission, hasBody, lengthOf } from './body.ts';
import { closeUnread, payloadTooLarge } from './failure.ts';
import { tooManyNow } from './limits/rate-limit.ts';
import { BodyBudget } from './limits/waiting-bytes.ts';
import { isForm, isMultipart, keyInForm, type Parameters } from './parameters.ts';
import { type CheckIntegration, credentialsOf, queryParametersOf } from './pipeline.ts';
import { type IntegrationMethods, isApiPath, methodsAt, needsCaller, pathOf } from './routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent where a route is none of the endpoint table. */
    readonly endpoint?: AnyEndpoint;
  }
}

interface AdmissionParts {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly checkIntegration: CheckIntegration;
  readonly integrationMethods: IntegrationMethods;
  /** What an administrator allows at the moment. */
  readonly mostUploadBytes: () => Promise<number>;
}

type KnownCaller = Pick<Admission, 'version'> & { readonly caller: Caller };

type Admit = (request: FastifyRequest) => Admission | Promise<Admission>;

interface BodyBudgets {
  readonly strangers: BodyBudget;
  /** Of people and bots, for what they write. */
  readonly short: BodyBudget;
  /** And for their files and deliveries, which must not hold up what others write. */
  readonly long: BodyBudget;
}

function budgetsOf(limits: Limits): BodyBudgets {
  const share = (part: number): BodyBudget =>
    new BodyBudget({ each: limits.accountWaitingBytes * part, all: limits.waitingBytes * part });
  const { addressWaitingBytes: each, strangerWaitingBytes: all } = limits;
  return { strangers: new BodyBudget({ each, all }), short: share(1 / 4), long: share(3 / 4) };
}

const isLong = (endpoint: AnyEndpoint | undefined): boolean =>
  endpoint?.takesFiles !== undefined ||
  endpoint?.takesPiece === true ||
  endpoint?.auth === 'webhook';

/** Of a body that goes to the disk as it comes. */
const STREAM_BYTES = 256 * 1024;

const isStreamed = (endpoint: AnyEndpoint | undefined, { headers }: FastifyRequest): boolean =>
  endpoint?.takesPiece === true ||
  (endpoint?.takesFiles === 'upload' && isMultipart(headers['content-type'] ?? ''));

/** A POST to a path that other methods have may stand for one of them; its body says so. */
function mayOverride(request: FastifyRequest, integrationMethods: IntegrationMethods): boolean {
  const path = pathOf(request.raw.url ?? '');
  return (
    request.method === 'POST' && isApiPath(path) && methodsAt(path, integrationMethods).length > 0
  );
}

interface AdmissionRules {
  readonly stranger: (request: FastifyRequest, most: number) => Admission;
  readonly known: (
    endpoint: AnyEndpoint | undefined,
    found: KnownCaller,
    request: FastifyRequest,
  ) => Admission | Promise<Admission>;
}

function createAdmissionRules({ limits, mostUploadBytes }: AdmissionParts): AdmissionRules {
  const budgets = budgetsOf(limits);

  const stranger = (request: FastifyRequest, most: number): Admission => ({
    endpoint: undefined,
    caller: null,
    version: undefined,
    most: Math.min(most, limits.bodyBytes),
    charge: budgets.strangers.open(request.server.clientAddresses.addressOf(request)),
  });

  function mostOf(
    endpoint: AnyEndpoint | undefined,
    request: FastifyRequest,
  ): number | Promise<number> {
    if (endpoint?.takesPiece === true) return PIECE_BYTES;
    if (endpoint?.takesFiles === 'picture') return PICTURE_BODY_BYTES;
    if (isStreamed(endpoint, request)) {
      return mostUploadBytes().then((bytes) => bytes + UPLOAD_OVERHEAD_BYTES);
    }
    return endpoint?.auth === 'webhook' ? limits.webhookBodyBytes : limits.bodyBytes;
  }

  function known(
    endpoint: AnyEndpoint | undefined,
    found: KnownCaller,
    request: FastifyRequest,
  ): Admission | Promise<Admission> {
    const { caller } = found;
    const budget = isLong(endpoint) ? budgets.long : budgets.short;
    const charge = budget.open(caller.ownerId ?? caller.userId);
    const admission = { ...found, endpoint, charge, isStreamed: isStreamed(endpoint, request) };
    const most = mostOf(endpoint, request);
    return typeof most === 'number'
      ? { ...admission, most }
      : most.then((bytes) => ({ ...admission, most: bytes }));
  }

  return { stranger, known };
}

function createAdmit(parts: AdmissionParts): Admit {
  const { authenticator, integrationMethods } = parts;
  const { stranger, known } = createAdmissionRules(parts);

  function webhook(endpoint: AnyEndpoint, request: FastifyRequest): Admission | Promise<Admission> {
    const { integration = '' } = request.params as { readonly integration?: string };
    parts.checkIntegration(request, integration);
    const credentials = credentialsOf(request);
    const byKey = async (parameters: Parameters): Promise<Admission> => {
      const version = authenticator.version();
      const caller = await authenticator.byKeyOrHeader('webhook', parameters, credentials);
      return known(endpoint, { caller, version }, request);
    };
    const parameters = queryParametersOf(request);
    const contentType = request.headers['content-type'] ?? '';
    const hasKey = (parameters['api_key'] ?? '') !== '' || isBasic(request);
    if (hasKey || !isForm(contentType)) return byKey(parameters);
    return {
      ...stranger(request, FORM_KEY_BYTES),
      readmit: (begun) => byKey({ api_key: keyInForm(contentType, begun) }),
    };
  }

  function byHeader(
    endpoint: AnyEndpoint | undefined,
    request: FastifyRequest,
  ): Admission | Promise<Admission> {
    const credentials = credentialsOf(request);
    const version = authenticator.version();
    const caller =
      endpoint === undefined ? undefined : authenticator.remembered(endpoint, credentials);
    if (caller !== undefined) return known(endpoint, { caller, version }, request);
    return authenticator
      .byHeader(endpoint?.auth ?? 'sender', credentials)
      .then((found) => known(endpoint, { caller: found, version }, request));
  }

  return (request) => {
    if (request.is404) {
      if (!mayOverride(request, integrationMethods)) return stranger(request, 0);
      return isBasic(request) && needsCaller(pathOf(request.raw.url ?? ''))
        ? byHeader(undefined, request)
        : stranger(request, STRANGER_BODY_BYTES);
    }
    const { endpoint } = request.routeOptions.config;
    if (request.method === 'GET' || request.method === 'HEAD') return stranger(request, 0);
    if (endpoint === undefined || endpoint.auth === 'none') {
      return stranger(request, STRANGER_BODY_BYTES);
    }
    return endpoint.auth === 'webhook' ? webhook(endpoint, request) : byHeader(endpoint, request);
  };
}

const isBasic = ({ headers }: FastifyRequest): boolean =>
  readBasic(headers.authorization) !== undefined;

/**
 * What is announced is refused at once where there is no room for it. That of a known caller is kept free, so that a long
 * body is never refused in the middle; that of strangers counts as it comes, or they would fill it with announcements.
 * @throws PAYLOAD_TOO_LARGE, RATE_LIMIT_HIT
 */
function checkLength(request: FastifyRequest, admission: Admission, parts: AdmissionParts): void {
  const { caller, charge, most, readmit } = admission;
  const held = (bytes: number): number => (admission.isStreamed === true ? STREAM_BYTES : bytes);
  const announced = lengthOf(request.raw) ?? 0;
  const { bodyBytes, webhookBodyBytes } = parts.limits;
  const longest = most === 0 ? bodyBytes : readmit === undefined ? most : webhookBodyBytes;
  if (announced > longest) throw payloadTooLarge();
  const hasRoom =
    caller === null
      ? charge.budget.hasRoom(charge, Math.min(announced, most))
      : charge.take(held(announced));
  if (!hasRoom) throw tooManyNow(charge.budget.limits.each, parts.clock.now());
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Decides on each body before it is read. */
export function admitBodies(app: FastifyInstance, parts: AdmissionParts): void {
  const admit = createAdmit(parts);

  const take = (request: FastifyRequest, reply: FastifyReply, admission: Admission): void => {
    checkLength(request, admission, parts);
    if (admission.most === 0) closeUnread(request, reply);
    else accept(request, reply, admission);
    request.admission = admission;
  };

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const type = raw.headers['content-type'];
    // The library refuses a malformed type; here a body of an unknown type is merely not read.
    if (type !== undefined && !MEDIA_TYPE.test(type)) {
      raw.headers['content-type'] = 'application/octet-stream';
    }
    if (!hasBody(raw)) {
      done();
      return;
    }
    try {
      const found = admit(request);
      if (!(found instanceof Promise)) {
        take(request, reply, found);
        done();
        return;
      }
      const isThere = found.then((admission) => {
        // What it would hold is given back when its connection ends, which it may have done.
        if (raw.socket.destroyed) return false;
        take(request, reply, admission);
        return true;
      });
      isThere.then((goesOn) => (goesOn ? done() : undefined), done);
    } catch (error) {
      done(error as Error);
    }
  });
}
