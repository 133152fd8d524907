import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HostStart, type RunningHost, startHost } from '#hosting/host.ts';
import { makeServerIdentity } from '#node/tls/server-identity.ts';
import { entryOf } from '../support/entries.ts';
import { post } from './service-process.ts';

const officeKey = makeServerIdentity().exported();

let folder: string;
let running: RunningHost[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-host-'));
});
afterEach(async () => {
  await Promise.all(running.map((host) => host.stop()));
  running = [];
  rmSync(folder, { recursive: true });
});

const start = (more: Partial<HostStart> = {}): ReturnType<typeof startHost> =>
  startHost({
    workerFile: entryOf('host-worker'),
    dataDir: join(folder, 'data'),
    port: 0,
    secret: 'ab'.repeat(32),
    officeKey,
    rendererDir: null,
    ...more,
  });

async function started(more: Partial<HostStart> = {}): Promise<RunningHost> {
  const outcome = await start(more);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  running.push(outcome.value);
  return outcome.value;
}

describe('a hosted service', () => {
  test('a hosted service runs on a thread, answers on loopback and ends when it is told to', async () => {
    const { origin, stop, exited } = await started();
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${origin}/api/v1/server_settings`)).status).toBe(200);
    await Promise.all([stop(), exited]);
    await expect(fetch(`${origin}/api/v1/server_settings`)).rejects.toThrow();
    await stop();
  });

  test('a hosted service keeps its organization and its keys over a restart on the same port', async () => {
    const first = await started();
    const person = { email: 'ada@example.com', password: 'correct horse' };
    const created = await post(`${first.origin}/api/v1/organization`, {
      realm_name: 'Team',
      full_name: 'Ada',
      ...person,
    });
    const { api_key: key } = (await created.json()) as { api_key: string };
    await first.stop();
    const second = await started({ port: Number(new URL(first.origin).port) });
    const exchanged = await post(`${second.origin}/api/v1/fetch_api_key`, {
      username: person.email,
      password: person.password,
    });
    expect(await exchanged.json()).toMatchObject({ api_key: key, email: person.email });
    expect(second.origin).toBe(first.origin);
  });

  test('a hosted service makes a link to a new password for whoever sits here, which the audit log tells [host.hosted-service-link]', async () => {
    const { origin, makePasswordLink, stop } = await started();
    const [email, password, chosen] = ['ada@example.com', 'correct horse', 'battery staple'];
    const realm = { realm_name: 'Team', full_name: 'Ada', email, password };
    await post(`${origin}/api/v1/organization`, realm);
    expect(await makePasswordLink('nobody@example.com')).toMatchObject({
      ok: false,
      failure: {
        code: 'BAD_REQUEST',
        message: expect.stringMatching(/No account/) as string,
        cause: { name: 'no_account_with_email', values: {} },
      },
    });
    const [first, made] = await Promise.all([makePasswordLink(email), makePasswordLink(email)]);
    expect(first).not.toEqual(made);
    const link = made.ok ? made.value : '';
    expect(link.startsWith(`${origin}/#password/1-`)).toBe(true);
    const use = { token: link.split('#password/')[1] ?? '', new_password: chosen };
    expect((await post(`${origin}/api/v1/password_link`, use)).status).toBe(200);
    const signIn = (with_: string) =>
      post(`${origin}/api/v1/fetch_api_key`, { username: email, password: with_ });
    expect((await signIn(password)).status).toBe(403);
    const { api_key: key } = (await (await signIn(chosen)).json()) as { api_key: string };
    const log = await fetch(`${origin}/api/v1/audit_log?types=["password_link_created"]`, {
      headers: { authorization: `Basic ${btoa(`${email}:${key}`)}` },
    });
    const { entries } = (await log.json()) as { entries: readonly object[] };
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({ actor_id: null, user_id: 1, client: 'Hearth', address: '' });
    await stop();
    expect(await makePasswordLink(email)).toMatchObject({ failure: { code: 'HOST_ENDED' } });
  });

  test('a hosted service listens at more addresses when it is told to, and says which it cannot have', async () => {
    const { origin, fingerprint, listenOn, stop } = await started();
    const { port } = new URL(origin);
    // The way is there; from this computer even in clear.
    expect(fingerprint).toMatch(/^[a-z2-7]{52}$/);
    expect(await listenOn(['127.0.0.2', '192.0.2.1'])).toEqual({
      closed: [{ address: '192.0.2.1', code: 'EADDRNOTAVAIL' }],
      visitors: [],
    });
    expect((await fetch(`http://127.0.0.2:${port}/api/v1/server_settings`)).status).toBe(200);
    expect((await listenOn([])).visitors).toEqual([]);
    await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow();
    await stop();
    expect(await listenOn(['127.0.0.2'])).toEqual({ closed: [], visitors: [] });
  });

  test('a hosted service gives other keys for another secret', async () => {
    const fields = {
      realm_name: 'T',
      full_name: 'Ada',
      email: 'a@b.de',
      password: 'correct horse',
    };
    const keys: unknown[] = [];
    for (const secret of ['01'.repeat(32), '02'.repeat(32)]) {
      const { origin } = await started({ secret, dataDir: join(folder, secret) });
      const created = await post(`${origin}/api/v1/organization`, fields);
      keys.push(((await created.json()) as { api_key: unknown }).api_key);
    }
    expect(keys[0]).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(keys[1]).not.toBe(keys[0]);
  });
});

describe('a hosted service that cannot start says so with a code and a sentence', () => {
  const expectFailure = async (
    more: Partial<HostStart>,
    code: string,
    cause: string,
  ): Promise<string> => {
    const outcome = await start(more);
    expect(outcome).toMatchObject({ ok: false, failure: { code, cause: { name: cause } } });
    const message = outcome.ok ? '' : outcome.failure.message;
    expect(message).toMatch(/^[A-Z].*\.$/);
    return message;
  };

  test('when the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await expectFailure({ port }, 'PORT_IN_USE', 'port_in_use')).toContain(String(port));
    other.close();
  });

  test('when the folder cannot be written', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const dataDir = join(file, 'data');
    await expectFailure({ dataDir }, 'DATA_DIR_UNWRITABLE', 'data_folder_unwritable');
  });

  test('when another one has the folder, and starts once that has ended', async () => {
    const first = await started();
    await expectFailure({}, 'DATABASE_IN_USE', 'database_served');
    await first.stop();
    await started();
  });

  test('when the database is damaged', async () => {
    const first = await started();
    await first.stop();
    writeFileSync(join(folder, 'data', 'hearth.db'), 'not a database at all '.repeat(1000));
    await expectFailure({}, 'DATABASE_DAMAGED', 'database_damaged');
  });

  test('when its own program is broken or not there', async () => {
    const broken = join(folder, 'broken.mjs');
    writeFileSync(broken, 'throw new Error("broken");');
    const missing = join(folder, 'missing.mjs');
    await expectFailure({ workerFile: broken }, 'HOST_FAILED', 'service_thread_failed');
    await expectFailure({ workerFile: missing }, 'HOST_FAILED', 'service_thread_failed');
    writeFileSync(broken, 'import "node:worker_threads";');
    await expectFailure({ workerFile: broken }, 'HOST_FAILED', 'service_thread_failed');
  });
});

test('a hosted service that dies is noticed', async () => {
  const dying = join(folder, 'dying.mjs');
  writeFileSync(
    dying,
    `import { parentPort } from 'node:worker_threads';
     parentPort.postMessage({ type: 'listening', origin: 'http://127.0.0.1:1', pin: 'abc' });
     parentPort.once('message', () => { throw new Error('dead'); });`,
  );
  const outcome = await start({ workerFile: dying });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const ended = outcome.value.exited;
  await Promise.all([outcome.value.stop(), ended]);
});
