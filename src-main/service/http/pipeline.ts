/** What happens to a request of one endpoint: authenticate, count, decode, handle, answer. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { api } from '../../contract/api/index.ts';
import type { AnyEndpoint } from '../../contract/endpoint.ts';
import {
  type Caller,
  type RawBody,
  Serialized,
  type UploadedFile,
} from '../../contract/handlers.ts';
import { decodeParams } from '../../contract/wire.ts';
import type { CountCall } from './account-limits.ts';
import type { Authenticator, Credentials } from './authenticate.ts';
import { callOf } from './call.ts';
import { apiHeaders, notFound } from './failure.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { addressKey, rateHeaders } from './rate-limit.ts';
import type { Route } from './routes.ts';
import type { SignInLimit } from './sign-in-limit.ts';

export interface PipelineParts {
  readonly authenticator: Authenticator;
  readonly signInLimit: SignInLimit;
  readonly countCall: CountCall;
  readonly isKnownIntegration: (name: string) => boolean;
}

export type Captures = Readonly<Record<string, string>>;

export interface Pipeline {
  /** Everything that can be refused before the body has arrived. */
  readonly admit: (request: FastifyRequest) => Promise<void>;
  readonly run: (
    request: FastifyRequest,
    reply: FastifyReply,
    captures: Captures,
  ) => Promise<FastifyReply>;
}

const nothing = new Uint8Array();

const rawBodyOf = ({ body, headers }: FastifyRequest): RawBody => ({
  contentType: headers['content-type'] ?? '',
  bytes: Buffer.isBuffer(body) ? body : nothing,
});

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

export function parametersOf(
  request: FastifyRequest,
  how: { readonly isJsonRead: boolean; readonly files?: UploadedFile[] },
): Parameters {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const { contentType, bytes } = rawBodyOf(request);
  const query = queryOf(request.raw.url ?? '');
  return readParameters({ query, contentType, body: hasBody ? bytes : nothing, ...how });
}

export const credentialsOf = (request: FastifyRequest): Credentials => ({
  authorization: request.headers.authorization,
  address: addressKey(request.raw.socket.remoteAddress),
});

/** While the server stops, a connection ends with the answer that is under way on it. */
export const closeIfStopping = (reply: FastifyReply): FastifyReply =>
  reply.server.server.listening ? reply : reply.header('connection', 'close');

/** @param json  a complete body; it is sent as bytes, because a string would get a charset that JSON has not */
export function answer(reply: FastifyReply, status: number, json: string): FastifyReply {
  return closeIfStopping(reply)
    .code(status)
    .headers(apiHeaders)
    .header('content-type', 'application/json')
    .send(Buffer.from(json));
}

/** Many answers share a long tail: it goes to each socket as it is, where putting it behind its head would copy it. */
function answerShared(reply: FastifyReply, json: string, tail: Uint8Array): FastifyReply {
  const head = Buffer.from(json);
  closeIfStopping(reply).hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...apiHeaders,
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'application/json',
    'content-length': head.length + tail.length,
  });
  raw.cork();
  raw.write(head);
  raw.end(tail);
  raw.uncork();
  return reply;
}

function answerResult(reply: FastifyReply, result: object): FastifyReply {
  if (!(result instanceof Serialized)) {
    return answer(reply, 200, JSON.stringify({ result: 'success', msg: '', ...result }));
  }
  const { json, tail } = result;
  return tail === null ? answer(reply, 200, json) : answerShared(reply, json, tail);
}

/** Callers of uploads, who are known before the body is. */
const admitted = new WeakMap<FastifyRequest, Caller>();

interface Identified {
  readonly caller: Caller | null;
  readonly parameters: Parameters;
  readonly files: readonly UploadedFile[];
}

/** Exchanges of a password, open to everybody. */
const isSignIn = (endpoint: AnyEndpoint): boolean =>
  endpoint === api.users.fetchApiKey || endpoint === api.closing.reactivate;

/** Password checks are counted by account, whichever endpoint makes them. */
function countingGuesses(route: Route, signInLimit: SignInLimit): Route['handler'] {
  const { endpoint, handler } = route;
  if (isSignIn(endpoint)) {
    return (call, params) => {
      const { username } = params as { readonly username: string };
      return signInLimit.attempt(username, () => handler(call, params));
    };
  }
  if (endpoint !== api.settings.update) return handler;
  return (call, params) => {
    const { newPassword } = params as { readonly newPassword?: string | undefined };
    // A key that was found somewhere must not be good for guessing the password.
    return newPassword === undefined || call.caller === null
      ? handler(call, params)
      : signInLimit.attempt(call.caller.email, () => handler(call, params));
  };
}

export function createPipeline(parts: PipelineParts): (route: Route) => Pipeline {
  const { authenticator, signInLimit, countCall, isKnownIntegration } = parts;

  async function identify({ endpoint }: Route, request: FastifyRequest): Promise<Identified> {
    const { auth } = endpoint;
    if (auth === 'webhook') {
      const parameters = parametersOf(request, { isJsonRead: false });
      const credentials = credentialsOf(request);
      const caller = await authenticator.byKeyOrHeader(auth, parameters, credentials);
      return { caller, parameters, files: [] };
    }
    const caller =
      auth === 'none'
        ? null
        : (admitted.get(request) ?? (await authenticator.byHeader(auth, credentialsOf(request))));
    const files: UploadedFile[] = [];
    const taken = endpoint.takesFiles === true ? { files } : {};
    return { caller, parameters: parametersOf(request, { isJsonRead: true, ...taken }), files };
  }

  return (route) => {
    const { endpoint } = route;
    const { auth } = endpoint;
    const handler = countingGuesses(route, signInLimit);
    const isWebhook = auth === 'webhook';
    const isLimited = isSignIn(endpoint);

    return {
      async admit(request) {
        // A long body from nobody we know would only fill the memory.
        if (endpoint.takesFiles !== true || auth === 'none' || isWebhook) return;
        admitted.set(request, await authenticator.byHeader(auth, credentialsOf(request)));
      },
      async run(request, reply, captures) {
        if (isWebhook && !isKnownIntegration(captures['integration'] ?? '')) throw notFound();
        if (isLimited) {
          const verdict = signInLimit.admit(addressKey(request.raw.socket.remoteAddress));
          if (verdict !== null) reply.headers(rateHeaders(verdict));
        }
        const { caller, parameters, files } = await identify(route, request);
        const verdict = countCall(endpoint, caller);
        if (verdict !== null) reply.headers(rateHeaders(verdict));
        const params = decodeParams(endpoint.params, Object.assign(parameters, captures));
        const body = isWebhook ? rawBodyOf(request) : null;
        const result = await handler(callOf(request, reply, { caller, body, files }), params);
        return answerResult(reply, result);
      },
    };
  };
}
