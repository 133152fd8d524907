/** Settings as tables: what an endpoint takes and answers, what holds by default and what a client reads follow from them. */
import { z } from 'zod';
import type { Access } from './endpoint.ts';
import { bool, jsonOrRawText, oneOfInts } from './codecs.ts';
import { optional, type Param, wire } from './wire.ts';

interface Place {
  /** The part of the settings page that has its control; absent where a page has it by itself. */
  readonly section?: string;
  /** The switch without which it means nothing. */
  readonly onlyWith?: string;
  /** Settings of a group that change together are told in one event. */
  readonly group?: 'default';
}

export interface Setting<T, A = T> extends Place {
  readonly argument: Param<A | undefined>;
  /** As answers have it. */
  readonly answer: z.ZodType<T, T>;
  /** As a client reads it, of newer services too. */
  readonly told: z.ZodType<T>;
  readonly initial: T;
}

export type Settings = Readonly<Record<string, Setting<unknown, unknown>>>;

/** By their names on the wire, which they have everywhere. */
export type ValuesOf<S extends Settings> = {
  readonly [K in keyof S]: S[K]['initial'];
};

type Kind<T, A = T> = <const P extends Place = object>(initial: T, place?: P) => Setting<T, A> & P;

function kind<T, A = T>(
  argument: Param<A | undefined>,
  answer: z.ZodType<T, T>,
  told: z.ZodType<T> = answer,
): Kind<T, A> {
  // Without a place there is nothing in it, which the types do not follow.
  return <const P extends Place>(initial: T, place?: P) =>
    ({ argument, answer, told, initial, ...place }) as Setting<T, A> & P;
}

export const flag = kind(optional(bool), z.boolean());
export const text = kind(optional(jsonOrRawText, 'text'), z.string());
/** One of a few numbers. */
export const choice = <const V extends readonly number[]>(values: V): Kind<number, V[number]> =>
  kind<number, V[number]>(optional(oneOfInts(values)), z.int());

type Arguments<S extends Settings> = { readonly [K in keyof S]: S[K]['argument'] };
type Answers<S extends Settings> = { [K in keyof S]: z.ZodOptional<S[K]['answer']> };

const mapped = <T>(settings: Settings, of: (setting: Settings[string]) => T) =>
  Object.fromEntries(Object.entries(settings).map(([key, each]) => [key, of(each)]));

/** @param access  who may change them */
export const settingTable = <const S extends Settings>(access: Access, settings: S) => ({
  access,
  settings,
  params: wire(mapped(settings, ({ argument }) => argument) as Arguments<S>),
  /** Those that were really changed. */
  answer: z.object(mapped(settings, ({ answer }) => answer.optional()) as Answers<S>),
  defaults: mapped(settings, ({ initial }) => initial) as ValuesOf<S>,
});

export type KeysIn<S extends Settings, N extends string> = {
  [K in keyof S]: S[K] extends { readonly section: N } ? K : never;
}[keyof S];

/** Those of a part of the settings page, in their order. */
export const keysIn = <S extends Settings, N extends string>(
  settings: S,
  section: N,
): readonly KeysIn<S, N>[] =>
  Object.keys(settings).filter((key) => settings[key]?.section === section) as KeysIn<S, N>[];

/** The settings with what was told of them; the same object where that says nothing new, or nothing that can be read. */
export function withTold<S extends Settings, T extends ValuesOf<S>>(
  settings: S,
  values: T,
  told: Readonly<Record<string, unknown>>,
): T {
  let changed = values;
  for (const [key, { told: codec }] of Object.entries(settings)) {
    if (!Object.hasOwn(told, key)) continue;
    const read = codec.safeParse(told[key]);
    if (read.success && read.data !== changed[key]) changed = { ...changed, [key]: read.data };
  }
  return changed;
}
