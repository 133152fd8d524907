/** Settings as tables: what an endpoint takes and answers, what holds by default and what a page shows follow from them. */
import type { Access } from './endpoint.ts';

/** What a setting of a type is, and what an argument may give for it. */
interface Types {
  readonly flag: { value: boolean; given: boolean };
  readonly text: { value: string; given: string };
  /** Given as empty text for none. */
  readonly 'text or none': { value: string | null; given: string };
  /** One of a few numbers. */
  readonly choice: { value: number; given: number };
  /** Not negative; 0 for no limit. */
  readonly number: { value: number; given: number };
  /** Given below 0 for none. */
  readonly 'number or none': { value: number | null; given: number };
  /** Where nobody chose one, the installation says. */
  readonly 'number or default': { value: number | null; given: number };
  /** -1 for none. */
  readonly id: { value: number; given: number };
}
export type SettingType = keyof Types;

export type Setting = {
  readonly [T in SettingType]: {
    readonly type: T;
    readonly initial: Types[T]['value'];
    /** Of a choice. */
    readonly of?: readonly number[];
    /** Of a number. */
    readonly least?: number;
    readonly most?: number;
    /** The part of the settings page that has its control; absent where a page has it by itself, or none has it. */
    readonly section?: string;
    /** The switch without which it means nothing. */
    readonly onlyWith?: string;
    /** Settings of a group that change together are told in one event. */
    readonly group?: 'default';
  };
}[SettingType];

/** By their names on the wire, which they have everywhere. */
export type Settings = Readonly<Record<string, Setting>>;

export interface SettingTable<S extends Settings = Settings> {
  /** Who may change them. */
  readonly access: Access;
  readonly settings: S;
}

export type ValuesOf<S extends Settings> = {
  readonly [K in keyof S]: Types[S[K]['type']]['value'];
};

export type Given<S extends Setting> = S extends { readonly of: readonly (infer V)[] }
  ? V
  : Types[S['type']]['given'];

export const defaultsOf = <S extends Settings>({ settings }: SettingTable<S>): ValuesOf<S> =>
  Object.fromEntries(
    Object.entries(settings).map(([key, { initial }]) => [key, initial]),
  ) as ValuesOf<S>;

export type KeysIn<S extends Settings, N extends string> = {
  [K in keyof S]: S[K] extends { readonly section: N } ? K : never;
}[keyof S];

/** Those of a part of the settings page, in their order. */
export const keysIn = <S extends Settings, N extends string>(
  { settings }: SettingTable<S>,
  section: N,
): readonly KeysIn<S, N>[] =>
  Object.keys(settings).filter((key) => settings[key]?.section === section) as KeysIn<S, N>[];
