/** Whether an answer is one that the endpoint table allows. */
import { api } from '#shared/api/endpoints/index.ts';
import { realmIconPath } from '#shared/api/endpoints/organization/icon.ts';
import type { AnyEndpoint, Table } from '#shared/api/endpoint.ts';
import { type ErrorCode, errorStatuses } from '#shared/api/errors.ts';
import { generalCodes } from '../service/api.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly text: string;
}

export const endpoints: readonly (readonly [name: string, endpoint: AnyEndpoint])[] =
  Object.entries<Table>(api).flatMap(([aggregate, table]) =>
    Object.entries(table).map(([name, endpoint]) => [`${aggregate}.${name}`, endpoint] as const),
  );

const iconPath = `/api/v1${realmIconPath}`;

/** Decided before an endpoint is asked, or on behalf of all of them. */
const transportCodes: readonly ErrorCode[] = [
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'INVALID_JSON',
  'RATE_LIMIT_HIT',
  'BAD_REQUEST',
];

const patterns = endpoints.map(([, endpoint]) => ({
  endpoint,
  pattern: new RegExp(`^/api/v1${endpoint.path.replace(/:[a-z_]+/g, '[^/]+')}$`),
}));

const endpointsAt = (path: string): readonly AnyEndpoint[] =>
  patterns.filter(({ pattern }) => pattern.test(path)).map(({ endpoint }) => endpoint);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Every key that the schema does not know would be lost in parsing. */
function isResultOf(endpoint: AnyEndpoint, body: Readonly<Record<string, unknown>>): boolean {
  const { result, msg, ...rest } = body;
  if (result !== 'success' || msg !== '') return false;
  const parsed = endpoint.result.safeParse(rest);
  return (
    parsed.success && Object.keys(parsed.data).sort().join() === Object.keys(rest).sort().join()
  );
}

function problemOfError(
  status: number,
  body: Readonly<Record<string, unknown>>,
  candidates: readonly AnyEndpoint[],
): string | undefined {
  const { result, msg, code = 'NONE' } = body;
  if (result !== 'error' || typeof msg !== 'string' || msg === '') return 'no error body';
  if (/[\r\n]/.test(msg)) return 'a message of several lines';
  if (typeof code !== 'string' || !Object.hasOwn(errorStatuses, code)) return 'an unknown code';
  const known = code as ErrorCode;
  if (errorStatuses[known] !== status) return `code ${code} with another status`;
  const allowed = candidates.flatMap((each) => [...each.errors, ...generalCodes(each)]);
  return [...allowed, ...transportCodes].includes(known) ? undefined : `undocumented code ${code}`;
}

/** An organization that was restored and is not opened yet is none. */
const isFault = (status: number, text: string): boolean =>
  status >= 500 && !(status === 503 && text.includes('"ORGANIZATION_CLOSED"'));

/** The picture of the organization is at another address, which needs no key, and is never a script. */
const isIconAnswer = (status: number, text: string): boolean =>
  status === 302 ? text === '' : status === 403 && text.startsWith('Uploaded files');

/** What is wrong with an answer; undefined when it is one of the documented ones. */
export function problemOf(
  method: string,
  path: string,
  { status, text }: FuzzAnswer,
): string | undefined {
  if (isFault(status, text)) return 'a fault of the server';
  if (method === 'HEAD' || status === 204) return text === '' ? undefined : 'an unexpected body';
  if (method === 'GET' && path === iconPath && isIconAnswer(status, text)) return undefined;
  if (status === 302) return 'a redirection';
  const body = parse(text);
  if (body === undefined) return 'no JSON object';
  const candidates = endpointsAt(path);
  if (status !== 200) return problemOfError(status, body, candidates);
  // A POST may ask to be taken for another method.
  const meant = candidates.filter((each) => each.method === method || method === 'POST');
  return meant.some((each) => isResultOf(each, body)) ? undefined : 'an undocumented result';
}
