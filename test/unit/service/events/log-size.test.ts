import { describe, expect, test } from 'vitest';
import type { LoggedEvent } from '#service/db/event-log.ts';
import { LogSize, sizeOfEvent } from '#service/events/log-size.ts';

const event = (id: number, payload: Record<string, unknown> = {}): LoggedEvent => ({
  id,
  type: 'realm',
  audience: { kind: 'realm' },
  payload,
});

const events = (from: number, to: number): readonly LoggedEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index));

const open = (limits: { events?: number; bytes?: number }): LogSize =>
  new LogSize({ events: Infinity, bytes: Infinity, ...limits });

describe('the log', () => {
  test('the log keeps all that is within its limits', () => {
    const size = open({ events: 5000 });
    size.append(events(1, 5000));
    expect(size.floorId()).toBe(0);
  });

  test('beyond its number of events the log lets the oldest go, a twentieth at a time', () => {
    const size = open({ events: 5000 });
    size.append(events(1, 5001));
    expect(size.floorId()).toBe(250);
    size.append(events(5002, 7000));
    expect(size.floorId()).toBe(2000);
  });

  test('beyond its number of bytes the log lets the oldest events go', () => {
    const size = open({ bytes: 1_000_000 });
    size.append(events(1, 1000));
    size.append([event(1001, { text: 'x'.repeat(900_000) })]);
    expect(size.floorId()).toBeGreaterThan(400);
    expect(size.floorId()).toBeLessThan(1001);
  });

  test('the log forgets what was trimmed, and counts what was there before', () => {
    const size = open({ events: 3000 });
    size.append(events(5001, 7000));
    size.prepend([{ throughId: 5000, events: 2000, bytes: 1 }]);
    expect(size.floorId()).toBe(5000);
    size.trim(5000);
    expect(size.floorId()).toBe(0);
  });
});

test('an event with a long audience is larger than one for everybody', () => {
  const userIds = Array.from({ length: 10_000 }, (_, index) => index);
  const many = { ...event(1), audience: { kind: 'users', userIds } as const };
  expect(sizeOfEvent(many)).toBeGreaterThan(sizeOfEvent(event(1)) + 50_000);
});
