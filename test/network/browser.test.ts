/** A browser on another computer than the service: what it trusts, and what it is told without TLS. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { row } from '../support/desktop/desktop-places.ts';
import { entryOf } from '../support/entries.ts';
import { browserAt } from '../support/network/browser-at.ts';
import { Lan, programAt, type Socket } from '../support/network/lan.ts';
import { openTab } from '../support/window/browser.ts';

interface Served {
  readonly host: Socket;
  readonly visitor: Socket;
  readonly dataDir: string;
  readonly setupCode: string;
}

const password = 'correct horse battery';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hearth-browsed-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A service at 10.77.0.1:9981, and another computer. */
async function serve(...more: readonly string[]): Promise<Served> {
  const lan = await Lan.create();
  const [host, visitor] = await Promise.all([lan.socket('10.77.0.1'), lan.socket('10.77.0.2')]);
  const dataDir = folder();
  const args = ['--host', '0.0.0.0', '--port', '9981', '--data-dir', dataDir, ...more];
  const setupCode = await programAt(host, entryOf('serve'), args, /^setup code (\S+)$/m);
  return { host, visitor, dataDir, setupCode };
}

/** An authority that has nothing to do with Hearth, and what it has signed for a name. */
function certificateFor(name: string): Readonly<Record<'authority' | 'cert' | 'key', string>> {
  const dir = folder();
  const [authority, cert, key, authorityKey, request, names] = [
    ...['ca.pem', 'cert.pem', 'key.pem', 'ca-key.pem', 'request.pem', 'names'].map((file) =>
      join(dir, file),
    ),
  ] as [string, string, string, string, string, string];
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const own = [...newKey, '-keyout', authorityKey, '-out', authority, '-days', '90'];
  openssl('req', '-x509', ...own, '-subj', '/CN=Authority of a test');
  openssl('req', ...newKey, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
  writeFileSync(names, `subjectAltName=DNS:${name}\n`);
  const signed = ['-CA', authority, '-CAkey', authorityKey, '-CAcreateserial', '-days', '60'];
  openssl('x509', '-req', '-in', request, ...signed, '-extfile', names, '-out', cert);
  return { authority, cert, key };
}

/** Runs in the page before anything else: what it would show while nobody looks at it. */
function noteNotifications(): void {
  const titles: string[] = [];
  const Real = window.Notification;
  window.Notification = class extends Real {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      titles.push(title);
    }
  };
  document.hasFocus = () => false;
  Object.assign(window, { titles });
}

const noted = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as { titles: readonly string[] }).titles);

type Fields = Readonly<Record<string, string>>;

/** Runs in the page: a call as any program makes it, with the same trust as the page. */
async function call([method, path, fields, auth]: readonly [string, string, Fields, string]) {
  const answer = await fetch(`/api/v1/${path}`, {
    method,
    body: new URLSearchParams(fields),
    headers: auth === '' ? {} : { Authorization: `Basic ${btoa(auth)}` },
  });
  return (await answer.json()) as Record<string, string>;
}

/** Makes an organization of Ada's, and lets Ben write to her as often as he is asked to. */
async function prepare(page: Page, setupCode: string): Promise<() => Promise<void>> {
  const ask = async (method: string, path: string, fields: Fields, auth = '') => {
    const answer = await page.evaluate(call, [method, path, fields, auth] as const);
    expect(answer).toMatchObject({ result: 'success' });
    return answer;
  };
  const founder = { email: 'ada@example.com', full_name: 'Ada Admin', password };
  const realm = { realm_name: 'Lantern', setup_code: setupCode, ...founder };
  const { api_key: adasKey } = await ask('POST', 'organization', realm);
  const ben = { email: 'ben@example.com', full_name: 'Ben Member', password: 'a first password' };
  await ask('POST', 'users', ben, `ada@example.com:${adasKey}`);
  const given = { username: ben.email, password: ben.password };
  const { api_key: first } = await ask('POST', 'fetch_api_key', given);
  const own = { old_password: ben.password, new_password: password };
  const { api_key: key } = await ask('PATCH', 'settings', own, `${ben.email}:${first}`);
  return async () => {
    const message = { type: 'private', to: founder.email, content: 'over TLS' };
    await ask('POST', 'messages', message, `${ben.email}:${key}`);
  };
}

/** Signs in to stay, is told of a message, and is still there in the next tab. */
async function everythingWorks(browser: Browser, origin: string, code: string): Promise<void> {
  const tab = await openTab(browser, origin);
  const context = tab.page.context();
  await context.grantPermissions(['notifications'], { origin });
  await context.addInitScript(noteNotifications);
  const benWrites = await prepare(tab.page, code);
  await tab.page.reload();
  await tab.page.getByRole('checkbox', { name: 'Stay signed in' }).check();
  await tab.signIn('ada@example.com', password);
  await tab.isSaid('Connected');
  await benWrites();
  await expect.poll(() => noted(tab.page)).toContain('Ben Member');
  await tab.page.close();
  const next = await context.newPage();
  await next.goto(origin);
  await row(next, 'Ben Member').click();
  await next.getByText('over TLS').first().waitFor();
  expect(tab.complaints).toEqual([]);
}

test('in a browser whose system trusts the certificate everything works, notifications and staying signed in', async () => {
  const { authority, cert, key } = certificateFor('chat.example.com');
  const origin = 'https://chat.example.com:9981';
  const files = ['--tls-cert', cert, '--tls-key', key];
  const { visitor, setupCode } = await serve(...files, '--public-url', origin);
  const name = '--host-resolver-rules=MAP chat.example.com 10.77.0.1';
  await everythingWorks(await browserAt(visitor, authority, [name]), origin, setupCode);
});

test('over the authority of the office everything works, also at another address; without it nothing is shown', async () => {
  const { host, visitor, dataDir, setupCode } = await serve();
  const stranger = await browserAt(visitor, null);
  const page = await stranger.newPage();
  await expect(page.goto('https://10.77.0.1:9981')).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');

  const browser = await browserAt(visitor, join(dataDir, 'office-ca.pem'));
  await everythingWorks(browser, 'https://10.77.0.1:9981', setupCode);
  host.run('ip', 'address', 'flush', 'dev', 'eth0');
  host.run('ip', 'address', 'add', '10.77.0.9/24', 'dev', 'eth0');
  const moved = await browser.newPage();
  const go = async (): Promise<string> => {
    await moved.goto('https://10.77.0.9:9981').catch(() => null);
    return moved.url();
  };
  // It finds out within ten seconds, and makes a certificate with the new address.
  await expect.poll(go).toMatch(/^https:\/\/10\.77\.0\.9:9981\//);
  await moved.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
});

test('a browser without TLS is refused with a sentence that says where to go [browser.without-tls-refused]', async () => {
  const { visitor } = await serve();
  const page = await (await browserAt(visitor, null)).newPage();
  const told = async (path: string): Promise<string> => {
    const response = await page.goto(`http://10.77.0.1:9981${path}`);
    expect(response?.status()).toBe(400);
    return (await response?.text()) ?? '';
  };
  expect(await told('/')).toBe('Here Hearth is reached over TLS alone: https://10.77.0.1:9981\n');
  expect(JSON.parse(await told('/api/v1/server_settings'))).toMatchObject({
    result: 'error',
    msg: 'This service is reached over TLS alone: https://10.77.0.1:9981',
  });
});
