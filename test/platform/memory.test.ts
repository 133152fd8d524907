import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { busyness, onceQuiet, returnMemory } from '../../src-main/platform/memory.ts';
import { FakeClock } from '../support/fake-clock.ts';

test('memory that nothing needs goes back at once', async () => {
  const held = {};
  const [needed, unneeded] = [new WeakRef(held), new WeakRef({})];
  // A weak reference keeps what it names until the turn in which it was made is over.
  await setImmediate();
  returnMemory();
  expect([needed.deref(), unneeded.deref()]).toEqual([held, undefined]);
});

test('work for a quiet moment is done once, and only after some seconds in which hardly anything was done', async () => {
  const clock = new FakeClock();
  const shares = [1, 0.4, 0.01, 0];
  let done = 0;
  onceQuiet(
    () => void (done += 1),
    clock,
    () => shares.shift() ?? 0,
  );
  const counts: number[] = [];
  for (let i = 0; i < 5; i++) {
    await clock.advance(3000);
    counts.push(done);
  }
  expect(counts).toEqual([0, 0, 1, 1, 1]);
  expect(clock.pending).toEqual([]);
});

test('a thread that did nothing but work was busy', () => {
  const busy = busyness();
  const end = performance.now() + 20;
  while (performance.now() < end);
  expect(busy()).toBeGreaterThan(0.9);
});
