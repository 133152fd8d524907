import { describe, expect, test } from 'vitest';
import type { NarrowTerm } from '#shared/api/narrow.ts';
import {
  finishText,
  openFilter,
  suggestionsFor,
  termLabel,
  type SearchSource,
} from '#renderer/lib/search/search-query.ts';
import { extractDates } from '#renderer/lib/search/search-dates.ts';

/** The first moment of a day here. */
const start = (year: number, month: number, day: number): number =>
  new Date(year, month - 1, day).getTime() / 1000;
/** Saturday. */
const nowMs = new Date(2026, 10, 21, 15).getTime();
const source: SearchSource = {
  streams: [{ streamId: 1, name: 'general' }],
  people: [],
  topics: [],
  ownUserId: 8,
  nowMs,
};
const before = (...day: [number, number, number]): NarrowTerm => ({
  operator: 'sent-before',
  operand: start(...day),
});
const from = (...day: [number, number, number]): NarrowTerm => ({
  operator: 'sent-after',
  operand: start(...day),
});
const on = (year: number, month: number, day: number): NarrowTerm => ({
  operator: 'sent-within',
  operand: [start(year, month, day), start(year, month, day + 1)],
});
const not = (term: NarrowTerm): NarrowTerm => ({ ...term, negated: true });

describe('a filter by day', () => {
  test.each<[string, readonly NarrowTerm[], string]>([
    ['before:2026-11-03', [before(2026, 11, 3)], ''],
    ['after:2026-11-03', [from(2026, 11, 4)], ''],
    ['date:2026-11-03', [on(2026, 11, 3)], ''],
    ['ON:2026-11-3', [on(2026, 11, 3)], ''],
    ['during:2024-02-29', [on(2024, 2, 29)], ''],
    ['before:today', [before(2026, 11, 21)], ''],
    ['after:Yesterday', [from(2026, 11, 21)], ''],
    ['-date:2026-12-31', [not(on(2026, 12, 31))], ''],
    ['-after:2026-12-31', [not(from(2027, 1, 1))], ''],
    ['noodles before:2026-11-03', [before(2026, 11, 3)], 'noodles'],
    ['before:2026-11-03 noodles', [before(2026, 11, 3)], 'noodles'],
    [
      'two after:2026-01-01 words before:today',
      [from(2026, 1, 2), before(2026, 11, 21)],
      'two words',
    ],
    ['date:today is:starred', [on(2026, 11, 21), { operator: 'is', operand: 'starred' }], ''],
    ['stream:general date:today', [on(2026, 11, 21), { operator: 'stream', operand: 1 }], ''],
    ['"said on:today" soup', [], '"said on:today" soup'],
    ['undated:2026-11-03', [], 'undated:2026-11-03'],
  ])('%j is finished', (text, terms, rest) => {
    expect(finishText(text, source)).toEqual({ terms, text: rest });
  });

  test.each([
    ['before:2026-02-30', 'There is no such day as 2026-02-30.'],
    ['date:2025-02-29 soup', 'There is no such day as 2025-02-29.'],
    ['after:2026-13-01', 'There is no such day as 2026-13-01.'],
    ['after:2026-00-10', 'There is no such day as 2026-00-10.'],
    ['after:1969-07-20', 'Nothing was sent before 1970.'],
    [
      'date:soon',
      'soon is no date. Type year-month-day, such as 2026-11-03, or today or yesterday.',
    ],
    [
      'date:2026-11',
      '2026-11 is no date. Type year-month-day, such as 2026-11-03, or today or yesterday.',
    ],
    [
      'date:',
      'Nothing is no date. Type year-month-day, such as 2026-11-03, or today or yesterday.',
    ],
  ])('%j says what is wrong', (text, problem) => {
    expect(finishText(text, source)).toEqual({ problem });
  });

  test('a filter by day divides all messages by before, on and after, on every day of some years', () => {
    for (let day = 1; day <= 1500; day += 1) {
      const date = new Date(2024, 0, day);
      const text = [date.getFullYear(), date.getMonth() + 1, date.getDate()].join('-');
      const taken = extractDates(`before:${text} date:${text} after:${text}`, nowMs);
      if ('problem' in taken) throw new Error(taken.problem);
      const [first, second, third] = taken.terms;
      expect([first?.operand, third?.operand]).toEqual(second?.operand);
      expect(first?.operand).toBe(date.getTime() / 1000);
    }
  });

  test('a filter by day becomes a chip with the blank after it, and no earlier', () => {
    expect(extractDates('before:2026-11-0', nowMs, true)).toEqual({
      terms: [],
      text: 'before:2026-11-0',
    });
    expect(extractDates('before:2026-11-03', nowMs, true)).toMatchObject({ terms: [] });
    expect(extractDates('soup before:2026-11-03 ', nowMs, true)).toEqual({
      terms: [before(2026, 11, 3)],
      text: 'soup ',
    });
    expect(extractDates('before:2026-02-30 ', nowMs, true)).toEqual({
      terms: [],
      text: 'before:2026-02-30 ',
    });
  });
});

describe('while a day is typed', () => {
  const offered = (text: string): readonly string[] =>
    suggestionsFor(text, source).map(({ label }) => label);

  test.each<[string, readonly string[]]>([
    ['be', ['before:']],
    ['-da', ['-date:']],
    [
      'before:',
      [
        'before:today',
        'before:yesterday',
        'before:2026-11-14',
        'before:2026-11-01',
        'before:2026-01-01',
      ],
    ],
    ['soup -on:to', ['-date:today']],
    ['date:2026-11', ['date:today', 'date:yesterday', 'date:2026-11-14', 'date:2026-11-01']],
    ['date:2025-03-09', ['date:2025-03-09']],
    ['date:2026-11-20', ['date:2026-11-20']],
    ['date:2026-02-30', []],
    ['date:soon', []],
  ])('%j offers %j', (text, wanted) => {
    expect(offered(text)).toEqual(wanted);
  });

  test('each says in words which day it is', () => {
    const hints = suggestionsFor('after:', source).map(({ hint }) => hint);
    expect(hints[0]).toMatch(/^Saturday,.* 2026$/);
    expect(hints[2]).toMatch(/^Saturday,.* 2026, a week ago$/);
  });

  test('taking one takes what was typed for it', () => {
    expect(suggestionsFor('soup before:yes', source)).toMatchObject([
      { term: before(2026, 11, 20), text: 'soup ' },
    ]);
    expect(openFilter('during:x')).toMatchObject({ operator: 'date' });
  });
});

describe('a chip', () => {
  const names = { streamNameOf: () => '', nameOf: () => '' };
  const label = (term: NarrowTerm): string => termLabel(term, names);

  test.each<[string, NarrowTerm, RegExp]>([
    ['before', before(2026, 11, 3), /^before: Tue.* 3.*2026$/],
    ['after', from(2026, 11, 4), /^after: Tue.* 3.*2026$/],
    ['date', on(2026, 11, 3), /^date: Tue.* 3.*2026$/],
    ['not', not(on(2026, 11, 3)), /^not date: Tue.* 3.*2026$/],
  ])('a chip says %s and the day', (_, term, wanted) => {
    expect(label(term)).toMatch(wanted);
  });

  test.each<[string, NarrowTerm, RegExp]>([
    [
      'since',
      { operator: 'sent-after', operand: start(2026, 11, 3) + 37_320 },
      /^since: .*2026.*10:22/,
    ],
    [
      'before',
      { operator: 'sent-before', operand: start(2026, 11, 3) + 37_320 },
      /^before: .*2026.*10:22/,
    ],
    [
      'between',
      { operator: 'sent-within', operand: [start(2026, 11, 3), start(2026, 11, 5)] },
      /^sent: .*2026.* – .*2026/,
    ],
  ])('a chip says %s and the time for moments of another time zone', (_, term, wanted) => {
    expect(label(term)).toMatch(wanted);
  });
});
