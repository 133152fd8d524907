export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `fn` once after the delay and answers what cancels it. A timer never keeps the process alive. */
  readonly setTimer: (fn: () => void, delayMs: number) => () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer: (fn, delayMs) => {
    const timer = setTimeout(fn, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
