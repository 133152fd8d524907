/** Programs that know nothing of Hearth, over TLS: they trust the file with its authority, and that alone. */
import { execFile, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { authorityAt } from '#node/tls/pinned-tls.ts';
import { fingerprintOf } from '#node/tls/server-identity.ts';
import { hearth } from './hearth-process.ts';
import { WAIT_LIMIT_MS } from '../support/patience.ts';
import {
  type Credentials,
  credentials,
  type RunningService,
  setClock,
  startService,
} from '../support/service/service.ts';

const DAY_MS = 86_400_000;
const python = fileURLToPath(new URL('../support/service/python_client.py', import.meta.url));
const run = promisify(execFile);
const isCi = Boolean(process.env['CI']) && process.env['CI'] !== 'false';
const isMissing = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0;

let service: RunningService;
let cleo: Credentials;
let ben: Credentials;
/** Null for what the system trusts. */
type Authority = string | null;

const site = (): string => service.origin.replace(/^http:/, 'https:');
const file = (): string => join(service.dataDir, 'office-ca.pem');

beforeAll(async () => {
  service = await startService({ dev: true, hasOwnClock: true });
  cleo = await credentials(service.origin, 'cleo@example.com');
  ben = await credentials(service.origin, 'ben@example.com');
  return () => service.stop();
});

/** The fingerprint of the leaf that it shows now. */
function leafNow(): Promise<string> {
  return new Promise((resolve, reject) => {
    const port = Number(new URL(service.origin).port);
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

/** Lets that much time pass in the service, which looks at its leaf every ten seconds. */
async function goTo(atMs: number): Promise<void> {
  const before = await leafNow();
  await setClock(service, atMs);
  await vi.waitUntil(async () => (await leafNow()) !== before, { timeout: WAIT_LIMIT_MS });
}

type Json = Readonly<Record<string, unknown>>;

const ok = expect.objectContaining({ result: 'success' }) as unknown;

/** Each sends something and answers what it was told. */
const programs: Readonly<Record<string, (authority: Authority) => Promise<unknown>>> = {
  curl: async (authority) => {
    const { stdout } = await run('curl', [
      ...['--silent', '--show-error', '--max-time', '30'],
      ...(authority === null ? [] : ['--cacert', authority]),
      ...['--user', `${ben.email}:${ben.key}`, `${site()}/api/v1/messages`],
      ...['--data', 'type=private', '--data', `to=${cleo.email}`, '--data', 'content=from curl'],
    ]);
    return JSON.parse(stdout) as Json;
  },
  python3: async (authority) => {
    const args = ['tour', site(), cleo.email, cleo.key, ben.email, ben.key];
    const env = { ...process.env, ...(authority === null ? {} : { SSL_CERT_FILE: authority }) };
    const { stdout } = await run('python3', [python, ...args], { env });
    const { sent, retries } = JSON.parse(stdout) as Json;
    expect(retries).toBe(0);
    expect(sent).toEqual(Array.from({ length: 9 }, () => ok));
    return { result: 'success' };
  },
  node: async (authority) => {
    const script = `
      const [site, name, key] = process.argv.slice(1);
      const headers = { Authorization: 'Basic ' + btoa(name + ':' + key) };
      const body = new URLSearchParams({ type: 'private', to: name, content: 'from Node' });
      const answer = await fetch(site + '/api/v1/messages', { method: 'POST', headers, body });
      console.log(await answer.text());
    `;
    const args = ['--input-type=module', '--eval', script, site(), ben.email, ben.key];
    const more = authority === null ? {} : { NODE_EXTRA_CA_CERTS: authority };
    const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...more } });
    return JSON.parse(stdout) as Json;
  },
  // By the path of a file, which in a zuliprc begins at the zuliprc's own folder.
  'hearth send': (authority) =>
    hearthSend(authority === null ? '' : `cert_bundle=${relative(service.dataDir, authority)}\n`),
  'hearth send --cert-bundle': (authority) =>
    authority === null
      ? hearthSend('')
      : hearthSend('cert_bundle=none.pem\n', '--cert-bundle', authority),
};

/** @param trusted  the last lines of the zuliprc */
async function hearthSend(trusted: string, ...more: readonly string[]): Promise<Json> {
  const config = join(service.dataDir, 'zuliprc');
  const { email, key } = ben;
  writeFileSync(config, `[api]\nemail=${email}\nkey=${key}\nsite=${site()}\n${trusted}`);
  const to = ['--stream', 'general', '--topic', 'builds', '--config', config];
  const { code, stdout, stderr } = await hearth(['send', 'It is green', ...to, ...more, '--json']);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return JSON.parse(stdout) as Json;
}

const names = Object.keys(programs);
// Where there is no such program, it is left out; where nothing may be left out, it fails.
const isHere = (name: string): boolean =>
  name === 'node' || name.startsWith('hearth send') || isCi || !isMissing(name);

describe('with the file of its authority', () => {
  let authority = '';
  beforeAll(async () => {
    await goTo(Date.now());
    authority = await readFile(file(), 'utf8');
  });

  test('whoever knows the pin gets that file from the service, and nothing by another pin', async () => {
    const { publicKey } = new X509Certificate(authority);
    const pin = fingerprintOf(publicKey.export({ type: 'spki', format: 'der' }));
    const saved = join(service.dataDir, 'saved.pem');
    await writeFile(saved, (await authorityAt(site(), pin)) ?? '');
    expect(await programs['hearth send']!(saved)).toEqual(ok);
    expect(await authorityAt(site(), pin.replaceAll(/[a-m]/g, 'z'))).toBeUndefined();
    expect(await authorityAt('https://127.0.0.1:1', pin)).toBeUndefined();
  });

  for (const name of names) {
    test.skipIf(!isHere(name))(`${name} works over TLS`, async () => {
      expect(await programs[name]!(file())).toEqual(ok);
    });
  }

  describe('once a service has made its certificate anew', () => {
    beforeAll(() => goTo(Date.now() + 31 * DAY_MS));

    test('the file is what it was', async () => {
      expect(await readFile(file(), 'utf8')).toBe(authority);
    });

    for (const name of names) {
      test.skipIf(!isHere(name))(`${name} goes on with that file`, async () => {
        expect(await programs[name]!(file())).toEqual(ok);
      });
    }
  });
});

// The one of Python asks again for ten seconds.
for (const name of names.filter((each) => each !== 'python3')) {
  test.skipIf(!isHere(name))(`without that file ${name} says nothing to it`, async () => {
    await expect(programs[name]!(null)).rejects.toThrow(/certificate/i);
  });
}
