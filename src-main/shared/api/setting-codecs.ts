/** What endpoints take and answer of settings, and what clients read. */
import { z } from 'zod';
import { bool, int, jsonOrRawText, oneOfInts, positiveInt } from './codecs.ts';
import type { Given, Setting, SettingTable, Settings, SettingType, ValuesOf } from './setting.ts';
import { optional, type Param, wire } from './wire.ts';

interface Codecs {
  readonly argument: Param<unknown>;
  /** As answers have it. */
  readonly answer: z.ZodType;
  /** As a client reads it, of newer services too. */
  readonly told: z.ZodType;
}

const count = z.number().min(0);
const asText = optional(jsonOrRawText, 'text');
const asInt = optional(int);
const asCount = optional(positiveInt);

const codecs: Readonly<Record<SettingType, Codecs>> = {
  flag: { argument: optional(bool), answer: z.boolean(), told: z.boolean() },
  text: { argument: asText, answer: z.string(), told: z.string() },
  'text or none': {
    argument: asText,
    answer: z.string().nullable(),
    told: z.string().nullable(),
  },
  choice: { argument: asCount, answer: z.int(), told: z.int() },
  number: {
    argument: asCount,
    answer: z.int(),
    // Newer services have null for what has no limit.
    told: count.nullable().transform((value) => value ?? 0),
  },
  'number or none': { argument: asInt, answer: z.int().nullable(), told: count.nullable() },
  'number or default': { argument: asCount, answer: z.int(), told: count },
  id: { argument: asInt, answer: z.int(), told: z.int() },
};

const argumentOf = ({ type, of }: Setting): Param<unknown> =>
  of === undefined ? codecs[type].argument : optional(oneOfInts(of));

type Params<S extends Settings> = { readonly [K in keyof S]: Param<Given<S[K]> | undefined> };
type Answers<S extends Settings> = {
  [K in keyof S]: z.ZodOptional<z.ZodType<ValuesOf<S>[K], ValuesOf<S>[K]>>;
};

const mapped = <T>(settings: Settings, of: (setting: Setting) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(settings).map(([key, each]) => [key, of(each)]));

/** The arguments that change settings. */
export const settingParams = <S extends Settings>({ settings }: SettingTable<S>) =>
  wire(mapped(settings, argumentOf) as Params<S>);

/** The answer: those that were really changed. */
export const settingAnswer = <S extends Settings>({ settings }: SettingTable<S>) =>
  z.object(mapped(settings, ({ type }) => codecs[type].answer.optional()) as Answers<S>);

/** The settings with what was told of them; the same object where that says nothing new, or nothing that can be read. */
export function withTold<S extends Settings, T extends ValuesOf<S>>(
  { settings }: SettingTable<S>,
  values: T,
  told: Readonly<Record<string, unknown>>,
): T {
  let changed = values;
  for (const [key, { type }] of Object.entries(settings)) {
    if (!Object.hasOwn(told, key)) continue;
    const read = codecs[type].told.safeParse(told[key]);
    if (read.success && read.data !== changed[key]) changed = { ...changed, [key]: read.data };
  }
  return changed;
}
