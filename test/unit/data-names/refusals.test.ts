import { expect, test } from 'vitest';
import { causes, type ValueType } from '#shared/api/causes.ts';
import { refusals } from '#shared/i18n/en/refusals.ts';
import { listed } from '#test/support/data-names/listed.ts';

type Types = Readonly<Record<string, ValueType>>;

/** Each way in which the values of a cause can be put into words; `{}` stands for what is free. */
const waysOf = (types: Types): readonly Readonly<Record<string, string>>[] =>
  Object.entries(types).reduce<readonly Readonly<Record<string, string>>[]>(
    (ways, [key, type]) =>
      (Array.isArray(type) ? (type as readonly string[]) : ['{}']).flatMap((value) =>
        ways.map((way) => ({ ...way, [key]: value })),
      ),
    [{}],
  );

const words: Readonly<Record<string, string | ((values: never) => string)>> = refusals;

const said = Object.entries(causes).flatMap(([code, rows]) =>
  Object.entries<Types>(rows).flatMap(([name, types]) =>
    waysOf(types).map((values) => {
      const own = words[name];
      const text = typeof own === 'function' ? own(values as never) : own;
      return `${code} ${name}: ${String(text)}`;
    }),
  ),
);

test('refusals say what programs print and look for', () => {
  expect(said.sort()).toEqual(listed('refusal-words'));
});
