/** The endpoint table as routes: what is matched natively, and what an unmatched path could have meant. */
import { eventStreamPath } from '#shared/api/endpoints/events.ts';
import { api, type Api } from '#shared/api/endpoints/index.ts';
import { realmIconPath } from '#shared/api/endpoints/organization/icon.ts';
import { int, positiveInt } from '#shared/api/codecs.ts';
import type { AnyEndpoint, Table } from '#shared/api/endpoint.ts';
import type { ApiHandlers, Call, Serialized } from '../core/ports/handlers.ts';
import type { IntegrationDescription } from '../core/ports/integrations.ts';
import { wireName } from '#shared/api/wire.ts';

const PREFIX = '/api/v1';

/** Where whoever asks is led to the picture of the organization. */
export const iconPath = PREFIX + realmIconPath;

type AnyHandler = (call: Call, params: unknown) => Promise<object | Serialized>;

/** The captures of a path as they are written, by name; null for a path that is not the endpoint's. */
type Matcher = (pathname: string) => Readonly<Record<string, string>> | null;

export interface Route {
  readonly endpoint: AnyEndpoint;
  readonly handler: AnyHandler;
  /** In the router's own notation: a capture of a number matches digits only. */
  readonly path: string;
  readonly capturesOf: Matcher;
}

export interface KnownPath {
  readonly capturesOf: Matcher;
  readonly methods: readonly string[];
  readonly endpoint: AnyEndpoint;
}

const DIGITS = String.raw`\d+`;

function isNumber(endpoint: AnyEndpoint, capture: string): boolean {
  const field = Object.entries(endpoint.params.fields).find(([key]) => wireName(key) === capture);
  const schema = field?.[1].schema;
  return schema === int || schema === positiveInt;
}

const routerPath = (endpoint: AnyEndpoint): string =>
  PREFIX +
  endpoint.path.replace(/:([a-z_]+)/g, (capture, name: string) =>
    isNumber(endpoint, name) ? `${capture}(^${DIGITS}$)` : capture,
  );

function matcherOf(endpoint: AnyEndpoint): Matcher {
  const segments = (PREFIX + endpoint.path).split('/').map((text) => {
    const name = text.startsWith(':') ? text.slice(1) : undefined;
    return { text, name, form: name !== undefined && isNumber(endpoint, name) ? /^\d+$/ : /./s };
  });
  return (pathname) => {
    const parts = pathname.split('/', segments.length + 1);
    if (parts.length !== segments.length) return null;
    const captures: Record<string, string> = {};
    for (const [at, { text, name, form }] of segments.entries()) {
      const part = parts[at] ?? '';
      if (name === undefined ? part !== text : !form.test(part)) return null;
      if (name !== undefined) captures[name] = part;
    }
    return captures;
  };
}

const methodsOf = ({ method }: AnyEndpoint): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];

/** Every endpoint with its handler. */
export function routesOf(handlers: ApiHandlers<Api>): readonly Route[] {
  const untyped = handlers as unknown as Record<string, Record<string, AnyHandler | undefined>>;
  return Object.entries<Table>(api).flatMap(([aggregate, table]) =>
    Object.entries(table).map(([name, endpoint]) => {
      const handler = untyped[aggregate]?.[name];
      if (handler === undefined) throw new Error(`${aggregate}.${name} has no handler`);
      return { endpoint, handler, path: routerPath(endpoint), capturesOf: matcherOf(endpoint) };
    }),
  );
}

const countCaptures = ({ endpoint }: Route): number => endpoint.path.split(':').length;

const decodeCapture = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export interface FoundRoute {
  readonly route: Route;
  readonly captures: Readonly<Record<string, string>>;
}

/** The endpoint of a method and a path, for a request that did not come by that method. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
): FoundRoute | undefined {
  const matching = routes.filter(
    ({ endpoint, capturesOf }) => endpoint.method === method && capturesOf(pathname) !== null,
  );
  // As the router does: what is written out comes before what is captured.
  const [route] = matching.sort((a, b) => countCaptures(a) - countCaptures(b));
  if (route === undefined) return undefined;
  const written = Object.entries(route.capturesOf(pathname) ?? {});
  const captures = written.map(([name, text]) => [name, decodeCapture(text)] as const);
  return { route, captures: Object.fromEntries(captures) };
}

const knownPaths: readonly KnownPath[] = Object.values<Table>(api)
  .flatMap((table) => Object.values(table))
  .map((endpoint) => ({ endpoint, capturesOf: matcherOf(endpoint), methods: methodsOf(endpoint) }));

/** Whether an endpoint of a path asks who calls. */
export const needsCaller = (pathname: string): boolean =>
  knownPaths.some(
    ({ endpoint, capturesOf }) => endpoint.auth !== 'none' && capturesOf(pathname) !== null,
  );

/** What is served beside the endpoint table. */
const otherPaths =
  /^\/(?:user_uploads\/.+|user_avatars\/.+|avatar\/[^/]+|api\/?|api\/v1\/openapi\.json)$/;

/** The methods that an incoming webhook answers to, sorted; none where there is none of that name. */
export type IntegrationMethods = (name: string) => readonly string[];

export function methodsOfIntegrations(
  integrations: readonly IntegrationDescription[],
): IntegrationMethods {
  const methods = new Map(
    integrations.map(({ name, answersProbes }) => [
      name,
      answersProbes ? ['GET', 'HEAD', 'POST'] : ['POST'],
    ]),
  );
  return (name) => methods.get(name) ?? [];
}

/** The methods that a path answers to, sorted; none when there is no such path. */
export function methodsAt(
  pathname: string,
  integrationMethods: IntegrationMethods,
): readonly string[] {
  if (pathname === PREFIX + eventStreamPath) return ['GET'];
  if (otherPaths.test(pathname)) return ['GET', 'HEAD'];
  const methods = knownPaths.flatMap((known) => {
    const captures = known.capturesOf(pathname);
    if (captures === null) return [];
    const integration = captures['integration'];
    return integration === undefined ? known.methods : integrationMethods(integration);
  });
  const beside = pathname === iconPath ? ['GET', 'HEAD'] : [];
  return [...new Set([...methods, ...beside])].sort();
}

/** The path of a request target, without its query. */
export function pathOf(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return path || '/';
}

/** Under these the answer is JSON, even where nothing is found. */
export const isApiPath = (pathname: string): boolean =>
  /^\/(?:api|user_uploads|user_avatars|avatar)(?:\/|$)/.test(pathname);
