import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#node/clock.ts';
import { startTestService } from '#test/support/service/api.ts';

/** What was begun and has neither come nor been cancelled. */
function watchTimers(): ReadonlySet<number> {
  const waiting = new Set<number>();
  const { setTimer } = systemClock;
  let begun = 0;
  const spy = vi.spyOn(systemClock, 'setTimer').mockImplementation((fn, delayMs) => {
    const number = (begun += 1);
    waiting.add(number);
    const cancel = setTimer(() => {
      waiting.delete(number);
      fn();
    }, delayMs);
    return () => {
      waiting.delete(number);
      cancel();
    };
  });
  onTestFinished(() => spy.mockRestore());
  return waiting;
}

test('a service that cannot start leaves nothing that would use its database later', async () => {
  const waiting = watchTimers();
  await expect(startTestService({ metricsTokenFile: '/nowhere' })).rejects.toThrow(
    /cannot be read/,
  );
  expect([...waiting]).toEqual([]);
});
