/** Requests as text, complete with their heads. */
import type { Account } from '../seed.ts';

type Fields = Readonly<Record<string, string | number>>;

const encode = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');

const head = (line: string, { email, key }: Account): string =>
  `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: bench/1.0\r\n` +
  `authorization: Basic ${Buffer.from(`${email}:${key}`).toString('base64')}\r\n`;

export const get = (account: Account, path: string, fields: Fields): string =>
  `${head(`GET /api/v1${path}?${encode(fields)}`, account)}\r\n`;

export function post(account: Account, path: string, fields: Fields): string {
  const body = encode(fields);
  return (
    `${head(`POST /api/v1${path}`, account)}content-type: application/x-www-form-urlencoded\r\n` +
    `content-length: ${String(body.length)}\r\n\r\n${body}`
  );
}
