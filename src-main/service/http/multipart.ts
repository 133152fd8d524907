/**
 * Fields of a multipart/form-data body (RFC 7578) that is completely received. Written here because a field has
 * to be taken as it is: libraries replace invalid UTF-8, parse JSON parts and refuse names like `toString`.
 */
import { badRequest } from '../../contract/errors.ts';

export interface Field {
  readonly name: string;
  readonly value: Uint8Array;
}

const MAX_HEADER_BYTES = 16_384;

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

/** The name of a part; undefined for a file, which is not a parameter. */
function fieldName(headers: string): string | undefined {
  const disposition = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im.exec(headers)?.[1];
  if (disposition === undefined) throw malformed();
  if (/;[ \t]*filename\*?=/i.test(disposition)) return undefined;
  const named = /;[ \t]*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition);
  const name = named?.[1] ?? named?.[2];
  if (name === undefined) throw malformed();
  return unescape(name);
}

/** @throws BAD_REQUEST when it is not such a body, or not all of it */
export function* readMultipart(contentType: string, body: Uint8Array): Generator<Field> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length === 0) return;
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  let at = firstDelimiterEnd(bytes, delimiter);
  while (!isLast(bytes, at)) {
    const start = endOfLine(bytes, at);
    const end = bytes.indexOf(delimiter, start - 2);
    if (end === -1) throw malformed();
    yield* readPart(bytes, start, end);
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

function* readPart(bytes: Buffer, start: number, end: number): Generator<Field> {
  const headerEnd = bytes.indexOf('\r\n\r\n', start);
  if (headerEnd === -1 || headerEnd > end || headerEnd - start > MAX_HEADER_BYTES)
    throw malformed();
  const name = fieldName(headersOf(bytes.subarray(start, headerEnd)));
  if (name !== undefined) yield { name, value: bytes.subarray(Math.min(headerEnd + 4, end), end) };
}
