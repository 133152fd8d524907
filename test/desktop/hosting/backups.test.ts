/** Backups and restores of a hosting desktop: real services, real archives, real threads; only keychain and clock are doubles. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readRecoveryCode } from '#backup/archive/recovery-code.ts';
import {
  readRecoveryKit,
  RECOVERY_KIT_FILE,
  replaceRecoveryKit,
  sealKeys,
} from '#backup/archive/recovery-kit.ts';
import type { BackupsStatus } from '#shared/bridge/models/backups.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { KeyStore } from '#client/ports.ts';
import { type Backups, createBackups } from '#desktop/hosting/backups.ts';
import { moveKeysToFiles } from '#desktop/hosting/host-keys.ts';
import { createHosting, type Hosting } from '#desktop/hosting/hosting.ts';
import { createRestoring, type Restoring } from '#desktop/hosting/restore.ts';
import { createBackupStore } from '#desktop/storage/backup-store.ts';
import { HOST_SECRET, IDENTITY_KEY, RECOVERY_CODE } from '#desktop/system/keychain.ts';
import { startHost } from '#hosting/host.ts';
import { createBackupThread } from '#hosting/backup-thread.ts';
import { openSealedKeys } from '#backup/recovery-keys.ts';
import { archivesIn } from '#test/support/archives.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import { entryOf } from '#test/support/entries.ts';
import { projectDir } from '#test/support/machine.ts';
import { WAIT_LIMIT_MS } from '#test/support/patience.ts';
import { type Answer, basicAuth, call, type Credentials } from '#test/support/service/service.ts';
import { canMount, fillDisk, smallDisk } from '#test/support/small-disk.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface Laptop {
  readonly profile: string;
  readonly keychain: Map<string, string>;
  readonly hosting: Hosting;
  readonly backups: Backups;
  readonly restoring: Restoring;
  readonly clock: FakeClock;
}

let folder: string;
let laptops: Laptop[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-backups-'));
});
afterEach(async () => {
  for (const { backups, hosting } of laptops) {
    await backups.end();
    await hosting.stop();
  }
  laptops = [];
  rmSync(folder, { recursive: true });
});

function keyStoreOf(kept: Map<string, string>): KeyStore {
  return {
    find: async (name) => kept.get(name),
    save: async (name, secret) => void kept.set(name, secret),
    remove: async (name) => void kept.delete(name),
  };
}

/** A computer with Hearth on it, on which nothing runs yet. */
function laptop(name: string): Laptop {
  const profile = join(folder, name);
  mkdirSync(profile);
  const keychain = new Map<string, string>();
  const keys = keyStoreOf(keychain);
  const log = createTestLog();
  const dataDir = join(profile, 'service');
  const clock = new FakeClock();
  const backupThread = createBackupThread(entryOf('backup-worker'));
  const hosting = createHosting({
    ...{ startHost, keys, log, dataDir, clock },
    workerFile: entryOf('host-worker'),
    rendererDir: join(projectDir, 'out', 'renderer'),
    port: async () => 0,
    savePort: async () => undefined,
  });
  const backups = createBackups({
    ...{ backupThread, dataDir, keys, clock, log, hosting },
    store: createBackupStore(profile, log),
    defaultFolder: join(profile, 'backups'),
    version: '1.2.3',
  });
  const made = { profile, keychain, hosting, backups, clock };
  const restoring = createRestoring({ backupThread, dataDir, keys, hosting });
  laptops.push({ ...made, restoring });
  return { ...made, restoring };
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.value;
}

const person = { email: 'ada@example.com', password: 'correct horse' };

async function originOf({ hosting }: Pick<Laptop, 'hosting'>): Promise<string> {
  return valueOf(await hosting.start()).address;
}

/** An office with one message, hosted on a laptop. */
async function office(host: Laptop): Promise<Credentials> {
  const { address, setupCode = '' } = valueOf(await host.hosting.start());
  const response = await fetch(`${address}/api/v1/organization`, {
    method: 'POST',
    body: new URLSearchParams({
      realm_name: 'Team',
      full_name: 'Ada',
      ...person,
      setup_code: setupCode,
    }),
  });
  const { api_key: key } = (await response.json()) as { api_key: string };
  const ada = { email: person.email, key };
  await send(address, ada, 'the plan');
  return ada;
}

const send = (origin: string, auth: Credentials, content: string): ReturnType<typeof call> =>
  call(origin, auth, 'POST', '/messages', { type: 'private', to: '["ada@example.com"]', content });

async function contents(origin: string, auth: Credentials): Promise<readonly string[]> {
  const page = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false };
  const { body } = await call(origin, auth, 'GET', '/messages', page);
  return (body as unknown as { messages: { content: string }[] }).messages.map(
    ({ content }) => content,
  );
}

async function signIn(origin: string): Promise<Credentials> {
  const { username, ...password } = { username: person.email, password: person.password };
  const response = await fetch(`${origin}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username, ...password }),
  });
  return { email: username, key: ((await response.json()) as { api_key: string }).api_key };
}

const statusOf = async ({ backups }: Laptop): Promise<BackupsStatus> =>
  valueOf(await backups.status());

/** Threads and disks take their time. */
const becomes = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: WAIT_LIMIT_MS });

/** The next look is waited for before the clock moves: one that begins later would miss it. */
async function advance({ clock }: Laptop, ms: number): Promise<void> {
  await becomes(async () => expect(clock.pending).not.toEqual([]));
  await clock.advance(ms);
}

const names = (dir: string): readonly string[] => (existsSync(dir) ? readdirSync(dir) : []);

describe('backups of a hosting desktop', () => {
  test('backups are made once a day by themselves, with a code that the keychain keeps until somebody has it', async () => {
    const host = laptop('old');
    expect(await host.backups.status()).toMatchObject({ failure: { code: 'NOT_HOSTED' } });
    await office(host);
    const into = join(host.profile, 'backups');
    expect(await statusOf(host)).toMatchObject({
      folder: into,
      isDefaultFolder: true,
      isSameDisk: true,
      last: null,
      code: 'none',
      isReminding: false,
    });
    host.backups.begin();
    await advance(host, MINUTE_MS);
    await becomes(async () => expect((await statusOf(host)).last).not.toBeNull());
    const first = await statusOf(host);
    expect(first).toMatchObject({ code: 'unconfirmed', isReminding: true, failure: null });
    expect(first.last).toMatchObject({ messages: 1, lostFiles: 0 });
    expect(archivesIn(into)).toHaveLength(1);

    // The next one is due a day later, not a minute later.
    await advance(host, 3 * MINUTE_MS);
    expect((await statusOf(host)).last).toEqual(first.last);
    await advance(host, DAY_MS);
    await becomes(async () => expect((await statusOf(host)).last).not.toEqual(first.last));

    const code = valueOf(await host.backups.showCode(false));
    expect(host.keychain.get(RECOVERY_CODE)).toBe(code);
    expect(valueOf(await host.backups.showCode(false))).toBe(code);
    const swapped = code.split(' ').reverse().join(' ');
    expect(await host.backups.confirmCode(swapped)).toMatchObject({
      failure: { argument: 'code' },
    });
    expect(valueOf(await host.backups.confirmCode(code.toUpperCase()))).toMatchObject({
      code: 'confirmed',
      // Still on the disk of the messages.
      isReminding: true,
    });
    expect(host.keychain.has(RECOVERY_CODE)).toBe(false);
    expect(await host.backups.showCode(false)).toMatchObject({ failure: { code: 'CODE_SHOWN' } });
    expect(valueOf(await host.backups.putOff()).isReminding).toBe(false);
    await advance(host, 8 * DAY_MS);
    expect((await statusOf(host)).isReminding).toBe(true);
  });

  test('backups say why there is none, stop asking the disk for an hour, and go on where it is back', async () => {
    const host = laptop('old');
    await office(host);
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    expect(await host.backups.setFolder('disk')).toMatchObject({ failure: { argument: 'folder' } });
    valueOf(await host.backups.setFolder(disk));
    rmSync(disk, { recursive: true });
    host.backups.begin();
    await advance(host, MINUTE_MS);
    await becomes(async () => expect((await statusOf(host)).failure).not.toBeNull());
    const failed = await statusOf(host);
    expect(failed.failure?.reason).toContain(`There is no folder ${disk}`);
    expect(failed).toMatchObject({ isReminding: true, last: null });
    // What the next one is sealed by is not lost with this one.
    expect(failed.code).toBe('unconfirmed');
    expect(host.keychain.has(RECOVERY_CODE)).toBe(true);
    mkdirSync(disk);
    await advance(host, 30 * MINUTE_MS);
    expect((await statusOf(host)).failure).toEqual(failed.failure);
    await advance(host, 31 * MINUTE_MS);
    await becomes(async () => expect((await statusOf(host)).failure).toBeNull());
    expect(archivesIn(disk)).toHaveLength(1);
    expect((await statusOf(host)).last?.file.startsWith(disk)).toBe(true);
  });

  test.runIf(canMount)('backups say that the disk is full, and leave nothing there', async () => {
    const host = laptop('old');
    await office(host);
    const disk = await smallDisk(2);
    await fillDisk(disk);
    valueOf(await host.backups.setFolder(disk));
    expect(await host.backups.backUp()).toMatchObject({ ok: false });
    expect((await statusOf(host)).failure?.reason).toContain(`disk of ${disk} is full`);
    expect((await statusOf(host)).isReminding).toBe(true);
    expect(names(disk).filter((name) => name !== 'ballast')).toEqual([]);
  });

  test('backups do not mind a copy of one’s own, sealed or as a folder, each whole by itself', async () => {
    const host = laptop('old');
    await office(host);
    expect(await host.backups.saveCopy(join(folder, 'none'), false)).toMatchObject({ ok: false });
    const stick = join(folder, 'stick');
    mkdirSync(stick);
    const sealed = valueOf(await host.backups.saveCopy(stick, false));
    const plain = valueOf(await host.backups.saveCopy(stick, true));
    expect([sealed, plain]).toMatchObject([
      { messages: 1, lostFiles: 0 },
      { messages: 1, lostFiles: 0 },
    ]);
    expect(new Set(archivesIn(stick))).toEqual(
      new Set([basename(sealed.path), basename(plain.path)]),
    );
    expect(names(plain.path)).toContain('hearth.db');
    // The keychain has the keys: whoever finds the folder is no host.
    expect(names(plain.path)).not.toContain('secret');
    expect(await statusOf(host)).toMatchObject({ last: null, code: 'unconfirmed' });
    const code = valueOf(await host.backups.showCode(false));
    expect(valueOf(await laptop('new').restoring.inspect(sealed.path, code))).toMatchObject({
      ...{ messages: 1, hasKeys: true },
    });
  });

  test('backups keep their choices over a restart of the application, whatever is under way', async () => {
    const host = laptop('old');
    await office(host);
    valueOf(await host.backups.setTime({ hours: 3, minutes: 5 }));
    const [one, other] = await Promise.all([host.backups.backUp(), host.backups.backUp()]);
    expect(one).toEqual(other);
    expect(archivesIn(join(host.profile, 'backups'))).toHaveLength(1);
    const kept = createBackupStore(host.profile, createTestLog());
    expect(await kept.read()).toMatchObject({
      at: { hours: 3, minutes: 5 },
      last: { messages: 1 },
    });
    const ending = host.backups.backUp();
    await host.backups.end();
    await ending;
    const left = archivesIn(join(host.profile, 'backups'));
    expect(left.filter((name) => !name.endsWith('.hearth'))).toEqual([]);
  });
});

/** A laptop with an office, one archive of it and its code. */
async function backedUp(): Promise<{
  readonly host: Laptop;
  readonly ada: Credentials;
  readonly file: string;
  readonly code: string;
}> {
  const host = laptop('old');
  const ada = await office(host);
  const { last } = valueOf(await host.backups.backUp());
  const code = valueOf(await host.backups.showCode(false));
  return { host, ada, file: last?.file ?? '', code };
}

describe('an organization whose keys are in other hands', () => {
  const isRefused = async (origin: string, auth: Credentials): Promise<boolean> => {
    const headers = { authorization: basicAuth(auth) };
    return (await fetch(`${origin}/api/v1/users/me`, { headers })).status === 401;
  };

  test('an organization with stolen keys goes on with others at the same address, sealed in a backup of their own', async () => {
    const { host, ada, file, code } = await backedUp();
    const origin = await originOf(host);
    const before = new Map(host.keychain);
    const swapped = code.split(' ').reverse().join(' ');
    expect(await host.backups.declareStolen(swapped)).toMatchObject({
      failure: { argument: 'code' },
    });
    expect(host.hosting.status()).toMatchObject({ phase: 'running' });
    expect(await isRefused(origin, ada)).toBe(false);

    valueOf(await host.backups.declareStolen(code));
    await becomes(async () => expect((await statusOf(host)).last?.file).not.toBe(file));
    expect(host.hosting.status()).toMatchObject({ phase: 'running', address: origin });
    expect(host.keychain.get(HOST_SECRET)).not.toBe(before.get(HOST_SECRET));
    expect(host.keychain.get(IDENTITY_KEY)).not.toBe(before.get(IDENTITY_KEY));
    const dataDir = join(host.profile, 'service');
    expect(names(dataDir).filter((name) => ['secret', 'office-key'].includes(name))).toEqual([]);
    expect(await isRefused(origin, ada)).toBe(true);
    const again = await signIn(origin);
    expect(await contents(origin, again)).toEqual(['the plan']);

    // The same words open what is made from now on, and whoever restores it is the same office.
    const { last } = await statusOf(host);
    const next = laptop('new');
    const shown = valueOf(await next.restoring.inspect(last?.file ?? '', code));
    expect(shown).toMatchObject({ messages: 1, hasKeys: true, hasNextKey: true });
    valueOf(
      await next.restoring.restore({ keepsKeys: true, isStolen: false, acceptsDamage: false }),
    );
    expect(await contents(await originOf(next), again)).toEqual(['the plan']);
  });

  test('an organization with stolen keys goes on as it was where the change fails, and with the keys in the keychain', async () => {
    const { host, ada, code } = await backedUp();
    const origin = await originOf(host);
    const before = new Map(host.keychain);
    const dataDir = join(host.profile, 'service');
    // What is sealed has no other key: nobody would know the organization by one.
    const kit = readFileSync(join(dataDir, RECOVERY_KIT_FILE));
    const opened = await openSealedKeys(dataDir, readRecoveryCode(code));
    const known = await readRecoveryKit(dataDir);
    if (known === undefined) throw new Error('there is no kit');
    const sealed = await sealKeys({ ...opened, successorKey: null }, known.recipient);
    await replaceRecoveryKit(dataDir, { ...known, keys: sealed, successor: null });
    expect(await host.backups.declareStolen(code)).toMatchObject({
      failure: {
        message: expect.stringMatching(/^No other key was made/) as string,
        cause: { name: 'next_key_missing', values: {} },
      },
    });
    expect(host.hosting.status()).toMatchObject({ phase: 'running', address: origin });
    expect(host.keychain).toEqual(before);
    expect(names(dataDir)).not.toContain('secret');
    expect(await isRefused(origin, ada)).toBe(false);

    // Killed between the two: the keys lie in their files, and the next start takes them back.
    writeFileSync(join(dataDir, RECOVERY_KIT_FILE), kit);
    await host.hosting.stop();
    await moveKeysToFiles({ keys: keyStoreOf(host.keychain), dataDir });
    expect(host.keychain.has(HOST_SECRET)).toBe(false);
    expect(names(dataDir)).toContain('secret');
    expect(await isRefused(await originOf(host), ada)).toBe(false);
    expect(host.keychain).toEqual(before);
  });
});

describe('an organization comes back', () => {
  test('an organization is restored on another computer, with its keys in the keychain there and in no file', async () => {
    const { ada, file, code, host } = await backedUp();
    const next = laptop('new');
    expect(
      await next.restoring.restore({ keepsKeys: true, isStolen: false, acceptsDamage: false }),
    ).toMatchObject({
      failure: { argument: 'file' },
    });
    expect(await next.restoring.inspect(file, 'one two')).toMatchObject({
      failure: { code: 'BAD_CODE', argument: 'code' },
    });
    expect(await next.restoring.inspect(join(folder, 'none.hearth'), code)).toMatchObject({
      failure: { argument: 'file' },
    });
    const shown = valueOf(await next.restoring.inspect(file, code));
    expect(shown).toMatchObject({ name: 'Team', messages: 1, files: 0, hasKeys: true });
    expect(shown.safetyWords?.split(' ')).toHaveLength(6);

    const running = valueOf(
      await next.restoring.restore({ keepsKeys: true, isStolen: false, acceptsDamage: false }),
    );
    expect(running).toMatchObject({ phase: 'running' });
    const dataDir = join(next.profile, 'service');
    expect(existsSync(join(dataDir, 'secret'))).toBe(false);
    expect(existsSync(join(dataDir, 'office-key'))).toBe(false);
    expect(next.keychain).toEqual(
      new Map([...host.keychain].filter(([name]) => name !== RECOVERY_CODE)),
    );
    const origin = await originOf(next);
    expect(await contents(origin, ada)).toEqual(['the plan']);
    expect(await next.restoring.inspect(file, code)).toMatchObject({ ok: true });
    expect(
      await next.restoring.restore({ keepsKeys: true, isStolen: false, acceptsDamage: false }),
    ).toMatchObject({
      failure: { code: 'ALREADY_HOSTED' },
    });
    // The code of before opens what is made here, and somebody has it.
    expect(await statusOf(next)).toMatchObject({ code: 'confirmed', last: null });
    expect(valueOf(await next.backups.backUp())).toMatchObject({ code: 'confirmed' });
  });

  test('where everybody signs in anew, under the password of before: administrators at once, others after it is opened, which a restart does not do [backups.everybody-signs-anew]', async () => {
    const { ada: before, file, code, host } = await backedUp();
    expect(valueOf(await host.restoring.missing())).toBeNull();
    const next = laptop('new');
    const { madeAtSeconds } = valueOf(await next.restoring.inspect(file, code));
    valueOf(
      await next.restoring.restore({ keepsKeys: false, isStolen: false, acceptsDamage: false }),
    );
    const isClosed = { phase: 'running', isClosed: true };
    expect(next.hosting.status()).toMatchObject(isClosed);
    const origin = await originOf(next);
    const headers = { authorization: basicAuth(before) };
    expect((await fetch(`${origin}/api/v1/users/me`, { headers })).status).toBe(401);
    const ada = await signIn(origin);
    expect(await contents(origin, ada)).toEqual(['the plan']);
    const ben = { email: 'ben@example.com', password: 'quiet morning' };
    await call(origin, ada, 'POST', '/users', { ...ben, full_name: 'Ben' });
    const comes = async (): Promise<Answer> => {
      const params = { username: ben.email, password: ben.password };
      return call(await originOf(next), null, 'POST', '/fetch_api_key', params);
    };
    const refused = { status: 503, body: { code: 'ORGANIZATION_CLOSED' } };
    expect(await comes()).toMatchObject(refused);
    await next.hosting.stop();
    expect(valueOf(await next.restoring.missing())).toBeNull();
    await next.hosting.start();
    expect(next.hosting.status()).toMatchObject(isClosed);
    expect(valueOf(await next.restoring.missing())).toMatchObject({
      sinceSeconds: madeAtSeconds,
      lostFiles: 0,
    });
    expect(await comes()).toMatchObject(refused);

    expect(valueOf(await next.restoring.open())).not.toHaveProperty('isClosed');
    await becomes(async () => expect(await comes()).toMatchObject({ status: 200 }));
    expect(valueOf(await next.restoring.missing())).toBeNull();
    valueOf(await next.restoring.open());
    const { body } = await call(await originOf(next), ada, 'GET', '/audit_log', {
      types: ['organization_reactivated'],
    });
    expect(body['entries']).toHaveLength(1);
  });

  test('when the keychain has lost its keys: by the code, or with new ones', async () => {
    const { host, ada, code } = await backedUp();
    await host.hosting.stop();
    const before = new Map(host.keychain);
    host.keychain.clear();
    expect(await host.hosting.start()).toMatchObject({ failure: { code: 'HOST_SECRET_MISSING' } });
    expect(await host.restoring.unlock('zoo '.repeat(13))).toMatchObject({
      failure: { argument: 'code' },
    });
    expect(valueOf(await host.restoring.unlock(code))).toMatchObject({ phase: 'running' });
    expect(host.keychain.get('host-secret')).toBe(before.get('host-secret'));
    expect(await contents(await originOf(host), ada)).toEqual(['the plan']);

    await host.hosting.stop();
    host.keychain.clear();
    expect(valueOf(await host.restoring.startWithNewKeys())).toMatchObject({ phase: 'running' });
    expect(host.keychain.get('office-key')).not.toBe(before.get('office-key'));
    const origin = await originOf(host);
    expect((await call(origin, ada, 'GET', '/users/me')).status).toBe(401);
    expect(await contents(origin, await signIn(origin))).toEqual(['the plan']);
  });
});
