/** What happens to a request of one endpoint: authenticate, count, decode, handle, answer. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessOf, type AnyEndpoint } from '#shared/api/endpoint.ts';
import {
  type Caller,
  PlainText,
  type RawBody,
  Serialized,
  type UploadedFile,
} from '../core/ports/handlers.ts';
import { decodeParams } from '#shared/api/wire.ts';
import type { DeliveryRecorder } from '../core/ports/deliveries.ts';
import type { CountCall } from './limits/account-limits.ts';
import type { AdmitToJoin } from './limits/join-limit.ts';
import type { Authenticator, Credentials } from './authenticate.ts';
import { callOf } from './call.ts';
import { apiHeaders, methodNotAllowed, notFound } from './failure.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { rateHeaders } from './limits/rate-limit.ts';
import { SHORT_ANSWER_BYTES } from './limits/waiting-answers.ts';
import type { IntegrationMethods, Route } from './routes.ts';
import type { SignInLimit } from './limits/sign-in-limit.ts';

export interface PipelineParts {
  readonly authenticator: Authenticator;
  readonly signInLimit: SignInLimit;
  readonly admitToJoin: AdmitToJoin;
  readonly countCall: CountCall;
  readonly checkIntegration: CheckIntegration;
  readonly deliveryRecorder: DeliveryRecorder;
}

export type Captures = Readonly<Record<string, string>>;

export type RouteRunner = (
  request: FastifyRequest,
  reply: FastifyReply,
  captures: Captures,
) => Promise<FastifyReply | undefined>;

const nothing = new Uint8Array();
const nothingMore: readonly Uint8Array[] = [];

const rawBodyOf = ({ body, headers, raw }: FastifyRequest): RawBody => ({
  contentType: headers['content-type'] ?? '',
  bytes: Buffer.isBuffer(body) ? body : nothing,
  header(name) {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  },
  headers: () =>
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  query: queryOf(raw.url ?? ''),
});

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Without those in the body. */
export const queryParametersOf = ({ raw }: FastifyRequest): Parameters =>
  readParameters({
    query: queryOf(raw.url ?? ''),
    contentType: '',
    body: nothing,
    isJsonRead: false,
  });

export function parametersOf(
  request: FastifyRequest,
  how: { readonly isJsonRead: boolean; readonly files?: UploadedFile[] },
): Parameters {
  const { method, headers, body } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD' && Buffer.isBuffer(body);
  return readParameters({
    query: queryOf(request.raw.url ?? ''),
    contentType: headers['content-type'] ?? '',
    body: hasBody ? body : nothing,
    isJsonRead: how.isJsonRead,
    ...(how.files === undefined ? {} : { files: how.files }),
  });
}

/** Hardly any request is asked for its address. */
class RequestCredentials implements Credentials {
  readonly connection: object;
  readonly authorization: string | undefined;
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest) {
    this.connection = request.raw.socket;
    this.authorization = request.headers.authorization;
    this.#request = request;
  }

  get address(): string {
    return this.#request.server.clientAddresses.addressOf(this.#request);
  }

  get isLocal(): boolean {
    return this.#request.server.clientAddresses.isLocal(this.#request);
  }
}

export const credentialsOf = (request: FastifyRequest): Credentials =>
  new RequestCredentials(request);

/** While the server stops, a connection ends with the answer that is under way on it. */
export const closeIfStopping = (reply: FastifyReply): FastifyReply =>
  reply.server.server.listening ? reply : reply.header('connection', 'close');

const asItIs = (json: string): string => json;

/**
 * @param json  a complete body; the framework gives a string a charset that JSON has not, unless it is told how to write it
 * @param tail  what the body ends with
 */
export function answer(
  reply: FastifyReply,
  status: number,
  json: string,
  tail: readonly Uint8Array[] = nothingMore,
): FastifyReply {
  const begun = closeIfStopping(reply)
    .code(status)
    .headers(apiHeaders)
    .header('content-type', 'application/json');
  return tail.length === 0
    ? begun.serializer(asItIs).send(json)
    : begun.send(Buffer.concat([Buffer.from(json), ...tail]));
}

interface JsonAnswer {
  readonly pieces: readonly Uint8Array[];
  readonly length: number;
  /** Who waits for it; 0 for strangers. */
  readonly owner: number;
}

/** Past the framework, which does not wait for slow readers. */
export function takeResponse(reply: FastifyReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    reply.raw.setHeader(name, String(value));
  }
  return reply.raw;
}

/** @throws RATE_LIMIT_HIT */
function answerSlowly(reply: FastifyReply, { pieces, length, owner }: JsonAnswer): void {
  const send = reply.server.waitingAnswers.reserve(pieces, owner);
  closeIfStopping(reply)
    .headers(apiHeaders)
    .header('content-type', 'application/json')
    .header('content-length', String(length));
  // Many answers share long pieces: these go to each socket as they are.
  send(takeResponse(reply));
}

/** @returns what the framework has to wait for */
function answerResult(
  endpoint: AnyEndpoint,
  reply: FastifyReply,
  { result, caller }: { readonly result: object; readonly caller: Caller | null },
): FastifyReply | undefined {
  if (result instanceof PlainText) {
    const text = Buffer.from(result.json);
    return closeIfStopping(reply).headers(apiHeaders).type('text/plain; charset=utf-8').send(text);
  }
  const { json, tail } =
    result instanceof Serialized
      ? result
      : { json: JSON.stringify({ result: 'success', msg: '', ...result }), tail: nothingMore };
  let length = Buffer.byteLength(json);
  for (const piece of tail) length += piece.length;
  // The framework's hooks take the headers away that let pages from elsewhere read it.
  const isWhole = length <= SHORT_ANSWER_BYTES || endpoint.isSameOrigin === true;
  if (isWhole || reply.request.method === 'HEAD') return answer(reply, 200, json, tail);
  const pieces = [Buffer.from(json), ...tail];
  answerSlowly(reply, { pieces, length, owner: caller?.ownerId ?? caller?.userId ?? 0 });
  return undefined;
}

const asArguments = { isJsonRead: true };
const noFiles: readonly UploadedFile[] = [];

interface IdentifiedRequest {
  readonly caller: Caller | null;
  readonly parameters: Parameters;
  readonly files: readonly UploadedFile[];
}

interface IdentifiedDelivery {
  readonly caller: Caller | null;
  readonly body: RawBody | null;
  readonly captures: Captures;
}

/** The account as it is named by a sign-in, or by the token of a link, which begins with its number. */
function guessedAccountOf(params: unknown): string {
  const { username, token = '' } = params as {
    readonly username?: string;
    readonly token?: string;
  };
  // No address is spelled like this: guesses at links leave the sign-in of the account open.
  return username ?? `link of ${token.trim().split('-', 1)[0] ?? ''}`;
}

/** Password checks are counted, whichever endpoint makes them. */
function countingGuesses(route: Route, signInLimit: SignInLimit): Route['handler'] {
  const { endpoint, handler } = route;
  if (endpoint.limit === 'sign-in') {
    return (call, params) => {
      return signInLimit.attempt(guessedAccountOf(params), () => handler(call, params));
    };
  }
  const checked = endpoint.ownPasswordWith;
  if (checked === undefined) return handler;
  return (call, params) => {
    const given = params as Readonly<Record<string, unknown>>;
    const isChecked = checked.some((name) => given[name] !== undefined);
    // A key that was found somewhere must not be good for guessing the password.
    return !isChecked || call.caller === null
      ? handler(call, params)
      : signInLimit.checkOwn(call.caller, () => handler(call, params));
  };
}

/** What is refused here never reaches the handler, which would keep it. */
const recordingRefusals =
  (recorder: DeliveryRecorder) =>
  (decode: () => unknown, delivered: IdentifiedDelivery): unknown => {
    const { caller, body, captures } = delivered;
    try {
      return decode();
    } catch (refusal) {
      if (caller !== null && body !== null) {
        recorder.noteRefused(caller, captures['integration'] ?? '', body, refusal);
      }
      throw refusal;
    }
  };

/** @throws NOT_FOUND, METHOD_NOT_ALLOWED */
export type CheckIntegration = (request: FastifyRequest, name: string) => void;

export const checkingIntegrations =
  (methodsOf: IntegrationMethods): CheckIntegration =>
  ({ method }, name) => {
    const methods = methodsOf(name);
    if (methods.length === 0) throw notFound();
    if (!methods.includes(method)) throw methodNotAllowed(methods);
  };

/** Who asks, and with which arguments; not a promise where whoever asks is remembered. */
type Identify = (
  endpoint: AnyEndpoint,
  request: FastifyRequest,
) => IdentifiedRequest | Promise<IdentifiedRequest>;

const identifying = (authenticator: Authenticator): Identify => {
  /** Who was admitted with the body, unless somebody may have changed while it came. */
  function admitted(endpoint: AnyEndpoint, { admission }: FastifyRequest): Caller | undefined {
    if (admission?.endpoint !== endpoint || admission.version !== authenticator.version()) return;
    return admission.caller ?? undefined;
  }

  function callerOf(endpoint: AnyEndpoint, request: FastifyRequest): Caller | Promise<Caller> {
    const credentials = credentialsOf(request);
    const found = admitted(endpoint, request) ?? authenticator.remembered(endpoint, credentials);
    const access = accessOf(endpoint);
    if (found !== undefined) return found.access === access ? found : { ...found, access };
    return authenticator
      .byHeader(endpoint.auth, credentials)
      .then((caller) => ({ ...caller, access }));
  }

  async function identifyBot(
    endpoint: AnyEndpoint,
    request: FastifyRequest,
  ): Promise<IdentifiedRequest> {
    const parameters = parametersOf(request, { isJsonRead: false });
    const caller =
      admitted(endpoint, request) ??
      (await authenticator.byKeyOrHeader('webhook', parameters, credentialsOf(request)));
    return { caller: { ...caller, access: accessOf(endpoint) }, parameters, files: noFiles };
  }

  function identified(
    endpoint: AnyEndpoint,
    request: FastifyRequest,
    caller: Caller | null,
  ): IdentifiedRequest {
    if (endpoint.takesPiece === true) {
      return { caller, parameters: queryParametersOf(request), files: noFiles };
    }
    if (endpoint.takesFiles === undefined) {
      return { caller, parameters: parametersOf(request, asArguments), files: noFiles };
    }
    const files: UploadedFile[] = [];
    return { caller, parameters: parametersOf(request, { isJsonRead: true, files }), files };
  }

  return (endpoint, request) => {
    if (endpoint.auth === 'webhook') return identifyBot(endpoint, request);
    const caller = endpoint.auth === 'none' ? null : callerOf(endpoint, request);
    return caller instanceof Promise
      ? caller.then((found) => identified(endpoint, request, found))
      : identified(endpoint, request, caller);
  };
};

export function createPipeline(parts: PipelineParts): (route: Route) => RouteRunner {
  const { authenticator, signInLimit, admitToJoin, countCall, checkIntegration } = parts;
  const identify = identifying(authenticator);
  const recorder = recordingRefusals(parts.deliveryRecorder);

  return (route) => {
    const { endpoint } = route;
    const { auth } = endpoint;
    const handler = countingGuesses(route, signInLimit);
    const isWebhook = auth === 'webhook';
    const admit = endpoint.limit === 'sign-in' ? signInLimit.admit : admitToJoin(endpoint);
    const hasCaptures = endpoint.path.includes(':');

    const decode = (
      reply: FastifyReply,
      caller: Caller | null,
      parameters: Parameters,
    ): unknown => {
      const verdict = countCall(endpoint, caller);
      if (verdict !== null) reply.headers(rateHeaders(verdict));
      return decodeParams(endpoint.params, parameters);
    };

    return async (request, reply, captures) => {
      if (isWebhook) checkIntegration(request, captures['integration'] ?? '');
      if (admit !== undefined) {
        const verdict = admit(request.server.clientAddresses.addressOf(request));
        if (verdict !== null) reply.headers(rateHeaders(verdict));
      }
      const found = identify(endpoint, request);
      const { caller, parameters, files } = found instanceof Promise ? await found : found;
      const body = isWebhook ? rawBodyOf(request) : null;
      if (hasCaptures) Object.assign(parameters, captures);
      const params = endpoint.recordsRefusals
        ? recorder(() => decode(reply, caller, parameters), { caller, body, captures })
        : decode(reply, caller, parameters);
      const countMore = (count: number): void => void countCall(endpoint, caller, count);
      const call = callOf(request, reply, { caller, body, files, countMore });
      const result = await handler(call, params);
      return answerResult(endpoint, reply, { result, caller });
    };
  };
}
