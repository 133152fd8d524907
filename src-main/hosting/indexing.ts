/** Writes the search index on a worker thread, which is there only while there is something to write. */
import { Worker } from 'node:worker_threads';
import { isCorruption } from '#node/error-code.ts';
import { obeyThreadLimits } from '#node/threads/memory.ts';
import { IndexDamaged, type IndexedBlock, type Indexing } from '#service/db/port.ts';

/** MiB. A block and its words are a few; what is left of them is collected, instead of kept. */
const YOUNG_MIB = 3;
const OLD_MIB = 64;

/** What the thread is asked; it answers all but the last. */
export type IndexingRequest = 'index' | 'copy-log' | 'end';

interface Thread {
  readonly worker: Worker;
  readonly exited: Promise<void>;
}

function startThread(workerFile: string, databaseFile: string): Thread {
  obeyThreadLimits();
  const worker = new Worker(workerFile, {
    name: 'search index',
    workerData: { databaseFile },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB, maxOldGenerationSizeMb: OLD_MIB },
  });
  // A process that has nothing else to do does not stay for it.
  worker.unref();
  // It ends by whatever goes wrong; whoever has asked is told, and otherwise the next one who asks starts another.
  worker.on('error', () => undefined);
  return { worker, exited: new Promise((resolve) => worker.once('exit', () => resolve())) };
}

/** What the thread threw has crossed from there as something alike. */
function errorOf(reason: unknown): Error {
  if (isCorruption(reason)) return new IndexDamaged('a page of it is damaged', { cause: reason });
  return reason instanceof Error ? reason : new Error(String(reason));
}

function askThread<Answer>({ worker }: Thread, wanted: IndexingRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      worker.off('message', answer).off('error', fail).off('exit', end);
      then();
    };
    const answer = (message: Answer): void => settle(() => resolve(message));
    const fail = (reason: unknown): void => settle(() => reject(errorOf(reason)));
    const end = (code: number): void =>
      fail(new Error(`the thread of the search index ended with exit code ${String(code)}`));
    worker.on('message', answer).on('error', fail).on('exit', end);
    worker.postMessage(wanted);
  });
}

/**
 * @param workerFile  `indexing-worker.ts`, as an absolute path
 * @param databaseFile  the database, which is open
 */
export function createIndexing(workerFile: string, databaseFile: string): Indexing {
  let thread: Thread | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function start(): Thread {
    const started = startThread(workerFile, databaseFile);
    void started.exited.then(() => {
      if (thread === started) thread = undefined;
    });
    return started;
  }

  async function rest(): Promise<void> {
    const ending = thread;
    thread = undefined;
    if (ending === undefined) return;
    ending.worker.ref();
    ending.worker.postMessage('end' satisfies IndexingRequest);
    await ending.exited;
  }

  async function askOnce<Answer>(wanted: IndexingRequest): Promise<Answer> {
    thread ??= start();
    try {
      return await askThread<Answer>(thread, wanted);
    } catch (reason) {
      await rest();
      throw reason;
    }
  }

  /** One after the other: an answer does not say to what. */
  function ask<Answer>(wanted: IndexingRequest): Promise<Answer> {
    const answering = last.then(() => askOnce<Answer>(wanted));
    last = answering.catch(() => undefined);
    return answering;
  }

  return { index: () => ask<IndexedBlock>('index'), copyLog: () => ask('copy-log'), rest };
}
