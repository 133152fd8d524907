/** A code that was shown in a window opens nothing before somebody there has said which computer may come. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  cancelMigration,
  confirmMigration,
  issueTransferCode,
} from '#backup/migration/transfer-offer.ts';
import { readPendingTarget } from '#node/migration/transfer-files.ts';
import {
  call,
  credentials,
  type RunningService,
  startService,
} from '#test/support/service/service.ts';
import { moveIn, type MoveIn } from './migration.ts';
import { temporaryFolder } from '../service-process.ts';

async function openOffice(): Promise<{ folder: string; old: RunningService; code: string }> {
  const folder = temporaryFolder();
  const old = await startService({ dev: true, dataDir: join(folder, 'old') });
  onTestFinished(() => old.kill());
  const { code } = await issueTransferCode(old.dataDir, new Date(), true);
  return { folder, old, code };
}

async function numberAsked({ dataDir }: RunningService): Promise<string> {
  await expect.poll(() => readPendingTarget(dataDir)).toBeDefined();
  return (await readPendingTarget(dataDir))?.number ?? '';
}

async function isOpen({ origin }: RunningService): Promise<boolean> {
  const ada = await credentials(origin, 'ada@example.com');
  return (await call(origin, ada, 'GET', '/users/me')).status === 200;
}

const stop = ({ child, ended }: MoveIn): Promise<unknown> => {
  child.kill('SIGKILL');
  return ended;
};

test('the organization stays open until the computer that asks is confirmed, by the number that both show [move-confirming.organization-stays-open]', async () => {
  const { folder, old, code } = await openOffice();
  const moving = moveIn(code, join(folder, 'new'));
  let said = '';
  moving.child.stderr?.on('data', (text: string) => (said += text));
  const number = await numberAsked(old);
  await expect.poll(() => said).toContain(`the number ${number}`);
  expect(await isOpen(old)).toBe(true);

  const other = await moveIn(code, join(folder, 'thief')).ended;
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining('Another computer has come with this code before'),
  ]);
  await expect(confirmMigration(old.dataDir, 'none')).rejects.toThrow('does not ask any more');
  await confirmMigration(old.dataDir, number);
  expect((await moving.ended).code).toBe(0);
  const kept = await readFile(join(folder, 'new', 'moved.json'), 'utf8');
  expect(JSON.parse(kept)).toMatchObject({ name: 'Dev' });
});

test('a computer that is turned away gets nothing, and another code begins anew', async () => {
  const { folder, old, code } = await openOffice();
  const first = moveIn(code, join(folder, 'new'));
  await numberAsked(old);
  expect(await cancelMigration(old.dataDir)).toBe(true);
  const refused = await first.ended;
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('not valid')]);
  expect(await isOpen(old)).toBe(true);

  const second = await issueTransferCode(old.dataDir, new Date(), true);
  const moving = moveIn(second.code, join(folder, 'new'));
  await confirmMigration(old.dataDir, await numberAsked(old));
  expect((await moving.ended).code).toBe(0);
  await expect(issueTransferCode(old.dataDir, new Date(), true)).rejects.toThrow(
    'on another computer',
  );
});

test('a code that is too old lets nobody in who had not been confirmed by then', async () => {
  const { folder, old } = await openOffice();
  const past = new Date(Date.now() - 11 * 60_000);
  const { code } = await issueTransferCode(old.dataDir, past, true);
  const late = moveIn(code, join(folder, 'new'));
  onTestFinished(async () => {
    await stop(late);
  });
  expect((await late.ended).stderr).toContain('not valid');
  expect(await readPendingTarget(old.dataDir)).toBeUndefined();
});
