/** Many who connect while this thread is busy: nothing here is accepted meanwhile. */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const LIMIT_MS = 20_000;

const KNOCKING = `
const { connect } = require('node:net');
const { parentPort, workerData: { port, count, shared } } = require('node:worker_threads');
const connected = new Int32Array(shared);
const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1', () => {
  Atomics.add(connected, 0, 1);
  Atomics.notify(connected, 0);
}));
for (const socket of sockets) socket.on('error', () => undefined);
parentPort.once('message', () => {
  for (const socket of sockets) socket.destroy();
});
`;

export interface Crowd {
  /** Those for whom the system had room. */
  readonly count: number;
  readonly leave: () => Promise<void>;
}

/** How many the system keeps for one listener, at most. */
export const largestCrowd = (): number =>
  Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));

/** Holds this thread until all of them are connected, or no more will be. */
export function knock(port: number, count: number): Crowd {
  const shared = new SharedArrayBuffer(4);
  const connected = new Int32Array(shared);
  const worker = new Worker(KNOCKING, { eval: true, workerData: { port, count, shared } });
  const endsAt = performance.now() + LIMIT_MS;
  let seen = 0;
  while (seen < count && performance.now() < endsAt) {
    Atomics.wait(connected, 0, seen, 100);
    seen = Atomics.load(connected, 0);
  }
  return {
    count: seen,
    async leave() {
      worker.postMessage('leave');
      await worker.terminate();
    },
  };
}
