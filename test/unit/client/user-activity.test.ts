import { expect, test } from 'vitest';
import { IDLE_AFTER_MS, ActivityTracker } from '#client/user-activity.ts';
import { FakeClock } from '#test/support/fake-clock.ts';

const MINUTE_MS = 60_000;

/** Somebody who was seen last when it begins. @param idleMs  what the system says, moving on with the clock */
function someone(idleMs: (nowMs: number) => number | null = () => null) {
  const clock = new FakeClock();
  const beganMs = clock.now();
  const told: (number | null)[] = [];
  const attendance = new ActivityTracker({
    clock,
    idleMs: async () => idleMs(clock.now()),
    changed: (hereSinceMs) =>
      told.push(hereSinceMs === null ? null : (hereSinceMs - beganMs) / MINUTE_MS),
  });
  void attendance.follow();
  return { clock, told, attendance };
}

test('whoever has had their hands off the keyboard for two minutes is gone, and back with the next input', async () => {
  const { clock, told, attendance } = someone();
  await clock.advance(MINUTE_MS);
  attendance.arrive();
  await clock.advance(IDLE_AFTER_MS - 1);
  expect(told).toEqual([]);
  expect(attendance.activeSinceMs).toBe(0);
  await clock.advance(1);
  expect(attendance.activeSinceMs).toBeNull();
  await clock.advance(7 * MINUTE_MS);
  attendance.arrive();
  await clock.advance(IDLE_AFTER_MS);
  expect(told).toEqual([null, 10, null]);
});

test('input elsewhere on this computer counts, and is asked about when the time is up and not before', async () => {
  const asked: number[] = [];
  // Somebody types in another program for the first five minutes.
  const { clock, told } = someone((nowMs) => {
    const minutes = (nowMs - 1_700_000_000_000) / MINUTE_MS;
    asked.push(minutes);
    return Math.max(minutes - 5, 0) * MINUTE_MS;
  });
  await clock.advance(20 * MINUTE_MS);
  expect(asked).toEqual([2, 4, 6, 7]);
  expect(told).toEqual([null]);
});

test('a locked screen and a computer that goes to sleep have nobody, whatever was typed just before', async () => {
  const { clock, told, attendance } = someone(() => 0);
  attendance.arrive();
  attendance.leave();
  attendance.leave();
  expect(attendance.activeSinceMs).toBeNull();
  await clock.advance(5 * MINUTE_MS);
  expect(told).toEqual([null]);
  attendance.arrive();
  expect(told).toEqual([null, 5]);
});

test('after a sleep that nothing told of, whoever asks hears first that nobody was there', () => {
  const { told, attendance, clock } = asleepFor(10 * MINUTE_MS);
  expect(attendance.activeSinceMs).toBeNull();
  attendance.arrive();
  expect(attendance.activeSinceMs).toBe(clock.nowMs);
  expect(told).toEqual([null, clock.nowMs]);
});

test('input that is the first to come after such a sleep is that of somebody who came back', () => {
  const { told, attendance, clock } = asleepFor(10 * MINUTE_MS);
  attendance.arrive();
  expect(told).toEqual([null, clock.nowMs]);
});

/** Timers do not count sleep: the clock goes on, and no wait ends. */
function asleepFor(durationMs: number) {
  const clock = { nowMs: 0 };
  const told: (number | null)[] = [];
  const attendance = new ActivityTracker({
    clock: { now: () => clock.nowMs, wait: () => new Promise(() => undefined) },
    idleMs: async () => 0,
    changed: (hereSinceMs) => told.push(hereSinceMs),
  });
  void attendance.follow();
  clock.nowMs += durationMs;
  return { told, attendance, clock };
}

test('a clock that is set back keeps nobody here for longer', async () => {
  let shiftMs = 0;
  const real = new FakeClock();
  const told: (number | null)[] = [];
  const attendance = new ActivityTracker({
    clock: { now: () => real.now() - shiftMs, wait: real.wait },
    idleMs: async () => null,
    changed: (hereSinceMs) => told.push(hereSinceMs),
  });
  void attendance.follow();
  shiftMs = 60 * MINUTE_MS;
  await real.advance(2 * IDLE_AFTER_MS);
  expect(told).toEqual([null]);
  attendance.stop();
});
