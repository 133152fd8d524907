import { expect, test } from 'vitest';
import { titlePrefix } from '#shared/policies/unread-counts.ts';
import { dayKey, dayName, dayOfUse, timeOfDay } from '#renderer/i18n/dates.ts';
import { windowTitle } from '#renderer/i18n/title.ts';

const at = (year: number, month: number, day: number, hour = 12): number =>
  new Date(year, month - 1, day, hour).getTime() / 1000;
const now = at(2025, 11, 21, 0) * 1000;

test('days are named from where the reader stands', () => {
  expect(dayName(at(2025, 11, 21, 8), now)).toBe('Today');
  expect(dayName(at(2025, 11, 20, 23), now)).toBe('Yesterday');
  expect(dayName(at(2025, 11, 19), now)).toMatch(/Wednesday/);
  expect(dayName(at(2024, 11, 19), now)).toMatch(/2024/);
});

test('a day of UTC is the same day wherever the reader stands', () => {
  const [day, late] = [Date.UTC(2025, 10, 21) / 1000, Date.UTC(2025, 10, 21, 23, 59)];
  expect(dayOfUse(day, late)).toBe('today');
  expect(dayOfUse(day - 86_400, late)).toBe('yesterday');
  expect(dayOfUse(day - 2 * 86_400, late)).toMatch(/^on Wednesday/);
});

test('a day ends at the midnight of the reader', () => {
  expect(dayKey(at(2025, 11, 20, 23))).not.toBe(dayKey(at(2025, 11, 21, 0)));
  expect(dayKey(at(2025, 11, 21, 0))).toBe(dayKey(at(2025, 11, 21, 23)));
});

test('hours are written as the account wants them', () => {
  expect(timeOfDay(at(2025, 11, 21, 18), 24)).toBe('18:00');
  expect(timeOfDay(at(2025, 11, 21, 18), 12)).toMatch(/^6:00\s[ap]m$/i);
  expect(timeOfDay(at(2025, 11, 21, 0), 12)).toMatch(/^12:00\s[ap]m$/i);
});

test.each([
  [0, 'lunch', 'Office', 'lunch – Office'],
  [3, 'lunch', 'Office', '(3) lunch – Office'],
  [120, '', 'Office', '(99+) Office'],
  [0, '', '', 'Hearth'],
])('the window title for %i, %j, %j is %j', (badge, place, realm, title) => {
  expect(windowTitle({ titlePrefix: titlePrefix(badge) }, place, realm)).toBe(title);
});
