/** What is wrong with a connection, found out over real sockets. */
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { CheckSubject, ConnectionReport } from '#shared/bridge/models/connection-check.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import { type JoinedAccount, joinOrganization } from '#client/accounts/sign-in.ts';
import { checkConnection } from '#client/diagnostics/check-connection.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { createConnectionProbe } from '#desktop/system/connection-probe.ts';
import { makeServerIdentity, fingerprintOf } from '#node/tls/server-identity.ts';
import { ownNetworks } from '#node/network/own-addresses.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { makeAuthority, makeLeaf } from '#service/security/certificates.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import { overTls, pinOfService } from '#test/support/client/over-tls.ts';
import { startTestService, type TestService } from '#test/support/service/api.ts';

const YEAR_MS = 365 * 86_400_000;
const vendor = makeServerIdentity();
const usual = getCACertificates('default');
const connectionProbe = createConnectionProbe({
  about: 'Hearth 0.1.0 on here',
  networks: ownNetworks,
});
const ports = { http: desktopHttp, clock: new FakeClock(), connectionProbe };

let office: TestService;
let origin: string;
let pin: string;
let ada: JoinedAccount;
beforeAll(async () => {
  setDefaultCACertificates([...usual, makeAuthority(vendor, [])]);
  office = await startTestService();
  origin = overTls(office);
  pin = await pinOfService(office);
  const network = { ...ports, serverIdentity: desktopServerIdentity };
  const request = { address: origin, email: 'ada@example.com', password: '' };
  const joined = await joinOrganization(network, { ...request, words: await safetyWords(pin) });
  if (!joined.ok) throw new Error(joined.failure.message);
  ada = joined.value;
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await office.stop();
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createPlainServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Shows this key as an office does, and answers everything alike. */
async function pretending(
  key = makeServerIdentity(),
  atMs = Date.now(),
  body = '',
): Promise<string> {
  const { chain, key: own } = makeLeaf(key, { names: [], addresses: [] }, atMs);
  const length = String(Buffer.byteLength(body));
  const server = createServer({ key: own, cert: chain }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () =>
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
      ),
    );
  });
  return `https://127.0.0.1:${String(await listening(server))}`;
}

async function check(subject: CheckSubject, who?: JoinedAccount): Promise<ConnectionReport> {
  const found = await checkConnection(ports, subject, {
    find: (id) => (id === who?.account.id ? who : undefined),
    knownFingerprint: () => undefined,
  });
  if (!found.ok) throw new Error(found.failure.message);
  return found.value;
}

const typed = (address: string): Promise<ConnectionReport> => check({ kind: 'address', address });
const invited = (address: string): Promise<ConnectionReport> =>
  check({ kind: 'invitation', addresses: [address], pin });
function accountWith(change: Partial<Account>, key = ada.key): Promise<ConnectionReport> {
  const account = { ...ada.account, ...change };
  return check({ kind: 'account', accountId: account.id }, { account, key });
}

const failedAt = ({ steps }: ConnectionReport): string | undefined =>
  steps.find(({ result }) => result === 'failed')?.name;

test('nothing is wrong where the office answers and takes the key', async () => {
  const report = await accountWith({});
  expect(report).toMatchObject({ isWell: true, address: origin });
  expect(report.steps.at(-1)).toEqual({ name: 'signIn', result: 'passed' });
  expect(report.text).toContain(pin);
  expect(report.text).not.toContain(ada.key);
  expect(await typed(origin)).toMatchObject({ isWell: true });
  expect(await invited(origin)).toMatchObject({ isWell: true });
});

test('a name that leads nowhere is the first that fails', async () => {
  const report = await typed('https://nobody.invalid');
  expect(failedAt(report)).toBe('name');
});

test('a closed port is told from a computer that is not there', async () => {
  const report = await typed(`https://127.0.0.1:${String(await closedPort())}`);
  expect(failedAt(report)).toBe('port');
  expect(report.sentence).toMatch(/nothing listens at its port \d+\./);
});

test('what speaks another language is no service', async () => {
  const server = createPlainServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('SSH-2.0-OpenSSH_9.6\r\n');
  });
  const port = String(await listening(server));
  for (const address of [`https://127.0.0.1:${port}`, `http://127.0.0.1:${port}`]) {
    const report = await typed(address);
    expect(failedAt(report)).toBe('tls');
    expect(report.sentence).toMatch(/^Another program/);
  }
});

test('a web server without encryption is told from one with another language', async () => {
  const server = createWebServer((_request, response) => response.end('hello'));
  const port = String(await listening(server));
  const report = await typed(`https://127.0.0.1:${port}`);
  expect(failedAt(report)).toBe('tls');
  expect(report.sentence).toMatch(/without encryption/);
  expect(failedAt(await typed(`http://127.0.0.1:${port}`))).toBe('version');
});

test('somebody with another key is told so, and shown no key of an account', async () => {
  const other = await pretending();
  for (const report of [await invited(other), await accountWith({ address: other })]) {
    expect(failedAt(report)).toBe('identity');
    expect(report.sentence).toMatch(/nothing was sent there/);
  }
  expect(failedAt(await typed(other))).toBe('identity');
});

test('an account whose office is at another of its addresses is well', async () => {
  const other = await pretending();
  expect(await accountWith({ address: other, addresses: [origin] })).toMatchObject({
    isWell: true,
    address: origin,
  });
});

test('a certificate that begins tomorrow is a matter of the clock', async () => {
  const early = await pretending(vendor, Date.now() + 2 * YEAR_MS);
  const report = await invited(early);
  expect(failedAt(report)).toBe('clock');
  expect(report.sentence).toMatch(/^The clock of this computer says \d{4}-/);
  const late = await pretending(vendor, Date.now() - 2 * YEAR_MS);
  expect((await invited(late)).sentence).toMatch(/has ended on/);
});

test('a service of before is named with its version', async () => {
  const settings = {
    ...{ result: 'success', msg: '', authentication_methods: {}, chat_version: '0.0.9' },
    ...{ zulip_version: '2.1.0', push_notifications_enabled: false, is_incompatible: false },
    ...{ email_auth_enabled: true, require_email_format_usernames: true, realm_name: 'Old' },
    external_authentication_methods: [],
  };
  const key = makeServerIdentity();
  const old = await pretending(key, Date.now(), JSON.stringify(settings));
  const report = await accountWith({ address: old, pin: fingerprintOf(key.publicKey) });
  expect(failedAt(report)).toBe('version');
  expect(report.sentence).toContain('is Hearth 0.0.9');
});

test('a key that is not accepted any more is what is wrong', async () => {
  const report = await accountWith({}, 'x'.repeat(ada.key.length));
  expect(failedAt(report)).toBe('signIn');
  expect(report.sentence).toMatch(/Sign in again\.$/);
});

test('an account that is not here, and an address that is none, are refused', async () => {
  const accounts = { find: () => undefined, knownFingerprint: () => undefined };
  const nobody = await checkConnection(ports, { kind: 'account', accountId: 'x' }, accounts);
  expect(nobody).toMatchObject({ failure: { code: 'NO_ACCOUNT' } });
  const nothing = await checkConnection(ports, { kind: 'address', address: 'a b' }, accounts);
  expect(nothing).toMatchObject({ failure: { code: 'BAD_REQUEST' } });
});

test('a browser tells whether the service answers, and takes the key', async () => {
  const account: Account = { ...ada.account, address: office.origin };
  // It has no fingerprint: whoever vouches for the page vouches for the service.
  delete (account as { pin?: string }).pin;
  const inBrowser = { http: desktopHttp, clock: ports.clock };
  const look = (key: string) =>
    checkConnection(
      inBrowser,
      { kind: 'account', accountId: account.id },
      { find: () => ({ account, key }), knownFingerprint: () => undefined },
    );
  expect(await look(ada.key)).toMatchObject({ value: { isWell: true } });
  expect(await look('x')).toMatchObject({
    value: { sentence: expect.stringMatching(/Sign in again/) as string },
  });
});
