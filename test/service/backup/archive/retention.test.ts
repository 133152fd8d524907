import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { officeOf, expiredArchives } from '#backup/retention.ts';
import { isDue, isPausing, lastDue } from '#node/time-of-day.ts';
import { archiveName } from '#backup/sealed-copy.ts';

const DAY_MS = 86_400_000;
const nameAt = (ms: number): string => archiveName('Maple Street', new Date(ms));
const noon = new Date(2026, 10, 22, 12, 0, 0).getTime();

describe('of archives that are made every day', () => {
  test('seven days, four weeks and twelve months stay', () => {
    const names = Array.from({ length: 800 }, (_, day) => nameAt(noon - day * DAY_MS));
    const surplus = new Set(expiredArchives('Maple-Street', names));
    const kept = names.filter((name) => !surplus.has(name));
    expect(kept.slice(0, 7)).toEqual(names.slice(0, 7));
    // One of seven days is the newest of its week, or two are; the newest of a month may be one of them.
    expect(kept.length).toBeGreaterThanOrEqual(7 + 2 + 10);
    expect(kept.length).toBeLessThanOrEqual(7 + 3 + 11);
    expect(kept.at(-1)).toMatch(/^Maple-Street-2025-12-31T/);
  });

  test('the newest always stays, and what was kept is kept by the same rule again', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 700 * 24 }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(times, (hours) => {
        const names = hours.map((hour) => nameAt(noon - hour * 3_600_000));
        const surplus = new Set(expiredArchives('Maple-Street', names));
        const kept = names.filter((name) => !surplus.has(name));
        expect(kept).toContain([...names].sort().at(-1));
        expect(expiredArchives('Maple-Street', kept)).toEqual([]);
        expect(kept.length).toBeLessThanOrEqual(23);
      }),
    );
  });

  test('what is not an archive of this office is never surplus', () => {
    const days = Array.from({ length: 60 }, (_, day) => noon - day * DAY_MS);
    const others = days.flatMap((ms) => [
      nameAt(ms).replace('Maple-Street', 'Maple-Street-2'),
      `${nameAt(ms)}.partial`,
      nameAt(ms).replace('.hearth', '.txt'),
      'notes.hearth',
    ]);
    expect(expiredArchives('Maple-Street', others)).toEqual([]);
    const surplus = expiredArchives('Maple-Street', [...others, ...days.map(nameAt)]);
    expect(surplus.filter((name) => others.includes(name))).toEqual([]);
    expect(surplus.length).toBeGreaterThan(30);
  });
});

test.each([
  ['Maple Street', 'Maple-Street'],
  ['  Café & Söhne GmbH/../ ', 'Café-Söhne-GmbH'],
  ['佐藤', '佐藤'],
  ['***', 'office'],
  ['x'.repeat(200), 'x'.repeat(40)],
])('an archive of %j is named %s, and tells so', (name, office) => {
  const fileName = archiveName(name, new Date(noon));
  expect(fileName).toBe(`${office}-2026-11-22T12-00-00.hearth`);
  expect(officeOf(fileName)).toBe(office);
});

test('an archive was due at the last time of the day that has passed', () => {
  const at = { hours: 3, minutes: 30 };
  expect(lastDue(at, new Date(2026, 10, 22, 3, 30))).toEqual(new Date(2026, 10, 22, 3, 30));
  expect(lastDue(at, new Date(2026, 10, 22, 3, 29))).toEqual(new Date(2026, 10, 21, 3, 30));
  expect(lastDue(at, new Date(2026, 10, 1, 0, 0))).toEqual(new Date(2026, 9, 31, 3, 30));
});

test.each([
  ['before its hour came', new Date(2026, 10, 21, 9), true],
  ['since its hour came', new Date(2026, 10, 22, 3, 31), false],
  ['tomorrow, by a clock that was set back', new Date(2026, 10, 23, 9), true],
])('what was done last %s is due: %s', (_, last, expected) => {
  const at = { hours: 3, minutes: 30 };
  expect(isDue(at, last.getTime(), new Date(2026, 10, 22, 9))).toBe(expected);
});

test.each([
  [0, true],
  [59, true],
  [60, false],
  [-1, false],
])('a pause of an hour, %i minutes after its beginning, lasts: %s', (minutes, expected) => {
  const since = new Date(2026, 10, 22, 9);
  const now = new Date(since.getTime() + minutes * 60_000);
  expect(isPausing(since.getTime(), 60 * 60_000, now)).toBe(expected);
});
