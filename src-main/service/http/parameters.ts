/** Where the arguments of a request come from (API decisions 2.1). */
import { parseJson } from '#shared/api/codecs.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { UploadedFile } from '../core/ports/handlers.ts';
import { readMultipart } from './multipart.ts';

/** Inherits nothing: a parameter named `__proto__` or `toString` is one like any other. */
export type Parameters = Record<string, unknown>;

/** An object without any prototype would be a table from the start: ten times as large, and one is made for each request. */
const NoParameters = function () {
  // Has none yet.
} as unknown as new () => Parameters;
NoParameters.prototype = Object.freeze(Object.create(null)) as Parameters;

export interface Sources {
  /** What follows the `?`, as received; empty without one. */
  readonly query: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** A payload in JSON is not a set of arguments where the body is handed over as it is. */
  readonly isJsonRead: boolean;
  /** Takes the file parts of a multipart body; without it they are passed over. */
  readonly files?: UploadedFile[];
}

const MAX_PARAMETERS = 1000;
const MAX_FILES = 100;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw refusal('parameters_not_utf8');
  }
}

const isWithoutEscapes = (text: string): boolean => !/[%+]/.test(text);

function decodeComponent(text: string): string {
  if (isWithoutEscapes(text)) return text;
  try {
    // Throws on a malformed escape and on escapes that are not UTF-8.
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw refusal('percent_encoding_malformed');
  }
}

/** Collects parameters from all sources; of repeated names the last value stays. */
export class ParameterReader {
  readonly values = new NoParameters();
  #count = 0;

  add(name: string, value: unknown): void {
    this.#count++;
    if (this.#count > MAX_PARAMETERS) {
      throw refusal('too_many_parameters', { limit: MAX_PARAMETERS });
    }
    this.values[name] = value;
  }

  addUrlencoded(text: string, isPlain = isWithoutEscapes(text)): void {
    for (let start = 0; start < text.length;) {
      const found = text.indexOf('&', start);
      const end = found === -1 ? text.length : found;
      if (end > start) this.#addPair(text.slice(start, end), isPlain);
      start = end + 1;
    }
  }

  #addPair(pair: string, isPlain: boolean): void {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : pair.slice(equals + 1);
    if (isPlain) this.add(name, value);
    else this.add(decodeComponent(name), decodeComponent(value));
  }

  /** @param body  one JSON object; a member that is not a string counts as decoded */
  addJson(body: Uint8Array): void {
    if (body.length === 0) return;
    const object = parseJson(decodeUtf8(body));
    if (typeof object !== 'object' || object === null || Array.isArray(object)) {
      throw refusal('json_object_expected');
    }
    for (const [name, value] of Object.entries(object)) this.add(name, value);
  }
}

function addMultipart(reader: ParameterReader, { contentType, body, files }: Sources): void {
  for (const { name, value, file } of readMultipart(contentType, body)) {
    if (file === null) reader.add(name, decodeUtf8(value));
    else if (files !== undefined) {
      if (files.length >= MAX_FILES) throw refusal('too_many_files', { limit: MAX_FILES });
      files.push({
        partName: name,
        fileName: file.name,
        contentType: file.contentType,
        bytes: value,
      });
    }
  }
}

const mediaTypeOf = (contentType: string): string =>
  (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

export const isMultipart = (contentType: string): boolean =>
  mediaTypeOf(contentType) === 'multipart/form-data';

/** Whether its fields are arguments even where JSON is handed over as it is. */
export const isForm = (contentType: string): boolean =>
  ['application/x-www-form-urlencoded', 'multipart/form-data'].includes(mediaTypeOf(contentType));

/** The `api_key` in what has come of a form that goes on; undefined where it is not in it. */
export function keyInForm(contentType: string, begun: Uint8Array): string | undefined {
  if (!isMultipart(contentType)) {
    const whole = begun.subarray(0, Math.max(0, begun.lastIndexOf(0x26)));
    const key = readParameters({ query: '', contentType, body: whole, isJsonRead: false })[
      'api_key'
    ];
    return typeof key === 'string' ? key : undefined;
  }
  try {
    for (const { name, value, file } of readMultipart(contentType, begun)) {
      if (name === 'api_key' && file === null) return decodeUtf8(value);
    }
  } catch {
    // The part that goes on; those before it are read.
  }
  return undefined;
}

function addBody(reader: ParameterReader, sources: Sources): void {
  const { contentType, body, isJsonRead } = sources;
  const mediaType = mediaTypeOf(contentType);
  if (mediaType === 'application/x-www-form-urlencoded') reader.addUrlencoded(decodeUtf8(body));
  else if (mediaType === 'multipart/form-data') addMultipart(reader, sources);
  else if (mediaType === 'application/json' && isJsonRead) reader.addJson(body);
}

function addQuery(reader: ParameterReader, query: string): void {
  if (query === '') return;
  // One look says that there is nothing to decode, as in nearly every fetch of events.
  if (/^[\0-$&-*,-\x7f]*$/.test(query)) reader.addUrlencoded(query, true);
  // Node hands the bytes of the request line over as Latin-1.
  else reader.addUrlencoded(decodeUtf8(Buffer.from(query, 'latin1')));
}

/**
 * The arguments of a request, those of its path excepted: query string first, so that the body wins.
 * @throws BAD_REQUEST for what is malformed, INVALID_JSON
 */
export function readParameters(sources: Sources): Parameters {
  const reader = new ParameterReader();
  addQuery(reader, sources.query);
  if (sources.contentType !== '') addBody(reader, sources);
  return reader.values;
}
