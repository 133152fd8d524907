import { expect, test } from 'vitest';
import { byPresence, clockDifference } from '../../../src-renderer/state/people.ts';
import { presenceState } from '../../../src-renderer/state/presence.ts';
import { person } from '../../support/bridge-double.ts';

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
  expect(presenceState({ status: 'active', atSeconds: 1000 }, 1100)).toBe('active');
  expect(presenceState({ status: 'idle', atSeconds: 1000 }, 1100)).toBe('idle');
  expect(presenceState({ status: 'active', atSeconds: 1000 }, 1200)).toBe('offline');
  expect(presenceState(undefined, 1000)).toBe('offline');
});

test('those who are here come first, by name within', () => {
  const people = [person(1, 'Zoe'), person(2, 'Bob'), person(3, 'Amy'), person(4, 'Cat')];
  const presences = {
    1: { status: 'active', atSeconds: 100 },
    4: { status: 'idle', atSeconds: 100 },
  } as const;
  expect(byPresence(people, presences, 110).map(({ person: each }) => each.fullName)).toEqual([
    'Zoe',
    'Cat',
    'Amy',
    'Bob',
  ]);
});
