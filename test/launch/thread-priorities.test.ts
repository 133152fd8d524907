/** Whose turn it is in a service where its threads want the processor: on the real process. */
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { call, credentials, startServiceForTest } from '../support/service/service.ts';
import { threadsOf } from '../support/threads.ts';

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
