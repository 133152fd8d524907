/** What a move brings along, and what becomes of it where the new computer has no room. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  basicAuth,
  call,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '#test/support/service/service.ts';
import { canMount, fillDisk, smallDisk } from '#test/support/small-disk.ts';
import { hearth } from '../hearth-process.ts';
import { moveIn } from './migration.ts';
import { note, sendFile } from '../sent-files.ts';
import { temporaryFolder } from '../service-process.ts';

async function openOffice(): Promise<{ old: RunningService; ada: Credentials; folder: string }> {
  const folder = temporaryFolder();
  const old = await startService({ dev: true, dataDir: join(folder, 'old') });
  onTestFinished(() => old.kill());
  return { old, folder, ada: await credentials(old.origin, 'ada@example.com') };
}

async function codeOf({ dataDir }: RunningService): Promise<string> {
  const { stdout } = await hearth(['move-out', '--data-dir', dataDir, '--json']);
  return (JSON.parse(stdout) as { readonly code: string }).code;
}

async function textAt(origin: string, ada: Credentials, uri: string): Promise<string> {
  const response = await fetch(`${origin}${uri}`, { headers: { authorization: basicAuth(ada) } });
  return response.text();
}

test('files come along, and the recovery code of before opens the archives of the new computer', async () => {
  const { old, ada, folder } = await openOffice();
  const uri = await sendFile(old.origin, ada, '/user_uploads', note('plan.txt', 'the plan'));
  const content = `See [plan.txt](${uri})`;
  const message = { type: 'stream', to: 'general', topic: 'plans', content };
  await call(old.origin, ada, 'POST', '/messages', message);
  const made = await hearth(['recovery-code', '--data-dir', old.dataDir, '--json']);
  const { recovery_code: words } = JSON.parse(made.stdout) as { readonly recovery_code: string };

  const newDir = join(folder, 'new');
  expect((await moveIn(await codeOf(old), newDir).ended).code).toBe(0);
  const next = await startService({ dev: true, dataDir: newDir });
  onTestFinished(() => next.kill());
  expect(await textAt(next.origin, ada, uri)).toBe('the plan');
  const sealed = await hearth(['backup', folder, '--data-dir', newDir, '--json']);
  const { file, recovery_code: another } = JSON.parse(sealed.stdout) as {
    readonly file: string;
    readonly recovery_code: string | null;
  };
  expect(another).toBeNull();
  const shown = await hearth(['restore', file, '--show', '--json'], `${words}\n`);
  expect(JSON.parse(shown.stdout)).toMatchObject({ result: 'success', name: 'Dev', messages: 1 });
});

test.runIf(canMount)(
  'where the disk of the new computer is full that is said, and the move goes on once there is room',
  async () => {
    const { old, ada } = await openOffice();
    const disk = await smallDisk(16);
    const makeRoom = await fillDisk(disk);
    const newDir = join(disk, 'new');
    const code = await codeOf(old);
    const full = await moveIn(code, newDir).ended;
    expect([full.code, full.stderr]).toEqual([1, expect.stringMatching(/The disk of .* is full/)]);
    expect(existsSync(newDir)).toBe(false);
    // It has not let go: it is called off, or goes on.
    await makeRoom();
    const again = await moveIn(code, newDir).ended;
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('finishing')]);
    const { status } = await call(old.origin, ada, 'GET', '/users/me');
    expect(status).toBe(401);
    const next = await startService({ dev: true, dataDir: newDir });
    expect((await call(next.origin, ada, 'GET', '/users/me')).status).toBe(200);
    await next.kill();
  },
);
