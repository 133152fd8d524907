import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isNews,
  newestOf,
  presencesShape,
  stateOf,
} from '#service/features/people/rules/presence.ts';

const NOW = 1_700_000_000;
const report = (status: 'active' | 'idle', ageSeconds: number, client = 'website') => ({
  account_id: 1,
  email: 'a@example.com',
  client,
  status,
  updated_at: NOW - ageSeconds,
});

test('a report holds for 140 seconds', () => {
  expect(stateOf(report('idle', 140), NOW)).toBe('idle');
  expect(stateOf(report('idle', 141), NOW)).toBe('offline');
});

describe('others are told', () => {
  const reports = fc.array(
    fc.record({ status: fc.constantFrom('active' as const, 'idle' as const), age: fc.nat(300) }),
    { maxLength: 4 },
  );

  test('exactly when a person becomes more present than on any client', () => {
    fc.assert(
      fc.property(reports, fc.constantFrom('active', 'idle'), (before, status) => {
        const live = before.filter(({ age }) => age <= 140).map((each) => each.status);
        const isExpected = live.length === 0 || (status === 'active' && !live.includes('active'));
        const rows = before.map((each, index) => report(each.status, each.age, `c${index}`));
        expect(isNews(rows, status, NOW)).toBe(isExpected);
      }),
    );
  });
});

describe('the newest report', () => {
  test('the newest report is the one that came last, and among those of one moment the most present', () => {
    const [idle, active, old] = [report('idle', 5), report('active', 5), report('active', 6)];
    expect(newestOf([old].slice(1))).toBeUndefined();
    for (const rows of [
      [idle, active, old],
      [old, active, idle],
    ]) {
      expect(newestOf(rows)).toBe(active);
    }
    expect(newestOf([old, idle])).toBe(idle);
  });
});

test('people are listed with their clients and the newest of them', () => {
  const rows = [report('active', 60, 'phone'), report('idle', 5), report('idle', 9, '__proto__')];
  const other = { ...report('active', 1), account_id: 2, email: 'b@example.com' };
  const shape = presencesShape([...rows, other]);
  expect(Object.keys(shape)).toEqual(['a@example.com', 'b@example.com']);
  expect(shape['a@example.com']?.aggregated).toEqual({
    client: 'website',
    status: 'idle',
    timestamp: NOW - 5,
  });
  expect(Object.keys(shape['a@example.com'] ?? {}).sort()).toEqual([
    '__proto__',
    'aggregated',
    'phone',
    'website',
  ]);
  expect(shape['a@example.com']?.['phone']).toEqual({
    client: 'phone',
    status: 'active',
    timestamp: NOW - 60,
    pushable: false,
  });
});
