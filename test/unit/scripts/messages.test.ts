import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { compileCatalogue } from '#scripts/messages/compile.ts';

const folder = join(import.meta.dirname, '../../../src-main/shared/i18n');
const own = globSync('*/*.json', { cwd: folder });

type Compiled = Readonly<Record<string, string | ((values: object) => string)>>;

async function compiled(catalogue: Readonly<Record<string, string>>): Promise<Compiled> {
  const text = await compileCatalogue(catalogue, {
    locale: 'en',
    source: 'words.json',
    options: {},
  });
  const format = pathToFileURL(join(folder, 'format.ts')).href;
  const script = stripTypeScriptTypes(text).replaceAll('../format.ts', format);
  const url = `data:text/javascript,${encodeURIComponent(script)}`;
  return ((await import(url)) as { readonly words: Compiled }).words;
}

test('finds catalogues', () => {
  expect(own).toContain('en/refusals.json');
});

test.each(own)('%s is compiled as it is', async (name) => {
  const source = join(folder, name);
  const target = source.replace(/\.json$/, '.ts');
  const module = await compileCatalogue(
    JSON.parse(readFileSync(source, 'utf8')) as Readonly<Record<string, string>>,
    {
      locale: name.split('/')[0] ?? '',
      source: basename(source),
      options: (await resolveConfig(target)) ?? {},
    },
  );
  expect(readFileSync(target, 'utf8')).toBe(module);
});

test.each([
  ["Isn't `this` $'{plain}'?", {}, "Isn't `this` ${plain}?"],
  ["''{name}'' has '{'{n}'}'", { name: 'Ops', n: 10_000 }, "'Ops' has {10000}"],
  ['{n, number} of {m, number, percent}', { n: 10_000, m: 0.5 }, '10,000 of 50%'],
  ['{n, number, ::compact-short}', { n: 12_000 }, '12K'],
  ['{d, date, ::yMMMMd}', { d: new Date(2026, 0, 2, 15, 4) }, 'January 2, 2026'],
  [
    '{d, date, long}, {d, time, short}',
    { d: new Date(2026, 0, 2, 15, 4) },
    'January 2, 2026, 3:04 PM',
  ],
  ['{k, select, a {first {n}} other {rest}}', { k: 'a', n: 7 }, 'first 7'],
  ['{k, select, a {first {n}} other {rest}}', { k: 'constructor', n: 7 }, 'rest'],
  ['{n, plural, =0 {none} one {# file} other {# files}}', { n: 0 }, 'none'],
  ['{n, plural, =0 {none} one {# file} other {# files}}', { n: 1 }, '1 file'],
  ['{n, plural, =0 {none} one {# file} other {# files}}', { n: 1200 }, '1,200 files'],
  [
    '{n, plural, offset:1 =1 {you} one {you and # other} other {you and # others}}',
    { n: 2 },
    'you and 1 other',
  ],
  ['{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { n: 22 }, '22nd'],
])('%s with %o', async (message, values, expected) => {
  const { it } = await compiled({ it: message });
  const text = typeof it === 'function' ? it(values) : it;
  expect(String(text).replaceAll(/\s/g, ' ')).toBe(expected);
});

test.each([
  ['{n', /words\.json, it: .*EXPECT_ARGUMENT_CLOSING_BRACE/],
  ['{n, plural, one {#}}', /MISSING_OTHER_CLAUSE/],
  ['{n, number, roman}', /unknown style "roman"/],
  ['{n, number} {n, date}', /\{n\} is both number and Date \| number/],
])('refuses %s', async (message, expected) => {
  await expect(compiled({ it: message })).rejects.toThrow(expected);
});
