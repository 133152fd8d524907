/**
 * Loaded into a service before its own code (`node --import`): tells its parent how long its thread worked, and how long at most
 * without a turn for others. A turn is a round of the event loop.
 */
import { isMainThread } from 'node:worker_threads';

export interface Watched {
  /** Of the processor, in ms, on the thread that answers. */
  readonly workedMs: number;
  /** The longest turn: on the processor, and by the clock; 0 where turns are not watched. */
  readonly turnMs: number;
  readonly waitedMs: number;
}

/** Looking at each turn costs some itself. */
export type Watch = 'work' | 'turns';

/** A turn that takes less did nothing but look around. */
const IDLE_MS = 0.04;
const nobody = new Int32Array(new SharedArrayBuffer(4));

/** The system counts a thread's time up to now only where the thread stops for a moment. */
function threadMs(): number {
  Atomics.wait(nobody, 0, 0, 0.05);
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const momentNow = () => ({ cpu: threadMs(), wall: performance.now() });

function watch(): void {
  let at = momentNow();
  let watched: Watched = { workedMs: 0, turnMs: 0, waitedMs: 0 };
  let isLooking = false;

  function look(): void {
    const now = momentNow();
    const turnMs = now.cpu - at.cpu;
    watched = {
      workedMs: watched.workedMs + (turnMs < IDLE_MS ? 0 : turnMs),
      turnMs: Math.max(watched.turnMs, turnMs),
      waitedMs: Math.max(watched.waitedMs, now.wall - at.wall),
    };
    at = now;
    if (isLooking) setImmediate(look);
  }

  process.on('message', (wanted: Watch | 'end') => {
    if (wanted === 'end') {
      const isOfTurns = isLooking;
      isLooking = false;
      const workedMs = threadMs() - at.cpu;
      // The turn that answered may be the one that goes on here.
      if (isOfTurns) look();
      process.send?.(isOfTurns ? watched : { ...watched, workedMs });
      return;
    }
    watched = { workedMs: 0, turnMs: 0, waitedMs: 0 };
    isLooking = wanted === 'turns';
    // Before the parent hears of it: what it asks for next is not missed.
    at = momentNow();
    if (isLooking) setImmediate(look);
    process.send?.('begun');
  });
  // Signals and the end of its work decide when it ends, not this line to its parent.
  process.channel?.unref();
}

if (isMainThread) watch();
