import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';

type Collect = (how: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}) => void;

let collect: Collect | undefined;

/** Node has no other way to ask for it. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/**
 * Gives back to the system what nothing needs any more. Nothing else happens meanwhile, for some hundredths of a second: call
 * it while nobody is looking. By itself the engine collects when more is asked for, and an application that waits asks for
 * nothing.
 */
export function returnMemory(): void {
  collect ??= collector();
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

const LOOK_MS = 3000;
/** Of the time between two looks. */
const QUIET = 0.05;

/** How busy the thread was since this was asked last, from 0 to 1. */
export function busyness(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** Does the work once, as soon as the thread has had next to nothing to do for some seconds. @param busy  as `busyness` gives it */
export function onceQuiet(work: () => void, clock: Clock, busy: () => number): void {
  clock.setTimer(() => {
    if (busy() <= QUIET) work();
    else onceQuiet(work, clock, busy);
  }, LOOK_MS);
}
