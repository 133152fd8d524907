import type { Clock } from '../ports.ts';

/** Longer than a connection worth waiting for moves nothing, or a service takes to store a file. */
const STALL_MS = 60_000;

export interface StallWatch {
  /** Something has come, or gone. */
  readonly moved: () => void;
  /** Aborted when nothing has moved for long. */
  readonly stalled: AbortSignal;
  readonly end: () => void;
}

export function watchStall(clock: Clock): StallWatch {
  const stalled = new AbortController();
  const ended = new AbortController();
  let movedAt = clock.now();
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const left = movedAt + STALL_MS - clock.now();
      if (left <= 0) {
        stalled.abort();
        return;
      }
      await clock.wait(left, ended.signal);
    }
  };
  void watch();
  return {
    moved: () => {
      movedAt = clock.now();
    },
    stalled: stalled.signal,
    end: () => {
      ended.abort();
    },
  };
}
