import type { Clock } from '../ports.ts';

/** Longer than a connection worth waiting for moves nothing, or a service takes to store a file. */
const STALL_MS = 60_000;

export interface StallWatch {
  /** Something has come, or gone; the first time it begins. */
  readonly moved: () => void;
  /** Aborted when nothing has moved for long. */
  readonly stalled: AbortSignal;
  readonly end: () => void;
}

/** Before it begins nobody is waited for. */
export function watchStall(clock: Clock): StallWatch {
  const stalled = new AbortController();
  const ended = new AbortController();
  let movedAt: number | undefined;
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const left = (movedAt ?? 0) + STALL_MS - clock.now();
      if (left <= 0) {
        stalled.abort();
        return;
      }
      await clock.wait(left, ended.signal);
    }
  };
  return {
    moved: () => {
      const hasBegun = movedAt !== undefined;
      movedAt = clock.now();
      if (!hasBegun) void watch();
    },
    stalled: stalled.signal,
    end: () => {
      ended.abort();
    },
  };
}
