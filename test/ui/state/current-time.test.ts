import { afterEach, expect, test, vi } from 'vitest';
import { Minutes } from '#renderer/state/current-time.svelte.ts';
import { Today } from '#renderer/state/today.svelte.ts';

afterEach(() => void vi.useRealTimers());

const at = (day: number, hours: number): Date => new Date(2026, 4, day, hours);
const secondsOf = (date: Date): number => date.getTime() / 1000;

test('after a night of sleep today is today, for whoever comes back and at the next step', () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  vi.setSystemTime(at(1, 20));
  const minutes = new Minutes({ serviceSeconds: (local) => local });
  const today = new Today(minutes);
  const isDay = (day: number): void => expect(today.nowMs).toBe(at(day, 0).getTime());
  isDay(1);
  vi.setSystemTime(at(2, 8));
  dispatchEvent(new Event('focus'));
  isDay(2);
  vi.setSystemTime(at(3, 8));
  vi.advanceTimersByTime(30_000);
  isDay(3);
  // The clock is set back.
  vi.setSystemTime(at(1, 9));
  vi.advanceTimersByTime(30_000);
  isDay(1);
  minutes.stop();
});

test('the day and the minute are those of the service, what is dated here goes by the clock here', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(at(1, 20));
  const minutes = new Minutes({ serviceSeconds: (local) => local + 6 * 3600 });
  expect(minutes.nowSeconds).toBe(secondsOf(at(2, 2)));
  expect(minutes.localSeconds).toBe(secondsOf(at(1, 20)));
  expect(new Today(minutes).nowMs).toBe(at(2, 0).getTime());
  minutes.stop();
});
