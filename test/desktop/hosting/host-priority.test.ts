/** Whose turn it is where the window and the service both want the processor: on the real thread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHost } from '#hosting/host.ts';
import { makeServerIdentity } from '#node/tls/server-identity.ts';
import { entryOf } from '#test/support/entries.ts';
import { threadsOf } from '#test/support/threads.ts';

/** How nice each thread of this process is to others. */
const nicenesses = (): readonly number[] => threadsOf('self').map(({ nice }) => nice);

test.runIf(process.platform === 'linux')('the service comes behind the window', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hearth-priority-'));
  const before = getPriority();
  expect(nicenesses().filter((nice) => nice > before)).toEqual([]);
  const started = await startHost({
    ...{ dataDir, port: 0, secret: '0'.repeat(64), officeKey: makeServerIdentity().exported() },
    ...{ rendererDir: dataDir, workerFile: entryOf('host-worker') },
  });
  if (!started.ok) throw new Error(started.failure.message);
  try {
    expect(getPriority()).toBe(before);
    expect(nicenesses()).toContain(before + 5);
  } finally {
    await started.value.stop();
    await rm(dataDir, { recursive: true });
  }
});
