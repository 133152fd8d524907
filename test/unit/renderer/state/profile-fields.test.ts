import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  answersOf,
  choicesFromLines,
  choicesOnWire,
  movedBy,
} from '#renderer/state/profile-fields.ts';

const field = (id: number, type: number, choices: readonly string[] = []) => ({
  ...{ id, type, name: `field ${String(id)}`, hint: '' },
  choices: choices.map((text, at) => ({ value: String(at), text })),
});

test.each([
  [1, 'red', { kind: 'text', text: 'red' }],
  [2, 'two\nlines', { kind: 'text', text: 'two\nlines' }],
  [3, '1', { kind: 'text', text: 'vim' }],
  [3, '9', null],
  [4, '2020-02-29', { kind: 'text', text: 'February 29, 2020' }],
  [4, 'soon', { kind: 'text', text: 'soon' }],
  [5, 'https://a.example', { kind: 'link', url: 'https://a.example' }],
  [6, '[9,10]', { kind: 'people', userIds: [9, 10] }],
  [6, '[]', null],
  [6, 'nobody', null],
  [7, 'of a newer service', { kind: 'text', text: 'of a newer service' }],
  [1, '', null],
])('an answer to a field of type %i, %j, is shown as what it means', (type, value, answer) => {
  const asked = field(4, type, ['emacs', 'vim']);
  const shown = answersOf({ profile: { 4: value } }, [asked], 'en-US');
  expect(shown).toEqual(answer === null ? [] : [{ field: asked, answer }]);
});

test('answers stand in the order of the fields, and those to fields that are gone nowhere', () => {
  const fields = [field(5, 1), field(2, 1), field(3, 1)];
  const profile = { 2: 'b', 5: 'e', 7: 'gone' };
  expect(answersOf({ profile }, fields, 'en').map(({ field: { id } }) => id)).toEqual([5, 2]);
});

const before = ['red', 'green', 'blue'].map((text, at) => ({ value: String(at), text }));

test.each([
  ['red\ngreen\nblue', ['0 red', '1 green', '2 blue']],
  ['blue\nred\ngreen', ['2 blue', '0 red', '1 green']],
  ['red\nblue', ['0 red', '2 blue']],
  ['red\n\n  green \nblue\ngreen\npink', ['0 red', '1 green', '2 blue', '3 pink']],
  // Written anew in its place: what people chose stays chosen.
  ['red\nlime\nblue', ['0 red', '1 lime', '2 blue']],
  ['pink\nblue', ['3 pink', '2 blue']],
])('%j is read as choices that keep what stands for them', (lines, choices) => {
  expect(choicesFromLines(lines, before).map(({ value, text }) => `${value} ${text}`)).toEqual(
    choices,
  );
});

test('no two choices stand for the same, and each is one that the service takes', () => {
  const line = fc.constantFrom('a', 'b', 'c', 'd', 'e', ' ', '');
  const lines = fc.array(line, { maxLength: 8 }).map((all) => all.join('\n'));
  fc.assert(
    fc.property(lines, lines, (first, second) => {
      const choices = choicesFromLines(second, choicesFromLines(first, []));
      expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length);
      expect(choices.every(({ value }) => /^[A-Za-z0-9]{1,30}$/.test(value))).toBe(true);
      expect(
        Object.values(choicesOnWire(choices))
          .map(({ order }) => Number(order))
          .sort(),
      ).toEqual(choices.map((_, at) => at + 1));
    }),
  );
});

test('a field changes places with its neighbour, and nothing moves beyond the ends', () => {
  expect(movedBy([1, 2, 3], 2, -1)).toEqual([2, 1, 3]);
  expect(movedBy([1, 2, 3], 2, 1)).toEqual([1, 3, 2]);
  const ids = [1, 2, 3];
  expect(movedBy(ids, 1, -1)).toBe(ids);
  expect(movedBy(ids, 3, 1)).toBe(ids);
  expect(movedBy(ids, 7, 1)).toBe(ids);
});
