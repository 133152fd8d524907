/**
 * Parts of a multipart/form-data body (RFC 7578) that is completely received. Written here because a field has
 * to be taken as it is: libraries replace invalid UTF-8, parse JSON parts and refuse names like `toString`.
 */
import { badRequest } from '../../contract/errors.ts';

export interface Part {
  /** Empty only for a file: clients put anything there, or nothing. */
  readonly name: string;
  readonly value: Uint8Array;
  /** Null for a plain field. */
  readonly file: { readonly name: string; readonly contentType: string } | null;
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

type Described = Pick<Part, 'name' | 'file'>;

/** The value of a parameter of the disposition, as written; undefined when it is absent. */
function parameterOf(disposition: string, name: string): string | undefined {
  const pattern = new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i');
  const found = pattern.exec(disposition);
  return found?.[1] ?? found?.[2];
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

function fileNameOf(disposition: string): string | undefined {
  const extended = parameterOf(disposition, String.raw`filename\*`);
  const decoded = extended === undefined ? undefined : decodeExtended(extended);
  const plain = parameterOf(disposition, 'filename');
  if (decoded !== undefined) return decoded;
  if (plain !== undefined) return unescape(plain);
  return /;[ \t]*filename\*?=/i.test(disposition) ? '' : undefined;
}

function describe(headers: string): Described {
  const disposition = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im.exec(headers)?.[1];
  if (disposition === undefined) throw malformed();
  const written = parameterOf(disposition, 'name');
  const name = written === undefined ? undefined : unescape(written);
  const fileName = fileNameOf(disposition);
  if (fileName === undefined) {
    if (name === undefined) throw malformed();
    return { name, file: null };
  }
  const type = /^content-type:[ \t]*(\S.*?)[ \t]*$/im.exec(headers)?.[1];
  const contentType = type ?? 'application/octet-stream';
  return { name: name ?? '', file: { name: fileName, contentType } };
}

/** @throws BAD_REQUEST when it is not such a body, or not all of it */
export function* readMultipart(contentType: string, body: Uint8Array): Generator<Part> {
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

function* readPart(bytes: Buffer, start: number, end: number): Generator<Part> {
  const headerEnd = bytes.indexOf('\r\n\r\n', start);
  if (headerEnd === -1 || headerEnd > end || headerEnd - start > MAX_HEADER_BYTES)
    throw malformed();
  const described = describe(headersOf(bytes.subarray(start, headerEnd)));
  yield { ...described, value: bytes.subarray(Math.min(headerEnd + 4, end), end) };
}
