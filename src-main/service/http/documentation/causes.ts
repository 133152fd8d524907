/** The causes of refusals for the documentation, from their table and the catalogue of their words. */
import { causes, type ValueType } from '#shared/api/causes.ts';
import { refusals } from '#shared/i18n/en/refusals.ts';

export interface CauseDescription {
  readonly name: string;
  readonly code: string;
  /** Names and types. */
  readonly values: readonly (readonly [string, string])[];
  /** Free values stand in it by their names; of the others each has its first. */
  readonly words: string;
}

type Types = Readonly<Record<string, ValueType>>;

const isChoice = (type: ValueType): type is readonly string[] => Array.isArray(type);

function typeOf(type: ValueType): string {
  if (typeof type === 'string') return type;
  return isChoice(type) ? type.join(' | ') : `list of ${type.each.join(' | ')}`;
}

const words: Readonly<Record<string, string | ((values: never) => string)>> = refusals;

function wordsOf(name: string, types: Types): string {
  const own = words[name] ?? '';
  const named = Object.entries(types).map(([key, type]) => [
    key,
    isChoice(type) ? type[0] : `{${key}}`,
  ]);
  return typeof own === 'string' ? own : own(Object.fromEntries(named) as never);
}

export const describeCauses = (): readonly CauseDescription[] =>
  Object.entries(causes).flatMap(([code, rows]) =>
    Object.entries<Types>(rows).map(([name, types]) => ({
      name,
      code,
      values: Object.entries(types).map(([key, type]) => [key, typeOf(type)] as const),
      words: wordsOf(name, types),
    })),
  );
