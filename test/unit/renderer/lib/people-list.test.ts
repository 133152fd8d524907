import { expect, test } from 'vitest';
import {
  countKinds,
  isOfKind,
  lastSeen,
  peopleKinds,
  type LastSeen,
  sortPeople,
} from '#renderer/lib/people-list.ts';
import { ago } from '#renderer/i18n/last-seen.ts';
import { person } from '#test/support/window/bridge-double.ts';

const DAY = 86_400;
const ada = person(1, 'Ada', { isAdmin: true });
const ben = person(2, 'Ben');
const gus = person(3, 'Gus', { isGuest: true });
const old = person(4, 'Abe', { isAdmin: true, isActive: false });
const all = [ada, ben, gus, old];

test('whoever is deactivated counts as that alone, and everybody is counted once', () => {
  expect(countKinds(all)).toEqual({ all: 4, admins: 1, members: 1, guests: 1, deactivated: 1 });
  const shown = peopleKinds.map((kind) => all.filter((each) => isOfKind(each, kind)));
  expect(shown).toEqual([all, [ada], [ben], [gus], [old]]);
});

test('who was here last is first, then those never seen by name, and the deactivated at the end', () => {
  const seen = new Map<number, LastSeen>([
    [2, { seconds: 500, isDay: false }],
    [4, { seconds: 900, isDay: true }],
  ]);
  const names = (order: 'name' | 'seen') =>
    sortPeople(all, order, (userId) => seen.get(userId) ?? null).map(({ fullName }) => fullName);
  expect(names('name')).toEqual(['Ada', 'Ben', 'Gus', 'Abe']);
  expect(names('seen')).toEqual(['Ben', 'Ada', 'Gus', 'Abe']);
});

test('a report counts, finer as it is, unless a key was used on a later day', () => {
  const today = 20_000 * DAY;
  expect(lastSeen(today + 60, today)).toEqual({ seconds: today + 60, isDay: false });
  expect(lastSeen(today - 60, today)).toEqual({ seconds: today, isDay: true });
  expect(lastSeen(undefined, today)).toEqual({ seconds: today, isDay: true });
  expect(lastSeen(today, undefined)).toEqual({ seconds: today, isDay: false });
  expect(lastSeen(undefined, undefined)).toBeNull();
});

const now = new Date(2025, 10, 21, 15).getTime() / 1000;
const utcDay = (day: number, year = 2025): number => Date.UTC(year, 10, day) / 1000;

test.each<[LastSeen, string | RegExp]>([
  [{ seconds: now + 5, isDay: false }, 'just now'],
  [{ seconds: now - 60, isDay: false }, '1 minute ago'],
  [{ seconds: now - 3599, isDay: false }, '59 minutes ago'],
  [{ seconds: now - 3600, isDay: false }, 'today'],
  [{ seconds: now - DAY, isDay: false }, 'yesterday'],
  [{ seconds: utcDay(21), isDay: true }, 'today'],
  [{ seconds: utcDay(20), isDay: true }, 'yesterday'],
  [{ seconds: utcDay(3), isDay: true }, /^(3 Nov|Nov 3)$/],
  [{ seconds: utcDay(3, 2024), isDay: true }, /2024/],
])('%j was %s', (seen, words) => {
  expect(ago(seen, now)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
});
