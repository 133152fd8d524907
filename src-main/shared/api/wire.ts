/**
 * Arguments of an endpoint: snake_case on the wire, camelCase in code but for settings, which have one name everywhere. They are decoded one by one, in the
 * order in which they are written, so that the first argument at fault is the one that is named.
 */
import type { z } from 'zod';
import { decoderOf } from './codecs.ts';
import { ServiceError, variableInvalid, variableMissing } from './errors.ts';

/** One argument. `fallback` is a function because a missing argument may still be an error. */
export interface Param<T> {
  readonly schema: z.ZodType<T>;
  readonly isRequired: boolean;
  /** Text is taken literally; of other types `null`, `undefined` and empty text mean "absent". */
  readonly isText: boolean;
  readonly fallback: T | undefined;
}

type Fields = Readonly<Record<string, Param<unknown>>>;
export type Decoded<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Param<infer T> ? T : never;
};

type Kind = 'text' | 'value';

export const required = <T>(schema: z.ZodType<T>, kind: Kind = 'value'): Param<T> => ({
  schema,
  isRequired: true,
  isText: kind === 'text',
  fallback: undefined,
});

export const optional = <T>(schema: z.ZodType<T>, kind: Kind = 'value'): Param<T | undefined> => ({
  schema,
  isRequired: false,
  isText: kind === 'text',
  fallback: undefined,
});

export const withDefault = <T>(schema: z.ZodType<T>, fallback: T): Param<T> => ({
  schema,
  isRequired: false,
  isText: false,
  fallback,
});

export interface Wire<F extends Fields> {
  readonly fields: F;
  /** Other names by which an argument is accepted: wire name to its aliases. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
}

export const wire = <F extends Fields>(
  fields: F,
  aliases: Readonly<Record<string, readonly string[]>> = {},
): Wire<F> => ({ fields, aliases });

const wireNames = new Map<string, string>();

/** `numBefore` to `num_before`. Names come from the endpoint table: they are few, and asked for with every request. */
export function wireName(name: string): string {
  const known = wireNames.get(name);
  if (known !== undefined) return known;
  const converted = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  wireNames.set(name, converted);
  return converted;
}

const isBlank = (raw: unknown): boolean =>
  raw === null || raw === '' || raw === 'null' || raw === 'undefined';

interface FoundArgument {
  readonly name: string;
  readonly value: unknown;
}

function findAmong(
  raw: Readonly<Record<string, unknown>>,
  names: readonly string[],
): FoundArgument | undefined {
  let found: FoundArgument | undefined;
  for (const name of names) {
    if (!Object.hasOwn(raw, name)) continue;
    const value = raw[name];
    if (found !== undefined && found.value !== value) {
      throw new ServiceError(
        'REQUEST_CONFUSING_VAR',
        `Can't decide between '${found.name}' and '${name}' arguments`,
        { var_name1: found.name, var_name2: name },
      );
    }
    found ??= { name, value };
  }
  return found;
}

/** What is looked up and decoded with every request, worked out once for each endpoint. */
interface Field {
  readonly key: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly param: Param<unknown>;
  readonly decode: (raw: unknown) => unknown;
}

function decoderFor({ schema }: Param<unknown>, name: string): Field['decode'] {
  const decoder = decoderOf(schema);
  if (decoder === undefined) {
    return (raw) => {
      const parsed = schema.safeParse(raw);
      if (parsed.success) return parsed.data;
      throw variableInvalid(name, raw, parsed.error.issues[0]?.message ?? 'another value');
    };
  }
  const { decode, expected } = decoder;
  return (raw) => {
    const value = decode(raw);
    if (value === undefined) throw variableInvalid(name, raw, expected);
    return value;
  };
}

interface Form {
  readonly fields: readonly Field[];
  /** All of them absent. A copy has its shape at once, where an object that is filled one by one changes it each time. */
  readonly empty: Readonly<Record<string, undefined>>;
}

const formByWire = new WeakMap<Wire<Fields>, Form>();

function formOf(params: Wire<Fields>): Form {
  const known = formByWire.get(params);
  if (known !== undefined) return known;
  const fields = Object.entries(params.fields).map(([key, param]): Field => {
    const name = wireName(key);
    const names = [name, ...(params.aliases[name] ?? [])];
    return { key, name, names, param, decode: decoderFor(param, name) };
  });
  const empty = Object.fromEntries(fields.map(({ key }) => [key, undefined]));
  const form = { fields, empty };
  formByWire.set(params, form);
  return form;
}

function decodeField(
  { name, names, param, decode }: Field,
  raw: Readonly<Record<string, unknown>>,
): unknown {
  const value = names.length === 1 ? raw[name] : findAmong(raw, names)?.value;
  if (value === undefined || (!param.isRequired && !param.isText && isBlank(value))) {
    if (param.isRequired) throw variableMissing(name);
    return param.fallback;
  }
  return decode(value);
}

/**
 * Decodes the merged arguments of a request; unknown ones are ignored.
 * @throws REQUEST_VARIABLE_MISSING, REQUEST_VARIABLE_INVALID, REQUEST_CONFUSING_VAR (API decisions 2.2 and 2.4)
 */
export function decodeParams<F extends Fields>(
  params: Wire<F>,
  raw: Readonly<Record<string, unknown>>,
): Decoded<F> {
  const { fields, empty } = formOf(params);
  const decoded: Record<string, unknown> = { ...empty };
  for (const field of fields) decoded[field.key] = decodeField(field, raw);
  return decoded as Decoded<F>;
}

/** Arguments whose form fields somebody has made to look at them. */
export class EncodedArguments {
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    this.fields = fields;
  }
}

/** The arguments of a request as form fields; absent ones are left out. */
export function encodeParams(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    fields[wireName(key)] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  return fields;
}
