import type { Clock } from '#node/clock.ts';

const PAUSE_MS = 100;

/** Lets others have their answers before a long piece of work goes on. */
export const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits for something that goes on beside. */
export const pauseOf = (clock: Pick<Clock, 'setTimer'>) => (): Promise<void> =>
  new Promise((resolve) => clock.setTimer(resolve, PAUSE_MS));
