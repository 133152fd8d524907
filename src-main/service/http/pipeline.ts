/** What happens to a request of one endpoint: authenticate, decode, handle, answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { api } from '../../contract/api/index.ts';
import { type Caller, type RawBody, Serialized } from '../../contract/handlers.ts';
import { decodeParams } from '../../contract/wire.ts';
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
  readonly isKnownIntegration: (name: string) => boolean;
}

type Run = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const nothing = new Uint8Array();

const rawBodyOf = ({ body, headers }: FastifyRequest): RawBody => ({
  contentType: headers['content-type'] ?? '',
  bytes: Buffer.isBuffer(body) ? body : nothing,
});

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

function parametersOf(request: FastifyRequest, isJsonRead: boolean): Parameters {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const { contentType, bytes } = rawBodyOf(request);
  const query = queryOf(request.raw.url ?? '');
  return readParameters({ query, contentType, body: hasBody ? bytes : nothing, isJsonRead });
}

/** @param json  a complete body; it is sent as bytes, because a string would get a charset that JSON has not */
export function answer(reply: FastifyReply, status: number, json: string): FastifyReply {
  // While the server stops, a connection ends with the answer that is under way on it.
  if (!reply.server.server.listening) reply.header('connection', 'close');
  return reply
    .code(status)
    .headers(apiHeaders)
    .header('content-type', 'application/json')
    .send(Buffer.from(json));
}

const jsonOf = (result: object): string =>
  result instanceof Serialized
    ? result.json
    : JSON.stringify({ result: 'success', msg: '', ...result });

export function createPipeline(parts: PipelineParts): (route: Route) => Run {
  const { authenticator, signInLimit, isKnownIntegration } = parts;

  async function identify(
    { endpoint }: Route,
    request: FastifyRequest,
  ): Promise<{ caller: Caller | null; parameters: Parameters }> {
    const { auth } = endpoint;
    const credentials: Credentials = {
      authorization: request.headers.authorization,
      address: addressKey(request.raw.socket.remoteAddress),
    };
    if (auth === 'webhook') {
      const parameters = parametersOf(request, false);
      return { caller: await authenticator.byKeyOrHeader(parameters, credentials), parameters };
    }
    const caller = auth === 'none' ? null : await authenticator.byHeader(auth, credentials);
    return { caller, parameters: parametersOf(request, true) };
  }

  function handlerOf(route: Route): Route['handler'] {
    if (route.endpoint !== api.users.fetchApiKey) return route.handler;
    return (call, params) => {
      const { username } = params as { readonly username: string };
      return signInLimit.attempt(username, () => route.handler(call, params));
    };
  }

  return (route) => {
    const { endpoint } = route;
    const handler = handlerOf(route);
    const isWebhook = endpoint.auth === 'webhook';
    const isSignIn = endpoint === api.users.fetchApiKey;

    return async (request, reply) => {
      const captures = request.params as Readonly<Record<string, string>>;
      if (isWebhook && !isKnownIntegration(captures['integration'] ?? '')) throw notFound();
      if (isSignIn) {
        const verdict = signInLimit.admit(addressKey(request.raw.socket.remoteAddress));
        reply.headers(rateHeaders(verdict));
      }
      const { caller, parameters } = await identify(route, request);
      const params = decodeParams(endpoint.params, Object.assign(parameters, captures));
      const body = isWebhook ? rawBodyOf(request) : null;
      const result = await handler(callOf(request, reply, caller, body), params);
      return answer(reply, 200, jsonOf(result));
    };
  };
}
