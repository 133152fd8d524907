/**
 * Parts of a multipart/form-data body (RFC 7578), whole or as it comes. Written here because a field has
 * to be taken as it is: libraries replace invalid UTF-8, parse JSON parts and refuse names like `toString`.
 */
import { refusal } from '#shared/api/refusal.ts';
import { freeBytes } from '#node/files/free-bytes.ts';
import type { FileEvent } from '../core/ports/handlers.ts';

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

const nothing = new Uint8Array();

const malformed = (): Error => refusal('multipart_malformed');

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
    throw refusal('parameters_not_utf8');
  }
}

type DescribedPart = Pick<Part, 'name' | 'file'>;

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
    throw refusal('too_many_part_headers', { limit: MAX_HEADERS });
  }
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function describe(text: string): DescribedPart {
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

/** A part begins with its description; its value follows, in as many pieces as it came in, and then its end. */
type MultipartEvent =
  | { readonly kind: 'part'; readonly part: DescribedPart }
  | { readonly kind: 'value'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

const isBlank = (bytes: Buffer): boolean => /^[ \t]*$/.test(bytes.toString('latin1'));

/** Takes a body piece by piece; holds no more of it than the headers of one part, or a delimiter that may have begun. */
class MultipartParser {
  readonly #delimiter: Buffer;
  #state: 'preamble' | 'delimiter' | 'headers' | 'value' | 'over' = 'preamble';
  /** What has come and is not understood yet. */
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of `#rest` that belong to the headers before it, as the line break of a delimiter does that follows them at once. */
  #skip = 0;
  #isFirst = true;
  #parts = 0;
  #room = MAX_HEADER_BYTES;

  constructor(contentType: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  }

  /** The bytes of an event are good until the next one. @throws BAD_REQUEST */
  *read(piece: Buffer): Generator<MultipartEvent> {
    const joined = this.#rest.length === 0 ? undefined : Buffer.concat([this.#rest, piece]);
    this.#rest = joined ?? piece;
    yield* this.#understand();
    // Whoever gave the piece may put the next one in its place.
    this.#rest = Buffer.from(this.#rest);
    if (joined !== undefined) freeBytes(joined);
  }

  *#understand(): Generator<MultipartEvent> {
    for (;;) {
      const before = this.#state;
      if (before === 'over') return;
      if (before === 'preamble') this.#readPreamble();
      else if (before === 'delimiter') this.#readDelimiter();
      else if (before === 'headers') yield* this.#readHeaders();
      else yield* this.#readValue();
      if (this.#state === before) return;
    }
  }

  /** @throws BAD_REQUEST where more had to come */
  end(): void {
    if (this.#state !== 'over') throw malformed();
  }

  /** The first delimiter may stand at the very beginning, without the line break before it. */
  #readPreamble(): void {
    const bare = this.#delimiter.subarray(2);
    if (this.#isFirst) {
      if (this.#rest.length < bare.length) return;
      this.#isFirst = false;
      if (this.#rest.subarray(0, bare.length).equals(bare)) {
        this.#goOn('delimiter', bare.length);
        return;
      }
    }
    const at = this.#rest.indexOf(this.#delimiter);
    if (at === -1) this.#keepTail();
    else this.#goOn('delimiter', at + this.#delimiter.length);
  }

  /** What follows a delimiter says whether it was the last. */
  #readDelimiter(): void {
    if (this.#rest.length < 2) return;
    if (this.#rest.toString('latin1', 0, 2) === '--') {
      this.#state = 'over';
      return;
    }
    const end = this.#rest.indexOf('\r\n');
    // The last byte may be half of a line break.
    if (!isBlank(this.#rest.subarray(0, end === -1 ? -1 : end))) throw malformed();
    if (end === -1) {
      this.#checkHeaderBytes(this.#rest.length);
      return;
    }
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) {
      throw refusal('too_many_body_parts', { limit: MAX_PARTS });
    }
    // The line break stays: it may begin a delimiter.
    this.#goOn('headers', end);
  }

  /** The blank line behind the headers may end with the line break of the next delimiter. */
  *#readHeaders(): Generator<MultipartEvent> {
    const blank = this.#rest.indexOf('\r\n\r\n', 2);
    const next = this.#rest.indexOf(this.#delimiter);
    if (next !== -1 && (blank === -1 || next < blank + 2)) throw malformed();
    this.#checkHeaderBytes((blank === -1 ? this.#rest.length : blank) - 2);
    if (blank === -1) return;
    this.#room -= blank - 2;
    const part = describe(headersOf(this.#rest.subarray(2, blank)));
    this.#goOn('value', blank + 2);
    this.#skip = 2;
    yield { kind: 'part', part };
  }

  *#readValue(): Generator<MultipartEvent> {
    const at = this.#rest.indexOf(this.#delimiter);
    const end = at === -1 ? this.#rest.length - this.#delimiter.length + 1 : at;
    const hasValue = end > this.#skip;
    if (hasValue) {
      const bytes = this.#rest.subarray(this.#skip, end);
      this.#rest = this.#rest.subarray(end);
      this.#skip = 0;
      yield { kind: 'value', bytes };
    }
    if (at === -1) return;
    this.#goOn('delimiter', (hasValue ? 0 : at) + this.#delimiter.length);
    yield { kind: 'end' };
  }

  #goOn(state: 'delimiter' | 'headers' | 'value', from: number): void {
    this.#state = state;
    this.#rest = this.#rest.subarray(from);
  }

  #keepTail(): void {
    this.#rest = this.#rest.subarray(Math.max(0, this.#rest.length - this.#delimiter.length + 1));
  }

  #checkHeaderBytes(length: number): void {
    if (length <= this.#room) return;
    throw refusal('part_headers_too_long', { limit: MAX_HEADER_BYTES });
  }
}

/** @throws BAD_REQUEST when it is not such a body, or not all of it, or has too many parts or headers */
export function* readMultipart(contentType: string, body: Uint8Array): Generator<Part> {
  if (body.length === 0) return;
  const parser = new MultipartParser(contentType);
  let open: DescribedPart | undefined;
  let value: Uint8Array = nothing;
  for (const event of parser.read(Buffer.from(body.buffer, body.byteOffset, body.byteLength))) {
    if (event.kind === 'part') [open, value] = [event.part, nothing];
    // Of a whole body a value is one piece.
    else if (event.kind === 'value') value = event.bytes;
    else if (open !== undefined) yield { ...open, value };
  }
  parser.end();
}

/** The files of a body as it comes; its fields are passed over. @throws BAD_REQUEST as `readMultipart` does */
export async function* readMultipartFiles(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<FileEvent> {
  let parser: MultipartParser | undefined;
  let isFile = false;
  for await (const piece of body) {
    parser ??= new MultipartParser(contentType);
    for (const event of parser.read(Buffer.from(piece.buffer, piece.byteOffset, piece.length))) {
      if (event.kind === 'part') {
        const { file } = event.part;
        isFile = file !== null;
        if (file !== null)
          yield { kind: 'file', fileName: file.name, contentType: file.contentType };
      } else if (event.kind === 'value' && isFile) yield event;
    }
  }
  parser?.end();
}
