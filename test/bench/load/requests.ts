/** Requests as text, complete with their heads. */
import type { Account } from '../seed.ts';
import type { Place } from './place.ts';

type Fields = Readonly<Record<string, string | number>>;

export const encode = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');

/** Who asks, and of whom; a place that is left out is this computer. */
export type Asker = Account & { readonly place?: Place };

const hostOf = (place: Place | undefined): string =>
  place === undefined
    ? '127.0.0.1'
    : `${place.host.includes(':') ? `[${place.host}]` : place.host}:${String(place.port)}`;

const head = (line: string, { email, key, place }: Asker): string =>
  `${line} HTTP/1.1\r\nhost: ${hostOf(place)}\r\nuser-agent: bench/1.0\r\n` +
  `authorization: Basic ${Buffer.from(`${email}:${key}`).toString('base64')}\r\n`;

export const get = (asker: Asker, path: string, fields: Fields): string =>
  `${head(`GET /api/v1${path}?${encode(fields)}`, asker)}\r\n`;

/** @param length  bytes of a body that follows */
export const postHead = (asker: Asker, path: string, length: number): string =>
  `${head(`POST /api/v1${path}`, asker)}content-type: application/x-www-form-urlencoded\r\n` +
  `content-length: ${String(length)}\r\n\r\n`;

export function post(asker: Asker, path: string, fields: Fields): string {
  const body = encode(fields);
  return postHead(asker, path, body.length) + body;
}
