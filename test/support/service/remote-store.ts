/** The other end of store-process.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Store } from '#service/db/port.ts';
import type { StoreAnswer, StoreCall } from './store-process.ts';

const script = fileURLToPath(new URL('./store-process.ts', import.meta.url));

/** What went wrong in the other process. */
export class RemoteError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface RemoteStore {
  readonly call: <K extends keyof Store>(
    method: K,
    ...values: Parameters<Store[K]>
  ) => Promise<Awaited<ReturnType<Store[K]>>>;
  readonly kill: () => Promise<void>;
}

export interface RemoteOptions {
  readonly file: string;
  /** Another account to open it as; only root can ask for that. */
  readonly userId?: number;
  /** No file may grow beyond; in units of 512 bytes. */
  readonly fileSizeLimit?: number;
}

type Settle = (answer: StoreAnswer) => void;

/** Opens a store in a process of its own; rejects with RemoteError where it cannot be opened. */
export async function startStoreProcess(options: RemoteOptions): Promise<RemoteStore> {
  const limit = options.fileSizeLimit === undefined ? '' : `ulimit -f ${options.fileSizeLimit}; `;
  const child = spawn(
    'sh',
    [
      '-c',
      `${limit}exec "$0" "$@"`,
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      script,
      options.file,
      ...(options.userId === undefined ? [] : [String(options.userId)]),
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  const ended = once(child, 'exit');
  const waiting = new Map<number, Settle>();
  child.on('message', (answer: StoreAnswer) => waiting.get(answer.number)?.(answer));
  const answerTo = (number: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.set(number, (answer) => {
        waiting.delete(number);
        if ('value' in answer) resolve(answer.value);
        else if ('failure' in answer)
          reject(new RemoteError(answer.failure.code, answer.failure.message));
        else resolve(undefined);
      });
      void ended.then(() => reject(new RemoteError('ENDED', 'the process has ended')));
    });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  await answerTo(0);
  let calls = 0;
  return {
    kill,
    call(method, ...values) {
      calls += 1;
      const call: StoreCall = { number: calls, method, values };
      const answer = answerTo(calls);
      child.send(call);
      return answer as never;
    },
  };
}
