/** Whose turn it is in a service where its threads want the processor: on the real process. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, credentials, startServiceForTest } from '../support/service/service.ts';
import { entryOf } from '../support/entries.ts';
import { type ThreadFacts, threadsOf } from '../support/threads.ts';

const LAST = 19;

test.runIf(process.platform === 'linux')(
  'whoever answers comes before the helpers of the engine and the search index',
  async () => {
    const { origin, process: child } = await startServiceForTest({ dev: true });
    const pid = child.pid ?? 0;
    const sender = await credentials(origin, 'ada@example.com');
    const message = { type: 'stream', to: 'general', topic: 'words', content: 'To be indexed' };
    expect(await call(origin, sender, 'POST', '/messages', message)).toMatchObject({ status: 200 });
    const nicenessesOf = (name: string): readonly number[] =>
      threadsOf(pid)
        .filter((thread) => thread.name === name)
        .map(({ nice }) => nice);
    await expect.poll(() => nicenessesOf('search index')).toEqual([LAST]);
    const own = getPriority();
    expect(getPriority(pid)).toBe(own);
    // What runs the tests may be nice already.
    expect(new Set(nicenessesOf('V8Worker'))).toEqual(new Set([Math.min(own + 10, LAST)]));
  },
);

/** Loaded into a process: at its end it says what its threads are. */
const tellThreads = `data:text/javascript,${encodeURIComponent(`
  import { threadsOf } from '${new URL('../support/threads.ts', import.meta.url).href}';
  process.on('exit', () => process.stderr.write(JSON.stringify(threadsOf('self'))));
`)}`;

test.runIf(process.platform === 'linux')(
  'a backup comes after the service that it copies',
  async () => {
    const { dataDir } = await startServiceForTest({ dev: true });
    const into = mkdtempSync(join(tmpdir(), 'hearth-archives-'));
    const backup = [entryOf('hearth'), 'backup', into, '--data-dir', dataDir, '--json'];
    const words = ['--disable-warning=ExperimentalWarning', '--import', tellThreads, ...backup];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    rmSync(into, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({ result: 'success' });
    const threads = JSON.parse(stderr) as readonly ThreadFacts[];
    const nice = Math.min(getPriority() + 10, LAST);
    // The first one runs the code; what packs and reads runs in those of libuv.
    expect(threads[0]?.nice).toBe(nice);
    const workers = threads.filter(({ name }) => name === 'libuv-worker');
    expect(new Set(workers.map((worker) => worker.nice))).toEqual(new Set([nice]));
  },
);
