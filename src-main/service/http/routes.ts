/** The endpoint table as routes: what is matched natively, and what an unmatched path could have meant. */
import { eventStreamPath } from '../../contract/api/events.ts';
import { api, type Api } from '../../contract/api/index.ts';
import { realmIconPath } from '../../contract/api/organization/realm-icon.ts';
import { int, positiveInt } from '../../contract/codecs.ts';
import type { AnyEndpoint, Table } from '../../contract/endpoint.ts';
import type { ApiHandlers, Call, Serialized } from '../ports/handlers.ts';
import type { IntegrationDescription } from '../ports/integrations.ts';
import { wireName } from '../../contract/wire.ts';

const PREFIX = '/api/v1';

/** Where whoever asks is led to the picture of the organization. */
export const iconPath = PREFIX + realmIconPath;

type AnyHandler = (call: Call, params: unknown) => Promise<object | Serialized>;

export interface Route {
  readonly endpoint: AnyEndpoint;
  readonly handler: AnyHandler;
  /** In the router's own notation: a capture of a number matches digits only. */
  readonly path: string;
  readonly pattern: RegExp;
}

export interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
  readonly endpoint: AnyEndpoint;
}

const DIGITS = String.raw`\d+`;

function isNumber(endpoint: AnyEndpoint, capture: string): boolean {
  const field = Object.entries(endpoint.params.fields).find(([key]) => wireName(key) === capture);
  const schema = field?.[1].schema;
  return schema === int || schema === positiveInt;
}

const mapCaptures = (endpoint: AnyEndpoint, write: (name: string) => string): string =>
  PREFIX + endpoint.path.replace(/:([a-z_]+)/g, (_capture, name: string) => write(name));

const routerPath = (endpoint: AnyEndpoint): string =>
  mapCaptures(endpoint, (name) =>
    isNumber(endpoint, name) ? `:${name}(^${DIGITS}$)` : `:${name}`,
  );

const patternOf = (endpoint: AnyEndpoint): RegExp => {
  const text = mapCaptures(
    endpoint,
    (name) => `(?<${name}>${isNumber(endpoint, name) ? DIGITS : '[^/]+'})`,
  );
  return new RegExp(`^${text}$`);
};

const methodsOf = ({ method }: AnyEndpoint): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];

/** Every endpoint with its handler. */
export function routesOf(handlers: ApiHandlers<Api>): readonly Route[] {
  const untyped = handlers as unknown as Record<string, Record<string, AnyHandler | undefined>>;
  return Object.entries<Table>(api).flatMap(([aggregate, table]) =>
    Object.entries(table).map(([name, endpoint]) => {
      const handler = untyped[aggregate]?.[name];
      if (handler === undefined) throw new Error(`${aggregate}.${name} has no handler`);
      return { endpoint, handler, path: routerPath(endpoint), pattern: patternOf(endpoint) };
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
    ({ endpoint, pattern }) => endpoint.method === method && pattern.test(pathname),
  );
  // As the router does: what is written out comes before what is captured.
  const [route] = matching.sort((a, b) => countCaptures(a) - countCaptures(b));
  if (route === undefined) return undefined;
  const groups = Object.entries(route.pattern.exec(pathname)?.groups ?? {});
  const captures = groups.map(([name, text]) => [name, decodeCapture(text)] as const);
  return { route, captures: Object.fromEntries(captures) };
}

const knownPaths: readonly KnownPath[] = Object.values<Table>(api)
  .flatMap((table) => Object.values(table))
  .map((endpoint) => ({ endpoint, pattern: patternOf(endpoint), methods: methodsOf(endpoint) }));

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
    const found = known.pattern.exec(pathname);
    if (found === null) return [];
    const integration = found.groups?.['integration'];
    return integration === undefined ? known.methods : integrationMethods(integration);
  });
  const beside = pathname === iconPath ? ['GET', 'HEAD'] : [];
  return [...new Set([...methods, ...beside])].sort();
}

/** The path of a request target, without its query. */
export const pathOf = (url: string): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/';

/** Under these the answer is JSON, even where nothing is found. */
export const isApiPath = (pathname: string): boolean =>
  /^\/(?:api|user_uploads|user_avatars|avatar)(?:\/|$)/.test(pathname);
