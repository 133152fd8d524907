import { expect, test } from 'vitest';
import { rankOf } from '#renderer/lib/writing/completion.ts';
import { bestMatches, fuzzyFilter, fuzzyScore, plain } from '#shared/text/fuzzy.ts';

const names = ['engineering', 'general', 'Ben Member', 'Zoë Ångström', 'release notes'];
const find = (query: string): readonly string[] => fuzzyFilter(query, names, (name) => name);

test('letters are found in order, with gaps', () => {
  expect(find('egrg')).toEqual(['engineering']);
});

test('case and accents do not matter, in the query and in the text', () => {
  expect(find('ZOE')).toEqual(['Zoë Ångström']);
  expect(find('ÄNGS')).toEqual(['Zoë Ångström']);
  expect(plain('Ångström')).toBe('angstrom');
});

test.each([
  ['Łukasz Ważny', ['lukasz', 'wazny']],
  ['Søren Kjærgård', ['soren', 'soeren', 'kjaergard', 'kjaergaard']],
  ['Jörg Weiß', ['jorg', 'joerg', 'weiss', 'JÖRG']],
  ['Þórður Iğdır', ['thordur', 'igdir']],
  ['Сергей Жуков', ['sergei', 'sergey', 'zhukov', 'сергей', 'Сергеи']],
  ['Хелена Юрьева', ['khelena', 'helena', 'yureva', 'iureva']],
  ['Γιώργος Χατζής', ['giorgos', 'chatzis', 'hatzis', 'γιωργος']],
  ['Conor O’Brien', ["o'brien"]],
  ['Ｊｏｈｎ', ['john']],
  ['김민준', ['김민', '기']],
])('%s is found by what a plain keyboard types', (name, typed) => {
  for (const query of typed) expect(fuzzyFilter(query, [name], (each) => each)).toEqual([name]);
  for (const query of typed) expect(rankOf(query, [name])).toBeLessThanOrEqual(1);
  expect(rankOf('xq', [name])).toBeNull();
});

test('starts of words win over letters in the middle', () => {
  expect(find('en')[0]).toBe('engineering');
  expect(find('rn')[0]).toBe('release notes');
  expect(find('bm')).toEqual(['Ben Member']);
});

test('blanks in the query do not have to be in the text', () => {
  expect(find('rel not')).toEqual(['release notes']);
});

test('what does not match at all is left out', () => {
  expect(find('xyz')).toEqual([]);
  expect(fuzzyScore('ba', 'ab')).toBeNull();
});

test('an empty query keeps everything in its order', () => {
  expect(find('  ')).toEqual(names);
});

test('the best of many are the first of all of them', () => {
  const many = Array.from({ length: 500 }, (_, n) => `${names[n % 5] ?? ''} ${String(n % 70)}`);
  const all = fuzzyFilter('en1', many, (name) => name);
  expect(all.length).toBeGreaterThan(40);
  for (const limit of [1, 7, 40]) {
    expect(bestMatches('en1', many, limit, (name) => name)).toEqual(all.slice(0, limit));
  }
});
