/** The computer of an office is gone, and its people's clients meet what was restored elsewhere. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { Computer, quickService, type Running } from '#test/support/client/computer.ts';
import { openArchive } from '#backup/archive/read-archive.ts';
import { readSidecars, sealSidecar } from '#backup/account-snapshot.ts';
import { valueOf } from '#test/support/client/client.ts';
import {
  call,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '#test/support/service/service.ts';
import { Mate } from '#test/support/window/office-mates.ts';
import { hearth } from '../hearth-process.ts';
import { restoreOpen } from './restore-open.ts';
import { temporaryFolder } from '../service-process.ts';

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
  const restored = await restoreOpen([file ?? '', ...args], code);
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
});

test('whoever was shut out after the last backup stays out [laptop-gone.shut-last-backup]', async () => {
  const old = await startService({ dev: true, args: quickService });
  const { dataDir } = old;
  const ada = await credentials(old.origin, 'ada@example.com');
  const people = { ben: 'ben@example.com', cleo: 'cleo@example.com', gus: 'gus@example.com' };
  const passwords = { ben: 'an old password', cleo: 'a stolen password' };
  for (const name of ['ben', 'cleo'] as const) {
    await setPassword(old.origin, ada, people[name], passwords[name]);
  }
  const into = temporaryFolder();
  const made = await hearth(['backup', into, '--data-dir', dataDir, '--json']);
  const { file = '', recovery_code: code } = JSON.parse(made.stdout) as Record<string, string>;
  // What was changed before may be there already.
  const before = await sealedIn(into);
  const ids = await idsOf(old.origin, ada);
  const idOf = (email: string): string => String(ids.get(email));
  await call(old.origin, ada, 'DELETE', `/users/${idOf(people.ben)}`);
  await setPassword(old.origin, ada, people.cleo, 'another password');
  await call(old.origin, ada, 'PATCH', `/users/${idOf(people.gus)}`, { is_guest: 'false' });
  await call(old.origin, ada, 'PATCH', `/users/${idOf(people.gus)}`, { is_admin: 'true' });
  await expect.poll(() => sealedIn(into)).not.toEqual(before);
  expect(await standingFiles(into)).toHaveLength(1);
  await old.stop();
  const sealed = await readFile(join(into, (await standingFiles(into))[0] ?? ''));
  expect(sealed.includes('is_active')).toBe(false);

  const next = join(into, 'new');
  const args = ['--data-dir', next, '--yes', '--keep-keys', '--json'];
  const restored = await restoreOpen([file, ...args], code);
  const said = JSON.parse(restored.stdout) as Record<string, unknown>;
  // A bot goes with its owner.
  expect(said).toMatchObject({ changed_accounts: 4, standing_at: expect.any(String) });
  const service = await startService({ dev: true, dataDir: next, args: quickService });
  const signIn = async (username: string, password: string): Promise<number> =>
    (await call(service.origin, null, 'POST', '/fetch_api_key', { username, password })).status;
  expect(await signIn(people.ben, passwords.ben)).toBe(403);
  expect(await signIn(people.cleo, passwords.cleo)).toBe(403);
  expect(await signIn(people.cleo, 'another password')).toBe(200);
  const { members } = (await call(service.origin, ada, 'GET', '/users')).body;
  expect(members).toContainEqual(
    expect.objectContaining({ email: people.gus, is_guest: false, is_admin: true }),
  );
  await service.stop();
});

test('what somebody else puts beside an archive, or has damaged there, shuts nobody out and lets nobody in [laptop-gone.else-puts-beside]', async () => {
  const old = await startService({ dev: true, args: quickService });
  const ada = await credentials(old.origin, 'ada@example.com');
  const into = temporaryFolder();
  const made = await hearth(['backup', into, '--data-dir', old.dataDir, '--json']);
  const { file = '', recovery_code: code } = JSON.parse(made.stdout) as Record<string, string>;
  await setPassword(old.origin, ada, 'cleo@example.com', 'another password');
  await expect.poll(() => standingFiles(into)).toHaveLength(1);
  const { recipient } = JSON.parse(await readFile(join(old.dataDir, 'recovery.json'), 'utf8')) as {
    readonly recipient: string;
  };
  await old.stop();
  const [name = ''] = await standingFiles(into);
  const standings = { epoch: 0, atSeconds: 1e10, accounts: [], deviceIds: [] };
  const forged = await sealSidecar('standing', standings, { recipient, secret: randomBytes(32) });
  const sealed = await readFile(join(into, name));
  const cut = sealed.subarray(0, sealed.length - 1);
  for (const [index, content] of [forged, cut, Buffer.from('no file of age')].entries()) {
    await writeFile(join(into, name), content);
    const args = ['--data-dir', join(into, String(index)), '--yes', '--json'];
    const restored = await restoreOpen([file, ...args], code);
    expect(JSON.parse(restored.stdout)).toMatchObject({ result: 'success', standing_at: null });
  }
});

const standingFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => /^standing-[0-9a-f]{12}-\d+\.age$/.test(name));

const sealedIn = async (folder: string): Promise<readonly string[]> =>
  Promise.all((await standingFiles(folder)).map((name) => readFile(join(folder, name), 'base64')));

async function idsOf(origin: string, auth: Credentials): Promise<ReadonlyMap<string, number>> {
  const { members } = (await call(origin, auth, 'GET', '/users')).body as {
    readonly members: readonly { readonly email: string; readonly user_id: number }[];
  };
  return new Map(members.map(({ email, user_id: id }) => [email, id]));
}

/** By a link that an administrator makes. */
async function setPassword(
  origin: string,
  admin: Credentials,
  email: string,
  password: string,
): Promise<void> {
  const id = (await idsOf(origin, admin)).get(email) ?? 0;
  const made = await call(origin, admin, 'POST', `/users/${String(id)}/password_link`);
  const token = String(made.body['link']).split('/').at(-1) ?? '';
  const used = { token, new_password: password };
  expect(await call(origin, null, 'POST', '/password_link', used)).toMatchObject({ status: 200 });
}

test('the old computer is told nothing when it comes back, and closes itself [laptop-gone.old-computer-nothing]', async () => {
  const old = await startService({ dev: true, args: quickService });
  const pin = (await readFile(join(old.dataDir, 'office-pin'), 'utf8')).trim();
  const computer = await Computer.buy();
  const secure = old.origin.replace('http:', 'https:');
  const joining = { origin: secure, email: 'ada@example.com', words: await safetyWords(pin) };
  const ada = await computer.join(joining, { serverIdentity: desktopServerIdentity });
  const auth = await credentials(old.origin, 'ada@example.com');
  const into = temporaryFolder();
  const made = await hearth(['backup', into, '--data-dir', old.dataDir, '--json']);
  const { file, recovery_code: code } = JSON.parse(made.stdout) as Record<string, string>;
  await old.kill();
  await ada.offline();
  const dataDir = join(into, 'new');
  const args = ['--data-dir', dataDir, '--yes', '--keep-keys', '--json'];
  expect((await restoreOpen([file ?? '', ...args], code)).code).toBe(0);
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
});

const reasonOf = (connection: Running['connection']): string =>
  connection?.state === 'offline' ? connection.reason : '';

interface Five {
  readonly old: RunningService;
  readonly words: string;
}

/** Somebody at a computer of their own, who knows the office by its key. */
async function sitDown({ old, words }: Five, email: string): Promise<readonly [Computer, Running]> {
  const computer = await Computer.buy();
  const origin = old.origin.replace('http:', 'https:');
  return [
    computer,
    await computer.join({ origin, email, words }, { serverIdentity: desktopServerIdentity }),
  ];
}

/** Settles when what lies beside an archive says so. */
async function untilKept(file: string, code: string, expected: object): Promise<void> {
  const { kit, keys, unseal, close } = await openArchive(file, code);
  const sealing = {
    recipient: kit.recipient,
    secret: Buffer.from(keys?.secret ?? '', 'hex'),
    unseal,
  };
  await expect
    .poll(() => readSidecars('standing', dirname(file), sealing))
    .toMatchObject([expected]);
  await close();
}

test('what five colleagues still have comes back to all of them, once, and nothing that is forged or was deleted [laptop-gone.five-colleagues-comes]', async () => {
  const old = await startService({ dev: true, args: quickService });
  const pin = (await readFile(join(old.dataDir, 'office-pin'), 'utf8')).trim();
  const office = { old, words: await safetyWords(pin) };
  const admin = await credentials(old.origin, 'ada@example.com');
  const dan = { email: 'dan@example.com', password: 'a long password' };
  const made = { ...dan, full_name: 'Dan', short_name: 'dan' };
  expect((await call(old.origin, admin, 'POST', '/users', made)).status).toBe(200);
  const people = ['ada', 'ben', 'cleo', 'gus', 'dan'].map((name) => `${name}@example.com`);
  const mates = {
    ben: await Mate.of(() => old.origin, 'ben'),
    ada: await Mate.of(() => old.origin, 'ada'),
  };
  const doomed = await mates.ben.say('general', 'lunch', 'deleted since');
  const seats: (readonly [Computer, Running])[] = [];
  for (const email of people) seats.push(await sitDown(office, email));
  const runnings = seats.map(([, running]) => running);
  const into = temporaryFolder();
  const archived = await hearth(['backup', into, '--data-dir', old.dataDir, '--json']);
  const { file = '', recovery_code: code = '' } = JSON.parse(archived.stdout) as Record<
    string,
    string
  >;

  const all = await mates.ben.say('general', 'lunch', 'for all');
  const edited = await mates.ben.say('general', 'lunch', 'badly put');
  const gone = await mates.ben.say('general', 'lunch', 'regretted');
  const secret = await mates.ben.tell('cleo', 'for two');
  const led = await mates.ada.say('leads', 'plans', 'for leads');
  await mates.ben.edit(edited, 'well put');
  await mates.ada.delete(gone);
  await mates.ada.delete(doomed);
  const last = await mates.ben.say('general', 'lunch', 'the last');
  const danId = (await idsOf(old.origin, admin)).get(dan.email) ?? 0;
  for (const each of runnings) await each.until(() => each.arrived().some(({ id }) => id === last));
  const shut = runnings.at(-1)!;
  await call(old.origin, admin, 'DELETE', `/users/${String(danId)}`);
  await shut.until(() => shut.connection?.state === 'signed-out');
  await untilKept(file, code, {
    deletedIds: [doomed, gone],
    accounts: expect.arrayContaining([expect.objectContaining({ id: danId, is_active: 0 })]),
  });
  await old.kill();
  for (const each of runnings.slice(0, 4)) await each.offline();

  const dataDir = join(into, 'new');
  const args = ['--data-dir', dataDir, '--yes', '--keep-keys', '--json'];
  expect((await restoreOpen([file, ...args], code)).code).toBe(0);
  const port = new URL(old.origin).port;
  const next = await startService({ dev: true, dataDir, args: [...quickService, '--port', port] });
  for (const each of runnings.slice(0, 4)) {
    await each.live();
    await expect.poll(async () => (await each.state()).lost.waiting).toBeGreaterThan(0);
  }
  const [ada, ben, cleo] = runnings as [Running, Running, Running];
  // What was set aside outlives a power cut, and the cache, which has learnt by now what the office has.
  const [computer, cut] = seats[3]!;
  await cut.filled();
  await computer.kill(cut);
  const gus = await computer.start({ serverIdentity: desktopServerIdentity });
  await gus.live();
  const lostOf = async ({ client, account }: Running): Promise<readonly number[]> =>
    valueOf(await client.lostMessages(account.id)).map(({ id }) => id);
  expect(await lostOf(ben)).toEqual([all, edited, secret, led, last]);
  expect(await lostOf(gus)).toEqual([all, edited, last]);

  const again = await mates.ben.say('general', 'lunch', 'again');
  const forged = {
    ...{ id: gone, sender_id: 1, timestamp: 1_600_000_000, stream_id: 1, topic: 'lunch' },
    ...{ content: 'what ada never said', proof: `0.${'A'.repeat(43)}` },
  };
  const messages = [forged, { ...forged, id: again, proof: '' }];
  expect(await mates.ben.ask('POST', '/office/recovered', { messages })).toMatchObject({
    results: messages.map(({ id }) => ({ id, result: 'unproven' })),
  });
  for (const each of [gus, cleo, ben, ada]) {
    valueOf(await each.client.reuploadLost(each.account.id));
    await expect.poll(async () => (await each.state()).lost.waiting).toBe(0);
  }
  const idsIn = async (each: Running): Promise<readonly number[]> => {
    await each.filled();
    return (await each.page()).messages.map(({ id }) => id).sort((a, b) => a - b);
  };
  await expect.poll(() => idsIn(gus)).toEqual([all, edited, last, again]);
  await expect.poll(() => idsIn(cleo)).toEqual([all, edited, secret, last, again]);
  await expect.poll(() => idsIn(ben)).toEqual([all, edited, secret, led, last, again]);
  await expect.poll(() => idsIn(ada)).toEqual([all, edited, led, last, again]);
  expect(await contents(gus)).toContain('<p>well put</p>');
  expect((await mates.ben.contents()).filter((text) => text === 'the last')).toHaveLength(1);
  expect((await gus.state()).lost).toMatchObject({ done: { back: 3, refused: 0 } });
  expect(shut.connection?.state).toBe('signed-out');
  const signedIn = { username: dan.email, password: dan.password };
  expect((await call(next.origin, null, 'POST', '/fetch_api_key', signedIn)).status).toBe(403);
  const { entries } = await mates.ada.ask('GET', '/audit_log', { types: ['messages_recovered'] });
  expect(entries).toMatchObject([
    { actor_id: 2, details: { messages: 1, forged: 0 } },
    { actor_id: 3, details: { messages: 1, forged: 0 } },
    { actor_id: 4, details: { messages: 3, forged: 0 } },
    { actor_id: 2, details: { messages: 0, forged: 2 } },
  ]);
  for (const each of [ada, ben, cleo, gus, shut]) await each.client.stop();
  await next.stop();
});
