/** Requests made from the endpoint table: right in most places and wrong in some. */
import { z } from 'zod';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { wireName } from '#shared/api/wire.ts';
import { headerOf, headersRead } from '../adversarial/headers.ts';
import type { Random } from '../random.ts';
import {
  adversarialText,
  hostileText,
  hostileValue,
  plausible,
  type Schema,
  textOf,
} from './values.ts';

export interface FuzzRequest {
  readonly method: string;
  /** From `/api/v1` on, with its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

const schemas = new Map<AnyEndpoint, readonly Field[]>();

function fieldsOf(endpoint: AnyEndpoint): readonly Field[] {
  const known = schemas.get(endpoint);
  if (known !== undefined) return known;
  const fields = Object.entries(endpoint.params.fields).map(([key, { schema, isRequired }]) => ({
    name: wireName(key),
    schema: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema,
    isRequired,
  }));
  schemas.set(endpoint, fields);
  return fields;
}

type Pair = readonly [name: string, value: unknown];

function argumentsOf(random: Random, endpoint: AnyEndpoint): Pair[] {
  // Mostly one thing is wrong at a time: with everything wrong only the first check is ever reached.
  const spoilt = random.chance(0.7) ? random.below(endpointSize(endpoint)) : -1;
  const pairs: Pair[] = [];
  fieldsOf(endpoint).forEach((field, index) => {
    const isSpoilt = index === spoilt;
    if (isSpoilt && random.chance(0.25)) return;
    if (!field.isRequired && !isSpoilt && random.chance(0.55)) return;
    const value = isSpoilt
      ? random.chance(0.8)
        ? hostileText(random)
        : hostileValue(random)
      : plausible(random, field.name, field.schema);
    pairs.push([field.name, value]);
    if (random.chance(0.03)) pairs.push([field.name, hostileText(random)]);
  });
  if (random.chance(0.05)) pairs.push([hostileText(random), hostileText(random)]);
  if (random.chance(0.03)) pairs.push(['method', random.pick(['GET', 'DELETE', 'PATCH', 'x'])]);
  return pairs;
}

const endpointSize = (endpoint: AnyEndpoint): number => Math.max(1, fieldsOf(endpoint).length);

function pathOf(random: Random, endpoint: AnyEndpoint, pairs: readonly Pair[]): string {
  const values = new Map(pairs);
  return endpoint.path.replace(/:([a-z_]+)/g, (_capture, name: string) => {
    if (name === 'integration') return random.chance(0.9) ? 'helloworld' : 'unheard_of';
    const plain = values.get(name) ?? 1;
    const usual = typeof plain === 'number' ? Math.abs(plain) : plain;
    const value = random.chance(0.93) ? usual : hostileText(random);
    return encodeURIComponent(textOf(value).toWellFormed().slice(0, 300)) || '1';
  });
}

const formOf = (pairs: readonly Pair[]): string =>
  pairs
    .map(([name, value]) =>
      [name, textOf(value)].map((part) => encodeURIComponent(part.toWellFormed())).join('='),
    )
    .join('&');

function multipartOf(random: Random, pairs: readonly Pair[]): Buffer {
  const parts = pairs.map(([name, value]) => {
    const quoted = name.replace(/["\r\n]/g, '_').slice(0, 100);
    const file = random.chance(0.15) ? '; filename="a.png"\r\nContent-Type: image/png' : '';
    return `--xyz\r\nContent-Disposition: form-data; name="${quoted}"${file}\r\n\r\n${textOf(value)}\r\n`;
  });
  return Buffer.from(`${parts.join('')}--xyz--\r\n`);
}

/** Parts with odd headers, names and ends, or more of them than are taken; the boundary of the type may be another one. */
function oddMultipartOf(random: Random, pairs: readonly Pair[]): Body {
  const odd = (): string => adversarialText(random, 1 + random.below(3000));
  const inLine = (): string => odd().replaceAll(/[\r\n]/g, ' ');
  const disposition = 'Content-Disposition: form-data';
  const headers: readonly (() => string)[] = [
    () => `${disposition}; name="${inLine()}"`,
    () => `${disposition}; name="a"; filename="${inLine()}"\r\nContent-Type: ${inLine()}`,
    () => `${disposition}; name="a"; filename*=utf-8''${inLine()}`,
    () => `${disposition}${inLine()}`,
    () => `${disposition}; name=a; name="b"; ${inLine()}`,
    () => `${inLine()}: x\r\n${disposition}; name="a"`,
    odd,
    () => '',
  ];
  const count = random.pick([0, 1, 1, 2, 3, 30, 1500]);
  const written = random.chance(0.5) ? pairs.length : 0;
  const parts = Array.from({ length: count }, (_, index) => {
    // So many of them are long together.
    const head = count > 100 ? `${disposition}; name="p${String(index)}"` : random.pick(headers)();
    return `--xyz\r\n${head}${random.pick(['\r\n\r\n', '\r\n\r\n', '\n\n', '\r\n', ''])}v\r\n`;
  });
  const end = random.pick(['--xyz--\r\n', '--xyz--\r\n', '--xyz', '--zyx--', '']);
  const right =
    written === 0
      ? ''
      : multipartOf(random, pairs)
          .toString()
          .replace(/--xyz--\r\n$/, '');
  const boundary = random.chance(0.8) ? 'xyz' : headerOf(adversarialText(random, 200), 300);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(`${right}${parts.join('')}${end}`),
  };
}

const randomBytes = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: random.below(400) }, () => random.below(256)));

interface Body {
  readonly type: string | null;
  readonly bytes: Buffer;
}

function bodyOf(random: Random, pairs: readonly Pair[]): Body {
  const roll = random.next();
  if (roll < 0.55) {
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(formOf(pairs)) };
  }
  if (roll < 0.6) return oddMultipartOf(random, pairs);
  if (roll < 0.7) {
    return { type: 'multipart/form-data; boundary=xyz', bytes: multipartOf(random, pairs) };
  }
  if (roll < 0.88) {
    const json = JSON.stringify(Object.fromEntries(pairs));
    return { type: 'application/json', bytes: Buffer.from(json) };
  }
  const type = random.pick([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=xyz',
    'multipart/form-data',
    'application/json',
    'image/png',
    'nonsense',
    null,
  ]);
  return { type, bytes: random.chance(0.7) ? randomBytes(random) : Buffer.from(formOf(pairs)) };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'] as const;

const readHeaders = headersRead();

/** One of the headers that are read, and in it what no client sends. */
export function oddHeader(random: Random): Readonly<Record<string, string>> {
  const text = random.chance(0.7)
    ? adversarialText(random, random.below(4000))
    : hostileText(random);
  return { [random.pick(readHeaders)]: headerOf(text, 4000) };
}

const headersFor = (random: Random, authorization: string | null): FuzzRequest['headers'] => ({
  ...(authorization === null ? {} : { authorization }),
  ...(random.chance(0.1) ? oddHeader(random) : {}),
});

/** @param authorization  the header of the role that makes the call; null for none */
export function fuzzRequest(
  random: Random,
  endpoint: AnyEndpoint,
  authorization: string | null,
): FuzzRequest {
  const pairs = argumentsOf(random, endpoint);
  const path = `/api/v1${pathOf(random, endpoint, pairs)}`;
  const method = random.chance(0.88) ? endpoint.method : random.pick(methods);
  const headers = headersFor(random, authorization);
  const isBodiless = method === 'GET' || method === 'HEAD';
  const isQueried = isBodiless || endpoint.takesPiece === true || random.chance(0.15);
  // A request line has a limit of its own, which the raw tests of HTTP cover.
  const query = isQueried ? formOf(pairs).slice(0, 6000).replace(/%.?$/, '') : '';
  const broken = random.chance(0.02) ? '&x=%ff%zz' : '';
  const target = `${path}${query === '' && broken === '' ? '' : '?'}${query}${broken}`;
  const hasBody = isQueried ? !isBodiless && endpoint.takesPiece === true : true;
  return {
    method,
    target,
    ...(hasBody ? withBody(random, pairs, headers) : { headers, body: null }),
  };
}

function withBody(
  random: Random,
  pairs: readonly Pair[],
  headers: FuzzRequest['headers'],
): Pick<FuzzRequest, 'headers' | 'body'> {
  const { type, bytes } = bodyOf(random, pairs);
  return { headers: type === null ? headers : { 'content-type': type, ...headers }, body: bytes };
}
