import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
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

/**
 * Threads that start from now on keep to the size of the young generation that their limits give: a flag of the process comes
 * before those. The thread that calls it keeps its own size.
 */
export const obeyThreadLimits = (): void => setFlagsFromString('--max-semi-space-size=0');

const LOOK_MS = 3000;
/** Of the time between two looks. */
const QUIET = 0.05;
/** Looks, half a minute: a pause between two messages is not yet rest, and what comes after it has to be fast. */
const RESTED = 10;

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

/** The size of the old generation, in bytes, with what is dead in it and the holes between what lives. */
const oldGeneration = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_size ?? 0;

/** More in a quiet moment than this since the last time, in bytes, is worth going back for. */
const WORTH = 16 * 2 ** 20;
/** Whoever is never quiet is held up for a tenth of a second, and at most as often, when there is half as much again. */
const BUSY_PAUSE_MS = 3 * 60_000;
const BUSY_GROWTH = 1.5;

export interface Heap {
  /** As `busyness` gives it. */
  readonly busy: () => number;
  /** Bytes. */
  readonly held: () => number;
  readonly giveBack: () => void;
}

/**
 * Gives back what is not needed, from now on: in the first quiet seconds what only the start needed, after half a minute of rest
 * what a busy time has left, and now and then under a load that does not end. The engine moves what lives together by itself only
 * where it lies very far apart, and ten minutes of load leave half of the heap as holes.
 */
export function tidyHeap(
  clock: Clock,
  heap: Heap = { busy: busyness(), held: oldGeneration, giveBack: returnMemory },
): void {
  let floor: number | undefined;
  let tidiedAtMs = clock.now();
  let quietLooks = 0;

  function isWorthIt(): boolean {
    const isQuiet = heap.busy() <= QUIET;
    quietLooks = isQuiet ? quietLooks + 1 : 0;
    if (isQuiet) {
      return floor === undefined || (quietLooks >= RESTED && heap.held() - floor >= WORTH);
    }
    if (clock.now() - tidiedAtMs < BUSY_PAUSE_MS) return false;
    return heap.held() >= BUSY_GROWTH * (floor ?? 0);
  }

  const look = (): void => {
    if (isWorthIt()) {
      heap.giveBack();
      floor = heap.held();
      tidiedAtMs = clock.now();
    }
    clock.setTimer(look, LOOK_MS);
  };
  clock.setTimer(look, LOOK_MS);
}
