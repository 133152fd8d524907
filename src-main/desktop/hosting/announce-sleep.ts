/** Before the computer that hosts goes to sleep, its service says so to everybody who is connected. */
import type { Clock } from '#client/ports.ts';
import type { Power } from '../system/power.ts';
import type { Hosting } from './hosting.ts';

export interface SleepNoticeParts {
  readonly hosting: Pick<Hosting, 'running' | 'onStatus'>;
  readonly power: Pick<Power, 'onSleep' | 'delaySleep'>;
  readonly clock: Pick<Clock, 'wait'>;
  /** The service answers again. */
  readonly woken: () => void;
}

/** logind waits for five seconds. */
const TELL_LIMIT_MS = 2_500;
/** A computer that is awake for so long does not go to sleep any more, and nobody has said so. */
const AWAKE_AFTER_MS = 20_000;

/** @returns what ends it for good */
export function announceSleep({ hosting, power, clock, woken }: SleepNoticeParts): () => void {
  let letSleep: (() => void) | undefined;
  /** Aborted when the computer is awake again. */
  let sleeping: AbortController | undefined;
  let isEnded = false;

  function look(): void {
    const isHosting = !isEnded && hosting.running() !== undefined;
    if (!isHosting) release();
    else if (sleeping === undefined) letSleep ??= power.delaySleep();
  }

  function release(): void {
    letSleep?.();
    letSleep = undefined;
  }

  async function fallAsleep(): Promise<void> {
    if (sleeping !== undefined || isEnded) return;
    sleeping = new AbortController();
    const { signal } = sleeping;
    const isAwake = (): boolean => signal.aborted;
    const told = hosting.running()?.setAsleep(true);
    await Promise.race([told, clock.wait(TELL_LIMIT_MS, signal)]);
    if (isAwake()) return;
    release();
    await clock.wait(AWAKE_AFTER_MS, signal);
    if (!isAwake()) await wake();
  }

  async function wake(): Promise<void> {
    if (sleeping === undefined) return;
    sleeping.abort();
    sleeping = undefined;
    look();
    await hosting.running()?.setAsleep(false);
    woken();
  }

  hosting.onStatus(look);
  power.onSleep((isAsleep) => void (isAsleep ? fallAsleep() : wake()));
  return () => {
    isEnded = true;
    sleeping?.abort();
    look();
  };
}
