import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#client/ports.ts';

export const desktopClock: Clock = {
  now: () => Date.now(),
  wait: async (delayMs, signal) => {
    try {
      await delay(delayMs, undefined, { signal, ref: false });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
  random: () => Math.random(),
};
