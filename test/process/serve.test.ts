import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeServerIdentity } from '#node/tls/server-identity.ts';
import { entryOf } from '../support/entries.ts';
import { WAIT_LIMIT_MS } from '../support/patience.ts';
import { type Ended, post, serve, signIn, stop, temporaryFolder } from './service-process.ts';

const listening = (...args: readonly string[]): ReturnType<typeof serve> =>
  serve('--port', '0', ...args);

/** One sentence for people on standard error, nothing on standard output, no trace. */
function expectFailure({ code, stdout, stderr }: Ended, exitCode: number, sentence: RegExp): void {
  expect(stderr).toMatch(sentence);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/\sat .*:\d|Error:|node:/);
  expect(stdout).toBe('');
  expect(code).toBe(exitCode);
}

/** The answer to somebody who asks a development service for a key under this name. */
const keyUnder = (host: string, port: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const type = 'application/x-www-form-urlencoded';
    const headers = { host: `${host}:${port}`, 'content-type': type };
    const path = '/api/v1/dev_fetch_api_key';
    const asking = request({ port, method: 'POST', path, headers }, (answer) => {
      resolve(text(answer));
    });
    asking.on('error', reject).end('username=ada@example.com');
  });

describe('a service that starts', () => {
  test('a service prints its address and its setup code, answers there, and ends cleanly by SIGTERM', async () => {
    const service = listening('--data-dir', join(temporaryFolder(), 'new', 'folder'));
    const origin = await service.origin;
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const response = await fetch(`${origin}/api/v1/server_settings`);
    expect(await response.json()).toMatchObject({ result: 'success', zulip_version: '2.1.0' });
    expect(await stop(service)).toEqual({
      code: 0,
      signal: null,
      stdout: `serving ${origin}\nsetup code ${await service.setupCode}\n`,
      stderr: '',
    });
  });

  test('a service is claimed with its code by whoever is not at its computer, a proxy on it included [serve.service-claimed-code]', async () => {
    const dataDir = temporaryFolder();
    const first = listening('--data-dir', dataDir);
    const founder = { realm_name: 'Team', full_name: 'Ada', email: 'ada@example.com' };
    /** As a proxy on the same computer passes it on, which rewrites the host. */
    const claim = async (origin: string, more: Readonly<Record<string, string>>) => {
      const response = await fetch(`${origin}/api/v1/organization`, {
        method: 'POST',
        headers: { 'x-forwarded-for': '203.0.113.9' },
        body: new URLSearchParams({ ...founder, password: 'correct horse', ...more }),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    const refused = { code: 'REQUEST_VARIABLE_INVALID', var_name: 'setup_code' };
    const [origin, code] = [await first.origin, await first.setupCode];
    expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    expect(await claim(origin, {})).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    const forwarded = { headers: { via: '1.1 proxy' } };
    const settings = await fetch(`${origin}/api/v1/server_settings`, forwarded);
    expect(await settings.json()).toMatchObject({ setup_code_required: true });
    for (let wrong = 1; wrong <= 9; wrong++) {
      expect(await claim(origin, { setup_code: 'AAAA-AAAA' })).toMatchObject(refused);
    }
    const badAddress = await claim(origin, { setup_code: code, email: 'none' });
    expect(badAddress).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await claim(origin, { setup_code: 'AAAA-AAAA' })).toMatchObject(refused);
    expect(await claim(origin, { setup_code: code })).toMatchObject(refused);
    await stop(first);

    const second = listening('--data-dir', dataDir);
    const fresh = await second.setupCode;
    expect(fresh).not.toBe(code);
    const typed = fresh.replace('-', '').toLowerCase();
    expect(await claim(await second.origin, { setup_code: typed })).toMatchObject({
      result: 'success',
    });
    await stop(second);

    const claimed = listening('--data-dir', dataDir);
    const url = await claimed.origin;
    expect((await stop(claimed)).stdout).toBe(`serving ${url}\n`);
  });

  test('a service prints a link to a new password for the only administrator, who forgot theirs [serve.service-prints-link]', async () => {
    const dataDir = temporaryFolder();
    const first = listening('--data-dir', dataDir);
    const founder = { realm_name: 'Team', full_name: 'Ada', email: 'ada@example.com' };
    const claim = { ...founder, password: 'correct horse', setup_code: await first.setupCode };
    expect((await post(`${await first.origin}/api/v1/organization`, claim)).status).toBe(200);
    await stop(first);

    const nobody = listening('--data-dir', dataDir, '--password-link', 'eve@example.com');
    const { code, stderr } = await nobody.ended;
    const oldSpelling =
      '--password-link is an old spelling of "npm run hearth -- reset-password EMAIL": use that.\n';
    expect([code, stderr]).toEqual([1, `${oldSpelling}No account has this e-mail address\n`]);

    const again = listening('--data-dir', dataDir, '--password-link', 'Ada@example.com');
    const [origin, link] = [await again.origin, await again.passwordLink];
    const [page, token = ''] = link.split('#password/');
    expect(page).toBe(`${origin}/`);
    const chosen = { token, new_password: 'battery staple' };
    expect((await post(`${origin}/api/v1/password_link`, chosen)).status).toBe(200);
    const signedIn = { username: 'ada@example.com', password: 'battery staple' };
    expect((await post(`${origin}/api/v1/fetch_api_key`, signedIn)).status).toBe(200);
    expect(await stop(again)).toMatchObject({
      code: 0,
      stdout: `serving ${origin}\npassword link ${link}\n`,
      stderr: oldSpelling,
    });

    const behindProxy = ['--public-url', 'https://chat.example.com'];
    const elsewhere = listening(
      ...['--data-dir', dataDir, '--password-link', 'ada@example.com'],
      ...behindProxy,
    );
    expect(await elsewhere.passwordLink).toMatch(/^https:\/\/chat\.example\.com\/#password\//);
    await stop(elsewhere);
  });

  test('a service ends cleanly by SIGINT', async () => {
    const service = listening('--data-dir', temporaryFolder());
    await service.origin;
    service.child.kill('SIGINT');
    expect(await service.ended).toMatchObject({ code: 0, signal: null });
  });

  test('a service keeps its data where only its owner can read it [serve.service-data-owner]', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const service = listening('--data-dir', dataDir);
    await service.origin;
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    for (const name of ['office-key', 'hearth.db', 'hearth.db-wal', 'hearth.db-shm']) {
      expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600);
    }
    await stop(service);
  });

  test('a service has something to show to a browser', async () => {
    const service = listening('--data-dir', temporaryFolder());
    const response = await fetch(await service.origin);
    expect(await response.text()).toMatch(/<title>|npm run build/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    await stop(service);
  });

  test('a service refuses development sign-in unless it is a development service', async () => {
    const service = listening('--data-dir', temporaryFolder());
    const url = `${await service.origin}/api/v1/dev_fetch_api_key`;
    for (const fields of [{ username: 'ada@example.com' }, {}]) {
      const response = await post(url, fields);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    }
    await stop(service);
  });
});

describe('a development service', () => {
  test('a development service has its organization: people, bots and streams', async () => {
    const service = listening('--dev', '--data-dir', temporaryFolder());
    const origin = await service.origin;
    const settings = await fetch(`${origin}/api/v1/server_settings`);
    expect(await settings.json()).toMatchObject({ realm_name: 'Dev' });
    const authorization = await signIn(origin, 'ada@example.com');
    const ask = async (path: string): Promise<unknown> =>
      (await fetch(`${origin}/api/v1${path}`, { headers: { authorization } })).json();
    expect(await ask('/users/me')).toMatchObject({ full_name: 'Ada Admin', is_admin: true });
    const { members } = (await ask('/users')) as { members: { email: string }[] };
    expect(members.map(({ email }) => email)).toEqual(
      expect.arrayContaining([
        'ada@example.com',
        'ben@example.com',
        'cleo@example.com',
        'gus@example.com',
        'hook-bot@example.com',
        'echo-bot@example.com',
      ]),
    );
    const { streams } = (await ask('/streams')) as { streams: { name: string }[] };
    expect(streams.map(({ name }) => name).sort()).toEqual(['engineering', 'general', 'leads']);
    const rebound = await keyUnder('evil.example', new URL(origin).port);
    expect(rebound).toContain("not under 'evil.example:");
    expect(await keyUnder('localhost', new URL(origin).port)).toContain('api_key');
    await stop(service);
  });

  test('a development service gives the same keys after a restart, and seeds only once', async () => {
    const dataDir = temporaryFolder();
    const first = listening('--dev', '--data-dir', dataDir);
    const before = await signIn(await first.origin, 'ben@example.com');
    await stop(first);
    const second = listening('--dev', '--data-dir', dataDir);
    const origin = await second.origin;
    expect(await signIn(origin, 'ben@example.com')).toBe(before);
    const response = await fetch(`${origin}/api/v1/users`, { headers: { authorization: before } });
    const { members } = (await response.json()) as { members: { email: string }[] };
    expect(members.filter(({ email }) => email === 'ben@example.com')).toHaveLength(1);
    await stop(second);
  });

  test('a development service answers a fetch that waits when it is told to stop', async () => {
    const service = listening('--dev', '--data-dir', temporaryFolder());
    const origin = await service.origin;
    const headers = { authorization: await signIn(origin, 'ada@example.com') };
    const registered = await fetch(`${origin}/api/v1/register`, { method: 'POST', headers });
    const { queue_id: queueId, last_event_id: last } = (await registered.json()) as {
      queue_id: string;
      last_event_id: number;
    };
    const query = new URLSearchParams({ queue_id: queueId, last_event_id: String(last) });
    const poll = (): Promise<Response> =>
      fetch(`${origin}/api/v1/events?${String(query)}`, { headers });
    // The newer of two fetches on one queue takes over: once one is answered, the other surely waits.
    const polls = [poll(), poll()];
    await Promise.race(polls);
    const [responses, ended] = await Promise.all([Promise.all(polls), stop(service)]);
    for (const response of responses) {
      expect(await response.json()).toMatchObject({ result: 'success', queue_id: queueId });
    }
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('a development service starts again after it was killed', async () => {
    const dataDir = temporaryFolder();
    const first = listening('--dev', '--data-dir', dataDir);
    await first.origin;
    first.child.kill('SIGKILL');
    await first.ended;
    const second = listening('--dev', '--data-dir', dataDir);
    expect(await signIn(await second.origin, 'ada@example.com')).toMatch(/^Basic /);
    await stop(second);
  });
});

test('a second signal ends at once what a client holds up', async () => {
  const service = listening('--data-dir', temporaryFolder());
  const { port } = new URL(await service.origin);
  const client = connect(Number(port), '127.0.0.1');
  client.on('error', () => undefined);
  client.write('POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n');
  client.write('Content-Length: 10\r\n\r\n');
  // The service has taken up the request and waits for its body.
  await new Promise((resolve) => client.once('data', resolve));
  service.child.kill('SIGTERM');
  const refused = async (): Promise<void> => {
    while (
      await fetch(await service.origin).then(
        () => true,
        () => false,
      )
    );
  };
  await refused();
  service.child.kill('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 1, signal: null });
  client.destroy();
});

test('--help prints the options and ends well', async () => {
  const { code, stdout, stderr } = await serve('--help').ended;
  expect(stdout).toMatch(/^Usage: /);
  expect(stdout).toContain('--data-dir');
  expect([code, stderr]).toEqual([0, '']);
});

describe('a service that cannot start says why in one sentence', () => {
  test.each([
    [['--prot', '1'], /--prot/],
    [['--port', 'many'], /--port/],
    [['--longpoll-seconds', '5'], /--longpoll-seconds.*--dev/],
    [['--tls-cert', 'a.pem'], /--tls-cert.*--tls-key/],
    [['extra'], /extra/],
  ])('the options %j', async (args, sentence) => {
    expectFailure(await serve(...args).ended, 2, sentence);
  });

  test('a port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const service = serve('--port', String(port), '--data-dir', temporaryFolder());
    expectFailure(await service.ended, 1, new RegExp(`Port ${port} .*in use`));
    other.close();
  });

  test('an address that this machine does not have', async () => {
    const args = ['--host', '192.0.2.1', '--insecure-http', '--data-dir', temporaryFolder()];
    expectFailure(await listening(...args).ended, 1, /192\.0\.2\.1/);
  });

  test('a data directory that cannot be made', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'below')]) {
      expectFailure(await listening('--data-dir', dataDir).ended, 1, /cannot be written/);
    }
  });

  test.skipIf(process.platform === 'win32')('a data directory that others can read', async () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o750);
    const ended = await listening('--data-dir', dataDir).ended;
    expectFailure(ended, 1, /Other accounts .* can get into the folder .*: enter chmod 700 \//);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('a data directory that --dev did not make, with --dev', async () => {
    const dataDir = temporaryFolder();
    const service = listening('--data-dir', dataDir);
    await service.origin;
    await stop(service);
    const ended = await listening('--data-dir', dataDir, '--dev').ended;
    expectFailure(ended, 1, /has an organization that --dev did not make.*choose an empty folder/);
  });

  test('a data directory that another service uses', async () => {
    const dataDir = temporaryFolder();
    const first = listening('--data-dir', dataDir);
    await first.origin;
    expectFailure(await listening('--data-dir', dataDir).ended, 1, /in use/);
    await stop(first);
  });

  const stoppedDataDir = async (): Promise<string> => {
    const dataDir = temporaryFolder();
    const service = listening('--data-dir', dataDir);
    await service.origin;
    await stop(service);
    return dataDir;
  };

  test('a database of a newer version', async () => {
    const dataDir = await stoppedDataDir();
    const database = new Database(join(dataDir, 'hearth.db'));
    database.pragma('user_version = 9999');
    database.close();
    expectFailure(await listening('--data-dir', dataDir).ended, 1, /newer/);
  });

  test('a damaged database', async () => {
    const dataDir = await stoppedDataDir();
    writeFileSync(join(dataDir, 'hearth.db'), 'not a database at all '.repeat(1000));
    expectFailure(await listening('--data-dir', dataDir).ended, 1, /damaged/);
  });

  test('a damaged secret', async () => {
    const dataDir = await stoppedDataDir();
    writeFileSync(join(dataDir, 'secret'), 'short');
    expectFailure(await listening('--data-dir', dataDir).ended, 1, /secret is damaged/);
  });

  test.each([
    ['is damaged', (file: string) => writeFileSync(file, 'short'), /office-key is damaged/],
    ['is lost', (file: string) => rmSync(file), /has lost its key/],
    [
      "is another office's",
      (file: string) => writeFileSync(file, makeServerIdentity().exported()),
      /is not the one that it had before/,
    ],
  ])('a key that %s', async (_, harm, sentence) => {
    const dataDir = await stoppedDataDir();
    harm(join(dataDir, 'office-key'));
    expectFailure(await listening('--data-dir', dataDir).ended, 1, sentence);
  });
});

const canHaveOwnNetwork =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-n', 'ip', 'link', 'add', 'wan', 'type', 'veth', 'peer', 'far']).status ===
    0;

test.skipIf(!canHaveOwnNetwork)(
  'a service prints addresses that its own certificate is for, and says who is warned at others',
  async () => {
    const network = [
      'ip link add wan type veth peer far',
      'ip address add 203.0.113.9/24 dev wan',
      'ip address add 10.9.8.7/24 dev wan',
      'ip link set wan up',
      'ip link set far up',
      'exec "$@"',
    ].join(' && ');
    const shell = ['-n', 'sh', '-c', network, 'sh', process.execPath, entryOf('serve')];
    const args = ['--host', '0.0.0.0', '--data-dir', temporaryFolder(), '--no-announce'];
    const child = spawn('unshare', [...shell, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let [printed, said] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await expect.poll(() => printed, { timeout: WAIT_LIMIT_MS }).toMatch(/^pin /m);
    expect(printed).toContain('address https://10.9.8.7:9981\n');
    expect(printed).not.toContain('203.0.113.9');
    await expect
      .poll(() => said)
      .toContain("The service's own certificate is not for https://203.0.113.9:9981: ");
  },
);
