/**
 * Parts of a multipart/form-data body (RFC 7578) that is completely received. Written here because a field has
 * to be taken as it is: libraries replace invalid UTF-8, parse JSON parts and refuse names like `toString`.
 */
import { badRequest } from '#shared/api/errors.ts';

export interface Part {
  /** Empty only for a file: clients put anything there, or nothing. */
  readonly name: string;
  readonly value: Uint8Array;
  /** Null for a plain field. */
  readonly file: { readonly name: string; readonly contentType: string } | null;
}

/** As many parameters and files as a request may have. */
const MAX_PARTS = 1_100;
/** Of all parts together. */
const MAX_HEADER_BYTES = 262_144;
/** Lines of one part. */
const MAX_HEADERS = 16;

const malformed = (): Error => badRequest('The multipart body is malformed');

function boundaryOf(contentType: string): string {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw malformed();
  return boundary;
}

/** What a browser escapes in a name: quote, carriage return, line feed. */
const unescape = (name: string): string =>
  name.replace(/\\(["\\])/g, '$1').replace(/%(22|0d|0a)/gi, (escape) => decodeURIComponent(escape));

function headersOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The parameters are not valid UTF-8');
  }
}

type Described = Pick<Part, 'name' | 'file'>;

/** The parameters of a disposition by lower-case name, as written; undefined for a value that has no form. */
function parametersOf(disposition: string): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const parameter = /;[ \t]*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))?/g;
  for (const [, name = '', quoted, bare] of disposition.matchAll(parameter)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted ?? bare);
  }
  return found;
}

/** What follows the charset and the language of an extended value (RFC 8187). */
function decodeExtended(value: string): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/is.exec(value)?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function fileNameOf(parameters: ReadonlyMap<string, string | undefined>): string | undefined {
  const decoded = decodeExtended(parameters.get('filename*') ?? '');
  const plain = parameters.get('filename');
  if (decoded !== undefined) return decoded;
  if (plain !== undefined) return unescape(plain);
  return parameters.has('filename') || parameters.has('filename*') ? '' : undefined;
}

/** The headers of a part by lower-case name; of repeated ones the first. */
function readHeaders(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/, MAX_HEADERS + 1);
  if (lines.length > MAX_HEADERS) {
    throw badRequest(`A part of a multipart body may have at most ${String(MAX_HEADERS)} headers`);
  }
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function describe(text: string): Described {
  const headers = readHeaders(text);
  const disposition = headers.get('content-disposition') ?? '';
  if (!/^form-data[ \t]*;/i.test(disposition)) throw malformed();
  const parameters = parametersOf(disposition);
  const written = parameters.get('name');
  const name = written === undefined ? undefined : unescape(written);
  const fileName = fileNameOf(parameters);
  if (fileName === undefined) {
    if (name === undefined) throw malformed();
    return { name, file: null };
  }
  const type = headers.get('content-type') ?? '';
  const contentType = type === '' ? 'application/octet-stream' : type;
  return { name: name ?? '', file: { name: fileName, contentType } };
}

/** @throws BAD_REQUEST when it is not such a body, or not all of it, or has too many parts or headers */
export function* readMultipart(contentType: string, body: Uint8Array): Generator<Part> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length === 0) return;
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  let at = firstDelimiterEnd(bytes, delimiter);
  let room = MAX_HEADER_BYTES;
  for (let count = 1; !isLast(bytes, at); count++) {
    if (count > MAX_PARTS) {
      throw badRequest(`A multipart body may have at most ${String(MAX_PARTS)} parts`);
    }
    const start = endOfLine(bytes, at);
    const end = bytes.indexOf(delimiter, start - 2);
    if (end === -1) throw malformed();
    const headerEnd = headersEnd(bytes, start, end);
    room -= headerEnd - start;
    if (room < 0) {
      throw badRequest(
        `The headers of a multipart body may have at most ${String(MAX_HEADER_BYTES)} bytes`,
      );
    }
    const described = describe(headersOf(bytes.subarray(start, headerEnd)));
    yield { ...described, value: bytes.subarray(Math.min(headerEnd + 4, end), end) };
    at = end + delimiter.length;
  }
}

/** The first delimiter may stand at the very beginning, without the line break before it. */
function firstDelimiterEnd(bytes: Buffer, delimiter: Buffer): number {
  const bare = delimiter.subarray(2);
  if (bytes.subarray(0, bare.length).equals(bare)) return bare.length;
  const preambleEnd = bytes.indexOf(delimiter);
  if (preambleEnd === -1) throw malformed();
  return preambleEnd + delimiter.length;
}

const isLast = (bytes: Buffer, at: number): boolean =>
  bytes.toString('latin1', at, at + 2) === '--';

function endOfLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf('\r\n', at);
  if (end === -1 || !/^[ \t]*$/.test(bytes.toString('latin1', at, end))) throw malformed();
  return end + 2;
}

/** Where the blank line behind the headers begins; its end may be the line break of the next delimiter. */
function headersEnd(bytes: Buffer, start: number, end: number): number {
  const length = bytes.subarray(start, end + 2).indexOf('\r\n\r\n');
  if (length === -1) throw malformed();
  return start + length;
}
