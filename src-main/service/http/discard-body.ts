/**
 * Throws away bodies that nobody needs. Reading them at full speed makes garbage faster than it is collected, so all of
 * them share 20 MiB a second.
 */
import type { IncomingMessage } from 'node:http';

const TICK_MS = 50;
const TICK_BYTES = 1024 * 1024;
/** Of one chunk at most. */
const CHUNK_BYTES = 64 * 1024;

let left = TICK_BYTES;
const waiting = new Set<IncomingMessage>();
const discarded = new WeakSet<IncomingMessage>();
let timer: NodeJS.Timeout | undefined;

/** Lets bodies take turns, a chunk each. */
function takeTurns(): void {
  for (const message of waiting) {
    if (left <= 0) break;
    left -= CHUNK_BYTES;
    waiting.delete(message);
    message.resume();
  }
  if (waiting.size > 0) timer ??= setInterval(tick, TICK_MS).unref();
}

function tick(): void {
  left = TICK_BYTES;
  if (waiting.size === 0) {
    clearInterval(timer);
    timer = undefined;
  }
  takeTurns();
}

/** Reads the rest of a body for nobody; does nothing the second time. */
export function discard(message: IncomingMessage): void {
  if (discarded.has(message)) return;
  discarded.add(message);
  const wait = (): void => {
    message.pause();
    waiting.add(message);
    takeTurns();
  };
  message
    .on('error', () => undefined)
    .on('data', ({ length }: Buffer) => {
      left += CHUNK_BYTES - length;
      wait();
    })
    .once('close', () => waiting.delete(message));
  wait();
}
