import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProfileFieldRow } from '#service/db/port.ts';
import {
  checkAnswer,
  fieldDataOf,
  fieldsShape,
  keepsAnswer,
  profilesOf,
} from '#service/features/people/rules/profile.ts';

const field = (type: number, field_data = ''): ProfileFieldRow => ({
  id: 1,
  name: 'Field',
  type,
  hint: '',
  field_data,
  position: 7,
});

const isPerson = (id: number): boolean => id >= 1 && id <= 5;
const accepts = (type: number, value: unknown): boolean => {
  try {
    return checkAnswer(field(type), value, isPerson) !== null;
  } catch {
    return false;
  }
};

describe('an answer', () => {
  test.each([undefined, null, '', ' \n', []])(
    '%j takes the answer away, whatever the type',
    (raw) => {
      for (const type of [1, 2, 3, 4, 5, 6]) {
        expect(checkAnswer(field(type), raw, isPerson)).toBeNull();
      }
    },
  );

  test('a date is accepted exactly where the calendar has it', () => {
    const part = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(part(2400), part(13), part(32), (year, month, day) => {
        const written = [String(year).padStart(4, '0'), month, day]
          .map((each) => String(each).padStart(2, '0'))
          .join('-');
        const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
        const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        expect(accepts(4, written)).toBe(day >= 1 && day <= (lengths[month - 1] ?? 0));
      }),
    );
  });

  test('people are accepted exactly where all of them are there, each kept once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: 7 }), { minLength: 1 }), (ids) => {
        expect(accepts(6, ids)).toBe(ids.every(isPerson));
        if (!ids.every(isPerson)) return;
        const stored = checkAnswer(field(6), ids, isPerson) ?? '';
        expect(JSON.parse(stored)).toEqual([...new Set(ids)]);
        expect(checkAnswer(field(6), stored, isPerson)).toBe(stored);
      }),
    );
  });

  test('characters are counted, not their halves', () => {
    expect(accepts(1, '😀'.repeat(50))).toBe(true);
    expect(accepts(1, '😀'.repeat(51))).toBe(false);
    expect(accepts(2, '😀'.repeat(500))).toBe(true);
    expect(accepts(2, 'a\0b')).toBe(false);
  });

  test('a number is the text of it', () => {
    expect(checkAnswer(field(1), 12, isPerson)).toBe('12');
    const numbered = fieldDataOf(3, { '0': { text: 'None', order: 1 } });
    expect(checkAnswer(field(3, numbered), 0, isPerson)).toBe('0');
  });

  test.each([
    ['http://example.com', true],
    ['https://example.com/a?b#c', true],
    ['ftp://example.com', false],
    ['https://exa mple.com', false],
    ['https://', false],
    [`https://example.com/${'x'.repeat(2000)}`, false],
  ])('the web address %s: %s', (address, isAccepted) => {
    expect(accepts(5, address)).toBe(isAccepted);
  });

  test('a field of an unknown type accepts no answer', () => {
    expect(accepts(9, 'x')).toBe(false);
  });
});

test('choices are kept while they are there, and answers of other types always', () => {
  const data = fieldDataOf(3, { a: { text: 'A', order: '1' } });
  expect(keepsAnswer(3, data)('a')).toBe(true);
  expect(keepsAnswer(3, data)('toString')).toBe(false);
  expect(keepsAnswer(1, '')('anything')).toBe(true);
});

test('a field has at most a hundred choices', () => {
  const choices = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`c${String(index)}`, { text: 'x', order: 1 }]),
    );
  expect(Object.keys(JSON.parse(fieldDataOf(3, choices(100))) as object)).toHaveLength(100);
  expect(() => fieldDataOf(3, choices(101))).toThrow('choices');
});

test('fields are numbered as they follow each other, whatever their positions are', () => {
  const rows = [field(1), { ...field(2), id: 2, position: 9 }];
  expect(fieldsShape(rows).map(({ id, order }) => [id, order])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('everybody has their own answers', () => {
  const row = (account_id: number, field_id: number, rendered: string | null) => ({
    account_id,
    field_id,
    value: 'v',
    rendered,
  });
  const profileOf = profilesOf([row(1, 1, null), row(1, 2, '<p>v</p>'), row(2, 1, null)]);
  expect(profileOf(1)).toEqual({
    '1': { value: 'v' },
    '2': { value: 'v', rendered_value: '<p>v</p>' },
  });
  expect(profileOf(2)).toEqual({ '1': { value: 'v' } });
  expect(profileOf(3)).toBeUndefined();
});
