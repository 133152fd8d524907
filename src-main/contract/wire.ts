/**
 * Arguments of an endpoint: snake_case on the wire, camelCase in code. They are decoded one by one, in the
 * order in which they are written, so that the first argument at fault is the one that is named.
 */
import type { z } from 'zod';
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

function lookUp(
  raw: Readonly<Record<string, unknown>>,
  name: string,
  aliases: readonly string[],
): unknown {
  let found: { readonly name: string; readonly value: unknown } | undefined;
  for (const candidate of [name, ...aliases]) {
    if (!Object.hasOwn(raw, candidate)) continue;
    const value = raw[candidate];
    if (found !== undefined && found.value !== value) {
      throw new ServiceError(
        'REQUEST_CONFUSING_VAR',
        `Can't decide between '${found.name}' and '${candidate}' arguments`,
        { var_name1: found.name, var_name2: candidate },
      );
    }
    found ??= { name: candidate, value };
  }
  return found?.value;
}

function decodeOne(param: Param<unknown>, name: string, raw: unknown): unknown {
  if (raw === undefined || (!param.isRequired && !param.isText && isBlank(raw))) {
    if (param.isRequired) throw variableMissing(name);
    return param.fallback;
  }
  const parsed = param.schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw variableInvalid(name, raw, parsed.error.issues[0]?.message ?? 'another value');
}

/**
 * Decodes the merged arguments of a request; unknown ones are ignored.
 * @throws REQUEST_VARIABLE_MISSING, REQUEST_VARIABLE_INVALID, REQUEST_CONFUSING_VAR (section 2.2 and 2.4)
 */
export function decodeParams<F extends Fields>(
  params: Wire<F>,
  raw: Readonly<Record<string, unknown>>,
): Decoded<F> {
  const decoded: Record<string, unknown> = {};
  for (const [key, param] of Object.entries(params.fields)) {
    const name = wireName(key);
    decoded[key] = decodeOne(param, name, lookUp(raw, name, params.aliases[name] ?? []));
  }
  return decoded as Decoded<F>;
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
