/** Moves of hosting desktops: real services, real threads, real sockets; only the keychain is a double. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import type { MigrationTargetStatus, MigrationSourceStatus } from '#shared/bridge/models/moving.ts';
import { createHosting, type Hosting } from '#desktop/hosting/hosting.ts';
import { createMigrationTarget, type MigrationTarget } from '#desktop/hosting/migration-in.ts';
import { createMigrationSource, type MigrationSource } from '#desktop/hosting/migration-out.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { startHost } from '#hosting/host.ts';
import { createBackupThread } from '#hosting/backup-thread.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';
import { entryOf } from '#test/support/entries.ts';
import { call } from '#test/support/service/service.ts';

const owner = {
  realm_name: 'Lantern Office',
  full_name: 'Ada Admin',
  email: 'ada@example.com',
  password: 'correct horse battery',
};

interface Laptop {
  readonly profile: string;
  readonly hosting: Hosting;
  readonly out: MigrationSource;
  readonly into: MigrationTarget;
  /** What the window was told, in order. */
  readonly left: MigrationSourceStatus[];
  readonly came: MigrationTargetStatus[];
  readonly opened: boolean[];
  accounts: Account[];
}

let folder: string;
let laptops: Laptop[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-moving-'));
});
afterEach(async () => {
  for (const { out, into, hosting } of laptops) {
    out.end();
    await into.stop();
    await hosting.stop();
  }
  laptops = [];
  rmSync(folder, { recursive: true });
});

const account = (changes: Partial<Account>): Account => ({
  ...{ id: 'a', address: 'https://192.0.2.1:9981', realmName: 'Lantern Office' },
  ...{ email: owner.email, fullName: owner.full_name, userId: 1, isHosted: false },
  ...changes,
});

function laptop(name: string): Laptop {
  const profile = join(folder, name);
  mkdirSync(profile);
  const kept = new Map<string, string>();
  const keys = {
    find: async (key: string) => kept.get(key),
    save: async (key: string, secret: string) => void kept.set(key, secret),
    remove: async (key: string) => void kept.delete(key),
  };
  const log = createTestLog();
  const dataDir = join(profile, 'service');
  const backupThread = createBackupThread(entryOf('backup-worker'));
  const hosting = createHosting({
    ...{ startHost, keys, log, dataDir, clock: desktopClock },
    workerFile: entryOf('host-worker'),
    rendererDir: join(profile, 'none'),
    port: async () => 0,
    savePort: async () => undefined,
  });
  const reassignHost = async (change: (known: Account) => Account): Promise<void> => {
    made.accounts = made.accounts.map(change);
  };
  const opened: boolean[] = [];
  const networkAccess = {
    setOpen: async (isOpen: boolean) => {
      opened.push(isOpen);
      throw new Error('nobody lets others in here');
    },
  };
  const own = { backupThread, dataDir, keys, hosting, reassignHost, log };
  const out = createMigrationSource({ ...own, clock: desktopClock });
  const into = createMigrationTarget({ ...own, networkAccess, computer: name });
  const made: Laptop = { profile, hosting, out, into, left: [], came: [], opened, accounts: [] };
  out.begin((status) => made.left.push(status));
  into.onStatus((status) => made.came.push(status));
  laptops.push(made);
  return made;
}

async function originOf({ hosting }: Laptop): Promise<string> {
  const started = await hosting.start();
  if (!started.ok) throw new Error(started.failure.message);
  return started.value.address;
}

function codeIn(offered: Outcome<MigrationSourceStatus>): string {
  if (!offered.ok || offered.value.phase !== 'offered') throw new Error('there is no code');
  return offered.value.code ?? '';
}

/** Confirms whoever asks as soon as they do. */
async function move(from: Laptop, to: Laptop): Promise<void> {
  const offered = await from.out.offer();
  const coming = to.into.begin({ code: codeIn(offered), opensToNetwork: false });
  await expect.poll(() => from.left.at(-1)?.phase).toBe('asked');
  const asked = from.left.at(-1);
  if (asked?.phase !== 'asked') throw new Error('nobody asks');
  await expect.poll(() => to.came.at(-1)?.phase).toBe('waiting');
  expect(to.came.at(-1)).toMatchObject({
    organization: { number: asked.number, name: owner.realm_name },
  });
  expect((await from.out.confirm(asked.number)).ok).toBe(true);
  expect(await coming).toMatchObject({ ok: true });
  await expect.poll(() => from.left.at(-1)?.phase).toBe('moved');
}

test('an organization moves to another computer and back, and what was left makes room', async () => {
  const [old, next] = [laptop('old'), laptop('next')];
  const created = await call(await originOf(old), null, 'POST', '/organization', owner);
  const ada = { email: owner.email, key: String(created.body['api_key']) };
  expect(await old.hosting.hasData()).toBe(true);
  const pin = old.hosting.running()?.fingerprint ?? '';
  next.accounts = [account({ pin }), account({ id: 'b', pin: 'another' })];

  await move(old, next);
  expect([await old.hosting.hasData(), await old.hosting.hasService()]).toEqual([false, true]);
  expect(await next.hosting.hasData()).toBe(true);
  const there = await originOf(next);
  expect((await call(there, ada, 'GET', '/users/me')).status).toBe(200);
  expect((await call(await originOf(old), ada, 'GET', '/users/me')).status).toBe(401);
  // Who was signed in there is at home now, and nobody else.
  expect(next.accounts).toEqual([
    account({ isHosted: true, address: there }),
    account({ id: 'b', pin: 'another' }),
  ]);
  expect(await next.into.begin({ code: 'nonsense', opensToNetwork: false })).toMatchObject({
    failure: { code: 'BAD_CODE' },
  });

  await move(next, old);
  expect(readdirSync(old.profile).sort()).toEqual(['service', 'service.moved-1']);
  expect(old.hosting.running()?.fingerprint).toBe(pin);
  expect((await call(await originOf(old), ada, 'GET', '/users/me')).status).toBe(200);
  expect(await next.hosting.hasData()).toBe(false);
});

test('a move is called off at either computer, and nothing has happened', async () => {
  const [old, next] = [laptop('old'), laptop('next')];
  const origin = await originOf(old);
  const created = await call(origin, null, 'POST', '/organization', owner);
  const ada = { email: owner.email, key: String(created.body['api_key']) };
  const offered = await old.out.offer();
  const code = codeIn(offered);

  const first = next.into.begin({ code, opensToNetwork: true });
  await expect.poll(() => next.came.at(-1)?.phase).toBe('waiting');
  expect(await next.into.begin({ code, opensToNetwork: true })).toMatchObject({
    failure: { code: 'BUSY' },
  });
  await next.into.stop();
  expect(await first).toMatchObject({ failure: { code: 'CANCELLED' } });
  expect(await next.into.status()).toEqual({ ok: true, value: { phase: 'none' } });

  const second = next.into.begin({ code, opensToNetwork: true });
  await expect.poll(() => next.came.at(-1)?.phase).toBe('waiting');
  expect(await old.out.callOff()).toEqual({ ok: true, value: { phase: 'none' } });
  expect(await second).toMatchObject({ ok: false, failure: { code: 'FAILED' } });
  expect((await call(origin, ada, 'GET', '/users/me')).status).toBe(200);
  expect(existsSync(join(next.profile, 'service'))).toBe(false);
  expect(next.opened).toEqual([]);
});
