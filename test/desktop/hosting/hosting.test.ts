import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock, KeyStore } from '#client/ports.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import {
  createHosting,
  type HostingParts,
  type HostStart,
  type RunningHost,
} from '#desktop/hosting/hosting.ts';
import { readServerIdentity } from '#node/tls/server-identity.ts';
import { HOST_SECRET, KeychainError, IDENTITY_KEY } from '#desktop/system/keychain.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-hosting-'));
});
afterEach(() => rm(folder, { recursive: true }));

const emptyKeychain = (): KeyStore & { readonly kept: Map<string, string> } => {
  const kept = new Map<string, string>();
  return {
    kept,
    find: async (name) => kept.get(name),
    save: async (name, secret) => void kept.set(name, secret),
    remove: async (name) => void kept.delete(name),
  };
};

/** Services that end when the test says so, and the starts that were asked for. */
function fakeService(): {
  readonly starts: HostStart[];
  readonly answers: Outcome<RunningHost>[];
  readonly startHost: HostingParts['startHost'];
  readonly die: () => void;
} {
  const starts: HostStart[] = [];
  const answers: Outcome<RunningHost>[] = [];
  let die = (): void => undefined;
  return {
    starts,
    answers,
    die: () => die(),
    startHost: async (start) => {
      starts.push(start);
      const exited = new Promise<void>((resolve) => (die = resolve));
      const port = start.port === 0 ? 4321 : start.port;
      const stop = async (): Promise<void> => die();
      const origin = `http://127.0.0.1:${port}`;
      const makePasswordLink = async (email: string) => success(`${origin}/#for ${email}`);
      const listenOn = async () => ({ closed: [], visitors: [] });
      const changeTargets = async () => success([]);
      const setAsleep = async () => undefined;
      const facts = { origin, fingerprint: '', setupCode: null, isClosed: false };
      const calls = { makePasswordLink, listenOn, changeTargets, setAsleep };
      const host = { ...facts, ...calls, exited, stop };
      return answers.shift() ?? success(host);
    },
  };
}

function hostingWith(parts: Partial<HostingParts>): ReturnType<typeof createHosting> {
  return createHosting({
    startHost: fakeService().startHost,
    keys: emptyKeychain(),
    clock: { now: () => 0, random: () => 0, wait: async () => undefined },
    log: createTestLog(),
    port: async () => 0,
    savePort: async () => undefined,
    workerFile: 'worker.js',
    rendererDir: 'renderer',
    dataDir: join(folder, 'service'),
    ...parts,
  });
}

test('the first start makes a secret and a key and keeps them in the keychain, and later ones use them', async () => {
  const keys = emptyKeychain();
  const service = fakeService();
  const first = hostingWith({ keys, startHost: service.startHost });
  expect(await first.start()).toEqual(success({ address: 'http://127.0.0.1:4321' }));
  const secret = keys.kept.get(HOST_SECRET);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  const officeKey = keys.kept.get(IDENTITY_KEY);
  expect(readServerIdentity(officeKey ?? '')?.fingerprint).toMatch(/^[a-z2-7]{52}$/);
  await first.stop();
  await hostingWith({ keys, startHost: service.startHost }).start();
  expect(service.starts).toMatchObject([
    { secret, officeKey },
    { secret, officeKey },
  ]);
});

test('a link to a new password is made while the service runs, and not otherwise', async () => {
  const hosting = hostingWith({});
  const email = 'ada@example.com';
  expect(await hosting.makePasswordLink(email)).toMatchObject({ failure: { code: 'NOT_RUNNING' } });
  await hosting.start();
  expect(await hosting.makePasswordLink(email)).toEqual(
    success(`http://127.0.0.1:4321/#for ${email}`),
  );
  await hosting.stop();
});

test('a service that runs is not started twice, also when asked at the same time', async () => {
  const service = fakeService();
  const hosting = hostingWith({ startHost: service.startHost });
  await Promise.all([hosting.start(), hosting.start()]);
  await hosting.start();
  expect(service.starts).toHaveLength(1);
  await hosting.stop();
});

test('a database without its secret is not given a new one', async () => {
  await mkdir(join(folder, 'service'));
  await writeFile(join(folder, 'service', 'hearth.db'), 'rows');
  const keys = emptyKeychain();
  const service = fakeService();
  const started = await hostingWith({ keys, startHost: service.startHost }).start();
  expect(started).toMatchObject({ ok: false, failure: { code: 'HOST_SECRET_MISSING' } });
  expect(keys.kept.size).toBe(0);
  expect(service.starts).toEqual([]);
});

test('an office of before there were keys gets one; one that has lost its key does not', async () => {
  await mkdir(join(folder, 'service'));
  await writeFile(join(folder, 'service', 'hearth.db'), 'rows');
  const keys = emptyKeychain();
  await keys.save(HOST_SECRET, 'ab'.repeat(32));
  const service = fakeService();
  const first = hostingWith({ keys, startHost: service.startHost });
  expect(await first.start()).toMatchObject({ ok: true });
  await first.stop();
  expect(keys.kept.has(IDENTITY_KEY)).toBe(true);
  await writeFile(join(folder, 'service', 'office-pin'), 'as the service leaves it');
  keys.kept.delete(IDENTITY_KEY);
  const second = await hostingWith({ keys, startHost: service.startHost }).start();
  expect(second).toMatchObject({ ok: false, failure: { code: 'HOST_SECRET_MISSING' } });
  expect(service.starts).toHaveLength(1);
});

test('a keychain that refuses is said in its own sentence', async () => {
  const refuse = (): Promise<never> => Promise.reject(new KeychainError('Unlock it.'));
  const keys = { find: refuse, save: refuse, remove: refuse };
  expect(await hostingWith({ keys }).start()).toEqual(failure('NO_KEYCHAIN', 'Unlock it.'));
});

test('a service that ends by itself is started again on its port, with growing pauses', async () => {
  const service = fakeService();
  const pauses: number[] = [];
  const clock: Clock = { now: () => 0, random: () => 0, wait: async (ms) => void pauses.push(ms) };
  const hosting = hostingWith({ startHost: service.startHost, clock });
  await hosting.start();
  const refused = failure('PORT_IN_USE', 'The port is in use.');
  service.answers.push(refused, refused);
  service.die();
  await expect.poll(() => service.starts.length).toBe(4);
  expect(service.starts.map(({ port }) => port)).toEqual([0, 4321, 4321, 4321]);
  service.die();
  await expect.poll(() => service.starts.length).toBe(5);
  expect(pauses).toEqual([1000, 2000, 4000, 8000]);
  await hosting.stop();
});

test('a service that was stopped stays stopped', async () => {
  const service = fakeService();
  const hosting = hostingWith({ startHost: service.startHost });
  await hosting.start();
  await hosting.stop();
  await Promise.resolve();
  expect(service.starts).toHaveLength(1);
});

test('a failed start can be tried again', async () => {
  const service = fakeService();
  service.answers.push(failure('PORT_IN_USE', 'The port is in use.'));
  const hosting = hostingWith({ startHost: service.startHost });
  expect(await hosting.start()).toEqual(failure('PORT_IN_USE', 'The port is in use.'));
  expect(await hosting.start()).toMatchObject({ ok: true });
  await hosting.stop();
});
