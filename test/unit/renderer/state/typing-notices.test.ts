import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TypingNotices } from '#renderer/state/compose/typing-notices.ts';

let told: string[];
let notices: TypingNotices;
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  notices = new TypingNotices((op, userIds) => told.push(`${op} ${userIds.join()}`));
});
afterEach(() => {
  vi.useRealTimers();
});

test('who types on is told of every 10 seconds, not with every letter', () => {
  for (let i = 0; i < 21; i += 1) {
    notices.typed([9]);
    vi.advanceTimersByTime(1_000);
  }
  expect(told).toEqual(['start 9', 'start 9', 'start 9']);
});

test('who pauses has stopped, and starts anew', () => {
  notices.typed([9]);
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(['start 9', 'stop 9']);
  notices.typed([9]);
  expect(told).toEqual(['start 9', 'stop 9', 'start 9']);
});

test('going on elsewhere ends it where it was; notes to oneself concern nobody', () => {
  notices.typed([9]);
  notices.typed([9, 10]);
  notices.ended();
  notices.ended();
  notices.typed([]);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(['start 9', 'stop 9', 'start 9,10', 'stop 9,10']);
});
