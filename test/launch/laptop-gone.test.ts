/** The computer of an office is gone, and its people's clients meet what was restored elsewhere. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desktopOffices } from '../../src-main/desktop/system/office-tls.ts';
import { safetyWords } from '../../src-main/platform/safety-words.ts';
import { Computer, quickService, type Running } from '../support/client/computer.ts';
import { call, credentials, startService } from '../support/service/service.ts';
import { Mate } from '../support/window/office-mates.ts';
import { hearth } from './hearth-process.ts';
import { temporaryFolder } from './service-process.ts';

const contents = async (running: Running): Promise<readonly string[]> =>
  (await running.page()).messages.map(({ rendered }) => rendered);

test('clients resume by themselves with what they wrote, and show what the office has', async () => {
  const old = await startService({ dev: true, args: quickService });
  const { origin } = old;
  const ben = await Mate.of(() => origin, 'ben');
  const computer = await Computer.buy();
  const ada = await computer.join({ origin, email: 'ada@example.com' });
  const kept = await ben.say('general', 'lunch', 'kept');
  const into = temporaryFolder();
  const made = await hearth(['backup', into, '--data-dir', old.dataDir, '--json']);
  const { file, recovery_code: code } = JSON.parse(made.stdout) as Record<string, string>;
  const lost = await ben.say('general', 'lunch', 'lost');
  await ada.until(() => ada.arrived().some(({ id }) => id === lost));
  await old.kill();
  await ada.offline();
  await ada.send('written while nobody was there');
  expect((await ada.state()).outbox).toHaveLength(1);
  const draft = { key: 'private:2', view: { kind: 'private', userIds: [2] }, topic: null } as const;
  await ada.client.saveDraft(ada.account.id, {
    ...draft,
    content: 'not ready',
    changedAtSeconds: 1,
  });

  const dataDir = join(into, 'new');
  const args = ['--data-dir', dataDir, '--yes', '--keep-keys', '--json'];
  const restored = await hearth(['restore', file ?? '', ...args], code);
  expect(restored.code).toBe(0);
  const port = new URL(origin).port;
  const next = await startService({
    ...{ dev: true, dataDir },
    args: [...quickService, '--port', port],
  });
  await ada.live();
  const again = await ben.say('general', 'lunch', 'again');
  expect(again).toBeGreaterThan(lost + 1e7);
  await expect.poll(async () => (await ada.state()).outbox).toEqual([]);
  await ada.until(() => ada.arrived().some(({ id }) => id === again));
  await ada.filled();
  const all = ['kept', 'again', 'written while nobody was there'].map((text) => `<p>${text}</p>`);
  await expect.poll(async () => [...(await contents(ada))].sort()).toEqual([...all].sort());
  const ids = (await ada.page()).messages.map(({ id }) => id);
  expect(ids).toContain(kept);
  expect(ids).not.toContain(lost);
  expect((await ada.state()).drafts).toMatchObject([{ content: 'not ready' }]);
  await ada.client.stop();
  await next.stop();
}, 60_000);

test('the old computer is told nothing when it comes back, and closes itself', async () => {
  const old = await startService({ dev: true, args: quickService });
  const pin = (await readFile(join(old.dataDir, 'office-pin'), 'utf8')).trim();
  const computer = await Computer.buy();
  const secure = old.origin.replace('http:', 'https:');
  const joining = { origin: secure, email: 'ada@example.com', words: await safetyWords(pin) };
  const ada = await computer.join(joining, { offices: desktopOffices });
  const auth = await credentials(old.origin, 'ada@example.com');
  const into = temporaryFolder();
  const made = await hearth(['backup', into, '--data-dir', old.dataDir, '--json']);
  const { file, recovery_code: code } = JSON.parse(made.stdout) as Record<string, string>;
  await old.kill();
  await ada.offline();
  const dataDir = join(into, 'new');
  const args = ['--data-dir', dataDir, '--yes', '--keep-keys', '--json'];
  expect((await hearth(['restore', file ?? '', ...args], code)).code).toBe(0);
  const again = { args: [...quickService, '--port', new URL(old.origin).port], dev: true };
  const next = await startService({ ...again, dataDir });
  await expect.poll(() => computer.accounts[0]?.epoch?.n ?? 0).toBeGreaterThan(1e9);
  await ada.live();
  await next.kill();
  await ada.offline();

  const asked = computer.requests.length;
  const back = await startService({ ...again, dataDir: old.dataDir });
  await ada.until(() => reasonOf(ada.connection).includes('goes on elsewhere'));
  const { status, body } = await call(back.origin, auth, 'GET', '/users/me');
  expect([status, body['code'], body['msg']]).toEqual([
    ...[401, 'REALM_DEACTIVATED', 'This organization goes on on another computer'],
  ]);
  const said = computer.requests.slice(asked).map(({ path }) => path);
  expect(new Set(said)).toEqual(new Set(['/server_settings', '/office/epoch']));
  await back.kill();
  const here = await startService({ ...again, dataDir });
  await ada.live();
  await ada.client.stop();
  await here.stop();
}, 60_000);

const reasonOf = (connection: Running['connection']): string =>
  connection?.state === 'offline' ? connection.reason : '';
