/** Whom a computer talks to: real sockets, a real service, and others in its place. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { createServer as createPlainServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ConnectRequest } from '#shared/bridge/models/client.ts';
import { type JoinedAccount, joinOrganization } from '#client/accounts/sign-in.ts';
import { createApi } from '#client/transport/api.ts';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import { desktopFetchFile, desktopHttp } from '#desktop/system/http.ts';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { makeServerIdentity, fingerprintOf } from '#node/tls/server-identity.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { type Leaf, makeAuthority, makeLeaf } from '#service/security/certificates.ts';
import { overTls, pinOfService } from '#test/support/client/over-tls.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import { startTestService, type TestService } from '#test/support/service/api.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-pins-'));
afterAll(() => rmSync(folder, { recursive: true }));

const leafOf = (key: ReturnType<typeof makeServerIdentity>): Leaf =>
  makeLeaf(key, { names: [], addresses: [] }, Date.now());

/** Another authority's, which this system trusts. */
const vendor = makeServerIdentity();
const trusted = leafOf(vendor);
const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
writeFileSync(files.certFile, trusted.chain);
writeFileSync(files.keyFile, trusted.key);
const usual = getCACertificates('default');

/** One that nobody but its own key vouches for. */
let office: TestService;
/** One that shows a certificate which the system trusts. */
let certified: TestService;
beforeAll(async () => {
  setDefaultCACertificates([...usual, makeAuthority(vendor, [])]);
  [office, certified] = await Promise.all([
    startTestService(),
    startTestService({ certificate: files }),
  ]);
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await Promise.all([office.stop(), certified.stop()]);
});

/** Somebody else at an address: what was said to them, beyond the handshake. */
interface Stranger {
  readonly origin: string;
  readonly heard: () => string;
}

const strangers: (() => void)[] = [];
afterEach(() => {
  for (const stop of strangers.splice(0)) stop();
});

/** @param relayTo  where they ask what they are asked for a proof */
async function stranger({ key, chain }: Leaf, relayTo?: TestService): Promise<Stranger> {
  let heard = '';
  const server = createServer({ key, cert: chain }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      heard += String(bytes);
      const path = /^GET (\S*\/office\?\S*)/.exec(String(bytes))?.[1];
      if (path === undefined || relayTo === undefined) {
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
        return;
      }
      // As they cannot answer themselves, they pass on what the office says.
      const asked = { rejectUnauthorized: false, headers: { Host: '127.0.0.1' } };
      httpsRequest(`${overTls(relayTo)}${path}`, asked, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${text}`));
      }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  strangers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { origin: `https://127.0.0.1:${String(port)}`, heard: () => heard };
}

const network = {
  http: desktopHttp,
  clock: new FakeClock(),
  serverIdentity: desktopServerIdentity,
};

const joinAt = (address: string, more: Partial<ConnectRequest> = {}, pin?: string) =>
  joinOrganization(
    { ...network, knownFingerprint: () => pin },
    { address, email: 'ada@example.com', password: '', ...more },
  );

async function joined(outcome: ReturnType<typeof joinAt>): Promise<JoinedAccount> {
  const found = await outcome;
  if (!found.ok) throw new Error(found.failure.message);
  return found.value;
}

/** What a session of this account does first. */
const ask = (address: string, { key }: JoinedAccount, fingerprint: string) =>
  createApi({
    http: (request) => desktopHttp({ ...request, fingerprint }),
    clock: network.clock,
    address,
    credentials: { email: 'ada@example.com', key },
  }).call(endpoints.users.me, {});

test('where nothing is known the safety words are asked for, and the right ones are enough [pins.nothing-known-safety]', async () => {
  const address = overTls(office);
  const pin = await pinOfService(office);
  const right = await safetyWords(pin);
  const first = await joinAt(address);
  expect(first).toMatchObject({ ok: false, failure: { code: 'WORDS_NEEDED' } });
  const rows = first.ok ? [] : first.failure.words!;
  expect(rows).toHaveLength(3);
  expect(new Set(rows).size).toBe(3);
  for (const row of rows) expect(row).toMatch(/^[a-z]+(?: [a-z]+){5}$/);
  expect(rows).toContain(right);

  const wrong = rows.find((row) => row !== right)!;
  for (const words of [wrong, '', right.toUpperCase()])
    expect(await joinAt(address, { words })).toMatchObject({ failure: { code: 'WRONG_WORDS' } });
  const { account } = await joined(joinAt(address, { words: right }));
  expect(account).toMatchObject({ address, pin });
});

test('words stay the same, and another key has others', async () => {
  const { fingerprint } = makeServerIdentity();
  const words = await safetyWords(fingerprint);
  expect(await safetyWords(fingerprint)).toBe(words);
  expect(await safetyWords(fingerprintOf(Buffer.from('another')))).not.toBe(words);
});

test('who chooses the words of a stranger is told nothing of the account but to the stranger that they chose', async () => {
  const evil = await stranger(leafOf(makeServerIdentity()));
  expect(await joinAt(evil.origin)).toMatchObject({ failure: { code: 'WORDS_NEEDED' } });
  expect(evil.heard()).toBe('');
});

test('a remembered office gets its request, also under a leaf that was made anew', async () => {
  const pin = await pinOfService(office);
  const account = await joined(joinAt(overTls(office), {}, pin));
  expect(account.account.pin).toBe(pin);
  await office.restart();
  expect(await pinOfService(office)).toBe(pin);
  expect(await ask(overTls(office), account, pin)).toMatchObject({
    ok: true,
    value: { email: 'ada@example.com' },
  });
});

test.each([
  ['with a key of their own', () => leafOf(makeServerIdentity()), false],
  ['with a certificate that the system trusts', () => trusted, false],
  ['with such a certificate, and what the office says in their ear', () => trusted, true],
])('a stranger %s gets no byte that depends on the account', async (_, leaf, isRelaying) => {
  const fingerprint = await pinOfService(office);
  const account = await joined(joinAt(overTls(office), {}, fingerprint));
  const evil = await stranger(leaf(), isRelaying ? office : undefined);
  const answer = await ask(evil.origin, account, fingerprint);
  expect(answer).toMatchObject({
    failure: { code: 'UNREACHABLE', message: expect.stringMatching(/not this organization/) },
  });
  const url = `${evil.origin}/user_uploads/1/a.png?token=x`;
  const file = {
    method: 'GET',
    url,
    maxBytes: 1,
    signal: new AbortController().signal,
    fingerprint,
  };
  const headers = { Authorization: 'Basic x' };
  await expect(desktopFetchFile({ ...file, headers })).rejects.toMatchObject({
    code: 'OTHER_OFFICE',
  });
  expect(await joinAt(evil.origin, {}, fingerprint)).toMatchObject({
    failure: { code: 'OTHER_OFFICE' },
  });
  // Whom the system trusts is asked for a proof, by whoever it may be.
  for (const line of evil
    .heard()
    .split('\r\n')
    .filter((each) => each.startsWith('GET')))
    expect(line).toMatch(/^GET \/api\/v1\/office\?nonce=[\w-]{43} HTTP\/1\.1$/);
  // A nonce is random, and may spell any of it.
  const said = evil.heard().replaceAll(/nonce=[\w-]+/g, '');
  expect(said).not.toMatch(/authorization|ada|server_settings|user_uploads/i);
});

test('a remembered office is not spoken to without TLS', async () => {
  const pin = await pinOfService(office);
  const account = await joined(joinAt(overTls(office), {}, pin));
  expect(await ask(office.origin, account, pin)).toMatchObject({
    failure: { code: 'UNREACHABLE', message: expect.stringMatching(/not this organization/) },
  });
});

test('under a certificate that the system trusts nobody is asked, and the pin that was proven is remembered', async () => {
  const { account } = await joined(joinAt(overTls(certified)));
  expect(account.pin).toMatch(/^[a-z2-7]{52}$/);
  expect(account.pin).not.toBe(vendor.fingerprint);
});

test('a remembered office proves itself under a certificate of somebody else [pins.remembered-office-proves]', async () => {
  const account = await joined(joinAt(overTls(certified)));
  const pin = account.account.pin!;
  expect(await ask(overTls(certified), account, pin)).toMatchObject({ ok: true });
  const other = makeServerIdentity();
  expect(await ask(overTls(certified), account, other.fingerprint)).toMatchObject({
    failure: { code: 'UNREACHABLE', message: expect.stringMatching(/not this organization/) },
  });
});

test('nobody at all is told from somebody else', async () => {
  const { origin } = await stranger(leafOf(makeServerIdentity()));
  for (const stop of strangers.splice(0)) stop();
  expect(await joinAt(origin)).toMatchObject({
    failure: { code: 'UNREACHABLE', argument: 'address' },
  });
});

test('who stops waiting for an office does not wait for whoever says nothing there', async () => {
  const connected: Socket[] = [];
  const silent = createPlainServer((socket) => connected.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const stopping = new AbortController();
  const asked = desktopHttp({
    ...{ method: 'GET', url: `https://127.0.0.1:${String(port)}/`, headers: {}, body: null },
    ...{ fingerprint: vendor.fingerprint, signal: stopping.signal },
  });
  const outcome = asked.catch((error: unknown) => error);
  await expect.poll(() => connected.length).toBe(1);
  stopping.abort();
  expect(await outcome).toMatchObject({ message: 'aborted' });
  for (const socket of connected) socket.destroy();
  silent.close();
});
