/** A thread on which many clients register at the same moment: opening their connections must not hold up those that are measured. */
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Account } from '../seed.ts';
import { openConnection } from './connection.ts';
import { post } from './requests.ts';

interface Returning {
  readonly port: number;
  readonly accounts: readonly Account[];
}

/** Settles when the clients are ready; what it answers lets them register, and settles when all have. */
export async function prepareReturn(returning: Returning): Promise<() => Promise<void>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: returning });
  await once(worker, 'message');
  return async () => {
    const ended = once(worker, 'exit');
    worker.postMessage('go');
    await ended;
  };
}

async function registerAll({ port, accounts }: Returning): Promise<void> {
  const registering = accounts.map(async (account) => {
    const connection = await openConnection(port);
    await connection.request(post(account, '/register', {}));
    connection.close();
  });
  await Promise.all(registering);
}

if (parentPort !== null) {
  const going = once(parentPort, 'message');
  parentPort.postMessage('ready');
  await going;
  await registerAll(workerData as Returning);
}
