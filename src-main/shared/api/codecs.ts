/**
 * Decoding of single arguments (API decisions 2.2). An argument arrives as text, or, from a JSON
 * body, as a value that is already decoded; every codec accepts both.
 */
import { z } from 'zod';
import { MESSAGE_IDS } from './bounds.ts';

const MAX_JSON_DEPTH = 20;
const MAX_LIST_LENGTH = 5000;

/** Half a character (a lone surrogate) can be written as an escape, but neither stored nor sent. */
function isAcceptable(value: unknown, depthLeft: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depthLeft === 0) return false;
  if (Array.isArray(value)) return value.every((child) => isAcceptable(child, depthLeft - 1));
  return Object.entries(value).every(
    ([key, child]) => key.isWellFormed() && isAcceptable(child, depthLeft - 1),
  );
}

/** Parses JSON within the limits of API decisions 13; `undefined` stands for text that is not such JSON. */
export function parseJson(text: string, maxLength = MAX_LIST_LENGTH): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isAcceptable(value, MAX_JSON_DEPTH)) return undefined;
  return Array.isArray(value) && value.length > maxLength ? undefined : value;
}

const isJsonString = (text: string): boolean =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"');

/** The text of a number, which may be quoted as JSON. */
function unquoted(raw: string): string {
  const trimmed = raw.trim();
  return isJsonString(trimmed) ? trimmed.slice(1, -1).trim() : trimmed;
}

function decodeInt(raw: unknown): number | undefined {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? raw : undefined;
  const digits = typeof raw === 'string' ? unquoted(raw) : '';
  if (!/^[+-]?\d{1,20}$/.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** An integer of any size; what is beyond the safe ones is only near its value, or infinite. */
function decodeLargeInt(raw: unknown): number | undefined {
  if (typeof raw === 'number') return Number.isInteger(raw) ? raw : undefined;
  const digits = typeof raw === 'string' ? unquoted(raw) : '';
  return /^[+-]?\d+$/.test(digits) ? Number(digits) : undefined;
}

function decodeBool(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw;
  if (raw === 1 || raw === 0) return raw === 1;
  if (typeof raw !== 'string') return undefined;
  const text = raw.trim().toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

function decodeList(raw: unknown, maxLength = MAX_LIST_LENGTH): readonly unknown[] | undefined {
  const value = typeof raw === 'string' ? parseJson(raw, maxLength) : raw;
  if (Array.isArray(value)) return value.length > maxLength ? undefined : value;
  if (typeof raw !== 'string' || (value !== undefined && typeof value === 'object'))
    return undefined;
  const items = raw.split(',', maxLength + 1).map((item) => item.trim());
  return items.length > maxLength ? undefined : items.filter((item) => item !== '');
}

/** What each codec accepts as JSON, for the documentation. */
const wireSchemas = new WeakMap<z.ZodType, z.ZodType>();

/** A codec without the schema around it, which takes longer than most decoding. */
export interface Decoder {
  /** Completes "expected …". */
  readonly expected: string;
  /** Undefined for what the codec does not accept. */
  readonly decode: (raw: unknown) => unknown;
}

const decoders = new WeakMap<z.ZodType, Decoder>();

/** Undefined of a schema that is no codec. */
export const decoderOf = (schema: z.ZodType): Decoder | undefined => decoders.get(schema);

/** The JSON that an argument stands for; of a schema that is no codec, what it is itself. */
export const wireSchemaOf = (schema: z.ZodType): z.ZodType => wireSchemas.get(schema) ?? schema;

/**
 * A decoder as a zod schema. The `expected` phrase completes "expected …" in the error that a caller reads;
 * `wire` is what the documentation shows as accepted.
 */
function argument<T>(
  expected: string,
  wire: z.ZodType,
  decode: (raw: unknown) => T | undefined,
): z.ZodType<T> {
  const decoded = z.unknown().transform((raw, context): T => {
    const value = decode(raw);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', message: expected, input: raw });
    return z.NEVER;
  });
  const codec = decoded.meta({ description: expected, ...wire.meta() });
  wireSchemas.set(codec, wire);
  decoders.set(codec, { expected, decode });
  return codec;
}

export const text = argument('a string', z.string(), (raw) =>
  typeof raw === 'string' ? raw : undefined,
);

/** A string that older clients quote as JSON and newer ones send bare. */
export const jsonOrRawText = argument('a string', z.string(), (raw) => {
  if (typeof raw !== 'string') return undefined;
  const parsed = isJsonString(raw) ? parseJson(raw) : undefined;
  return typeof parsed === 'string' ? parsed : raw;
});

export const int = argument('an integer', z.int(), decodeInt);
export const positiveInt = argument('a non-negative integer', z.int(), (raw) => {
  const value = decodeInt(raw);
  return value !== undefined && value >= 0 ? value : undefined;
});
export const bool = argument('true or false', z.boolean(), decodeBool);

/** One of the given words, exactly as written. */
export const oneOf = <const T extends readonly string[]>(words: T): z.ZodType<T[number]> =>
  argument(`one of ${words.join(', ')}`, z.enum(words), (raw) =>
    words.find((word) => word === raw),
  );

/** One of a few numbers. */
export const oneOfInts = <const T extends readonly number[]>(values: T): z.ZodType<T[number]> =>
  argument(`one of ${values.join(', ')}`, z.literal([...values]), (raw) => {
    const value = decodeInt(raw);
    return values.find((each) => each === value);
  });

export const stringList = argument('a list of strings', z.array(z.string()), (raw) => {
  const list = decodeList(raw);
  return list?.every((item) => typeof item === 'string') === true ? list : undefined;
});

/** Ids and other numbers as JSON or separated by commas. */
export const intList = argument('a list of integers', z.array(z.int()), (raw) => {
  const numbers = decodeList(raw)?.map((item) => decodeInt(item));
  return numbers?.every((each) => each !== undefined) === true ? numbers : undefined;
});

/** Message ids as JSON or separated by commas; longer than other lists may be (API decisions 13). */
export const messageIdList = argument(
  `a list of at most ${String(MESSAGE_IDS)} message ids`,
  z.array(z.int()),
  (raw) => {
    const ids = decodeList(raw, MESSAGE_IDS)?.map((item) => decodeInt(item));
    return ids?.every((id) => id !== undefined) === true ? ids : undefined;
  },
);

/** A list of e-mail addresses or user ids, in any mix (API decisions 7.5). */
export const principalList = argument(
  'a list of e-mail addresses or user ids',
  z.array(z.union([z.string(), z.int()])),
  (raw) => {
    const list = decodeList(raw);
    return list?.every((item) => typeof item === 'string' || Number.isSafeInteger(item)) === true
      ? (list as readonly (string | number)[])
      : undefined;
  },
);

/** JSON text, or a decoded JSON value, of the given shape. */
export const json = <T>(expected: string, schema: z.ZodType<T>): z.ZodType<T> =>
  argument(expected, schema, (raw) => {
    const value = typeof raw === 'string' ? parseJson(raw) : raw;
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : undefined;
  });

/** The anchor that stands beyond every message (API decisions 4). */
export const NEWEST_ANCHOR = 10_000_000_000_000_000;

export type Anchor = number | 'first_unread';

const anchorWords: ReadonlyMap<unknown, Anchor> = new Map<unknown, Anchor>([
  ['newest', NEWEST_ANCHOR],
  ['oldest', 0],
  ['first_unread', 'first_unread'],
]);

/** A message id or a word. Below 0 it is 0, from 2^53 on it is the sentinel (API decisions 4). */
export const anchor = argument<Anchor>(
  'a message id, newest, oldest or first_unread',
  z.union([z.int(), z.enum(['newest', 'oldest', 'first_unread'])]),
  (raw) => {
    const word = anchorWords.get(typeof raw === 'string' ? raw.replaceAll('"', '') : raw);
    if (word !== undefined) return word;
    const value = decodeLargeInt(raw);
    if (value === undefined) return undefined;
    return value >= 2 ** 53 ? NEWEST_ANCHOR : Math.max(0, value);
  },
);

/** The value as received, for arguments whose form depends on another one. */
export const anything = argument('a value', z.unknown(), (raw) => raw ?? undefined);
