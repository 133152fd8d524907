import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Announcer } from '#renderer/state/announcer.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first message is announced at once, those of the next second together', () => {
  const announcer = new Announcer();
  announcer.announce('Ben: one');
  expect(announcer.text).toBe('Ben: one');
  announcer.announce('Ben: two');
  announcer.announce('Ben: three');
  announcer.announce('Ben: four');
  expect(announcer.text).toBe('Ben: one');
  vi.advanceTimersByTime(999);
  expect(announcer.text).toBe('Ben: one');
  vi.advanceTimersByTime(1);
  expect(announcer.text.trim()).toBe('3 new messages');
  announcer.stop();
});

test('the same words twice are announced twice', () => {
  const announcer = new Announcer();
  announcer.announce('Ben: ok');
  const first = announcer.text;
  vi.advanceTimersByTime(1000);
  announcer.announce('Ben: ok');
  expect(announcer.text).not.toBe(first);
  expect(announcer.text.trim()).toBe('Ben: ok');
  announcer.stop();
});
