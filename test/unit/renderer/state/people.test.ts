import { expect, test } from 'vitest';
import { byPresence, clockDifference } from '#renderer/state/people.ts';
import { presenceState, type PresenceState } from '#renderer/lib/presence.ts';
import { person } from '#test/support/window/bridge-double.ts';

const noon = Date.UTC(2026, 0, 15, 12);

test.each([
  ['Asia/Tokyo', 540],
  ['America/New_York', -300],
  ['Asia/Kolkata', 330],
  ['UTC', 0],
  ['', null],
  ['Nowhere/Land', null],
])('a clock in %j is %j minutes ahead of one in UTC', (timezone, minutes) => {
  expect(clockDifference(timezone, noon, 'UTC')).toBe(minutes);
});

test('who has not reported for a while is not here', () => {
  const active = { status: 'active', atSeconds: 1000 } as const;
  expect(presenceState(active, undefined, 1100)).toBe('active');
  expect(presenceState({ status: 'idle', atSeconds: 1000 }, undefined, 1100)).toBe('idle');
  expect(presenceState(active, undefined, 1200)).toBe('offline');
  expect(presenceState(undefined, undefined, 1000)).toBe('offline');
});

test('who is set as away is away at work, and not here without reports', () => {
  const active = { status: 'active', atSeconds: 1000 } as const;
  const away = { isAway: true, text: '' };
  expect(presenceState(active, away, 1100)).toBe('idle');
  expect(presenceState(active, { isAway: false, text: 'Lunch' }, 1100)).toBe('active');
  expect(presenceState(active, away, 1200)).toBe('offline');
  expect(presenceState(undefined, away, 1000)).toBe('offline');
});

test('numbers in names are sorted as numbers', () => {
  const people = ['Person 10', 'person 2', 'Person 1', 'Zoë 9', 'Zoe 10'].map((name, index) =>
    person(index, name),
  );
  expect(byPresence(people, () => 'active').map(({ person: each }) => each.fullName)).toEqual([
    'Person 1',
    'person 2',
    'Person 10',
    'Zoë 9',
    'Zoe 10',
  ]);
});

test('those who are here come first, by name within', () => {
  const people = [person(1, 'Zoe'), person(2, 'Bob'), person(3, 'Amy'), person(4, 'Cat')];
  const presences = new Map<number, PresenceState>([
    [1, 'active'],
    [4, 'idle'],
  ]);
  const sorted = byPresence(people, (userId) => presences.get(userId) ?? 'offline');
  expect(sorted.map(({ person: each }) => each.fullName)).toEqual(['Zoe', 'Cat', 'Amy', 'Bob']);
});
