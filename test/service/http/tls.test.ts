/** Over real sockets: one port for both protocols, certificates that change, what is proven and what is refused. */
import { once } from 'node:events';
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import {
  isSignedBy,
  makeServerIdentity,
  fingerprintOf,
  proofBytes,
} from '#node/tls/server-identity.ts';
import type { OwnAddresses } from '#node/network/own-addresses.ts';
import { makeAuthority, makeLeaf } from '#service/security/certificates.ts';
import {
  CertificateError,
  createServerCertificate,
  type ServerCertificate,
} from '#service/security/served-certificate.ts';
import type { AppParts } from '#service/http/app.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';
import { type Double, exchange, RawConnection, startDouble } from './service-double.ts';

const DAY_MS = 86_400_000;
const identity = makeServerIdentity();
const authority = makeAuthority(identity, ['maras-laptop', 'jons-laptop']);
/** As late as it is, because the other end looks at the system's clock. */
const realNowMs = Date.now();
let nowMs = realNowMs;
const clock = { now: () => nowMs, setTimer: () => () => undefined };
const home: OwnAddresses = {
  names: ['maras-laptop.local', 'maras-laptop'],
  addresses: ['10.0.0.7'],
};

let service: Double | undefined;
let certificate: ServerCertificate | undefined;
const folders: string[] = [];
afterEach(async () => {
  nowMs = realNowMs;
  certificate?.stop();
  await service?.drain(1000);
  service = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

interface Setup {
  readonly addresses?: () => OwnAddresses;
  readonly files?: { readonly certFile: string; readonly keyFile: string };
  readonly parts?: Partial<AppParts>;
  readonly handshakeLimitMs?: number;
}

async function start(setup: Setup = {}): Promise<Double> {
  const { addresses = () => home, files = null, parts = {}, ...listening } = setup;
  certificate = createServerCertificate({
    identity,
    addresses,
    files,
    clock,
    log: createTestLog(),
  });
  const { leafFingerprint } = certificate;
  const about = {
    identityProof: { key: identity, leafFingerprint, restoreGeneration: () => Promise.resolve(7) },
    ...parts,
  };
  service = await startDouble(about, { tls: certificate, ...listening });
  return service;
}

const get = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n');

const shown = new WeakMap<TLSSocket, X509Certificate | undefined>();

/** A connection whose certificate the authority has signed, and that is for `localhost`. */
function secure(port: number, more: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', servername: 'localhost', ca: [authority], ...more };
    const socket = connect(options, () => {
      // It is there to be read once.
      shown.set(socket, socket.getPeerX509Certificate());
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

const pinShown = (socket: TLSSocket): string =>
  fingerprintOf(shown.get(socket)!.publicKey.export({ type: 'spki', format: 'der' }));

function ask(socket: TLSSocket, text: string): Promise<string> {
  let received = '';
  socket.setEncoding('utf8').on('data', (part: unknown) => (received += String(part)));
  const all = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  socket.write(text);
  return all;
}

const bodyOf = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;

describe('one port', () => {
  test('one port speaks TLS to whoever begins with a handshake and HTTP to everybody else', async () => {
    const { port } = await start();
    expect(await exchange(port, get('/api/v1/server_settings'))).toMatch(/^HTTP\/1\.1 200/);
    const socket = await secure(port);
    expect(await ask(socket, get('/api/v1/server_settings'))).toMatch(/^HTTP\/1\.1 200/);
  });

  test('the port takes a first byte that comes alone', async () => {
    const { port } = await start();
    const connection = new RawConnection(port);
    connection.socket.setNoDelay(true);
    const text = get('/api/v1/server_settings');
    await new Promise<void>((resolve) =>
      connection.socket.write(text.slice(0, 1), () => resolve()),
    );
    connection.write(text.slice(1));
    expect(await connection.all).toMatch(/^HTTP\/1\.1 200/);
  });

  test('the port names itself by the protocol in which it was asked', async () => {
    const { port, answers } = await start();
    answers['server.settings'] = async ({ origin, isLocal }) => ({ origin, isLocal });
    const host = `localhost:${String(port)}`;
    const text = get('/api/v1/server_settings').replace('Host: localhost', `Host: ${host}`);
    expect(bodyOf(await exchange(port, text))).toMatchObject({
      origin: `http://${host}`,
      isLocal: true,
    });
    expect(bodyOf(await ask(await secure(port), text))).toMatchObject({
      origin: `https://${host}`,
      isLocal: true,
    });
  });

  test('the port closes a connection that does not begin, and a handshake that does not end', async () => {
    const { port } = await start({ handshakeLimitMs: 20 });
    const silent = new RawConnection(port);
    expect(await silent.all).toBe('');
    const stuck = new RawConnection(port);
    stuck.write(Uint8Array.of(0x16, 3, 1));
    expect(await stuck.all).toBe('');
    // On a busy machine a request may begin after that limit, too.
    await expect
      .poll(() => exchange(port, get('/api/v1/server_settings')))
      .toMatch(/^HTTP\/1\.1 200/);
  });

  test('the port does not wait for whoever leaves in the middle of a handshake', async () => {
    const { port, drain } = await start({ handshakeLimitMs: 60_000 });
    const leaving = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(leaving, 'secureConnect');
    leaving.destroy();
    await once(leaving, 'close');
    // With more time than the test has: it would be cut off only then.
    await drain(600_000);
  });

  test('the port goes on working after what is no handshake', async () => {
    const { port } = await start();
    const noise = new RawConnection(port);
    noise.write(Buffer.concat([Uint8Array.of(0x16), randomBytes(200)]));
    await noise.all;
    const old = secure(port, {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    });
    await expect(old).rejects.toThrow();
    (await secure(port)).end();
    expect(await exchange(port, get('/api/v1/server_settings'))).toMatch(/^HTTP\/1\.1 200/);
  });

  test('the port stops with connections of both kinds open', async () => {
    const { port, drain } = await start();
    const idle = await secure(port);
    const ended = new Promise((resolve) => idle.once('close', resolve));
    idle.resume();
    const silent = new RawConnection(port);
    await exchange(port, get('/api/v1/server_settings'));
    await Promise.all([drain(1000), ended, silent.all]);
    service = undefined;
  });
});

describe('the certificate', () => {
  test('the certificate is for the names and addresses of its computer, in private networks alone [tls.certificate-names-addresses]', () => {
    const addresses = ['10.0.0.7', '203.0.113.9', 'fd12::abcd', '2001:db8::1'];
    const { chain } = makeLeaf(identity, { ...home, addresses }, clock.now());
    const leaf = new X509Certificate(chain);
    for (const name of ['localhost', ...home.names]) expect(leaf.checkHost(name), name).toBe(name);
    for (const address of ['127.0.0.1', '::1', '10.0.0.7', 'fd12::abcd'])
      expect(leaf.checkIP(address), address).toBe(address);
    for (const address of ['203.0.113.9', '2001:db8::1', '10.0.0.8'])
      expect(leaf.checkIP(address), address).toBeUndefined();
    expect(leaf.verify(new X509Certificate(authority).publicKey)).toBe(true);
    expect(leaf.ca).toBe(false);
  });

  test('the certificate is good on computers whose clock is up to a year behind, and for no longer than systems accept', () => {
    const leaf = new X509Certificate(makeLeaf(identity, home, clock.now()).chain);
    const [from, to] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
    expect(from).toBeLessThanOrEqual(clock.now() - 365 * DAY_MS);
    expect(to).toBeGreaterThan(clock.now() + 30 * DAY_MS);
    expect(to - from).toBeLessThan(825 * DAY_MS);
  });

  test.each([
    ['another address is told', 0, { ...home, addresses: ['192.168.1.20'] }],
    ['it ends', 31 * DAY_MS, home],
  ])(
    'the certificate is made anew before %s, while clients stay connected',
    async (_, laterMs, there) => {
      let here = home;
      const { port } = await start({ addresses: () => here });
      const before = await secure(port);
      const first = pinShown(before);
      here = there;
      nowMs += laterMs;
      certificate!.refresh();
      const after = await secure(port);
      expect(pinShown(after)).not.toBe(first);
      after.end();
      const [address = ''] = there.addresses;
      expect(shown.get(after)!.checkIP(address)).toBe(address);
      // Known to nobody but whoever it was shown to: the connection of before goes on.
      expect(await ask(before, get('/api/v1/server_settings'))).toMatch(/^HTTP\/1\.1 200/);
    },
  );

  test('the certificate stays while nothing has changed', async () => {
    const { port } = await start();
    const [first, second] = [await secure(port), await secure(port)];
    certificate!.refresh();
    const third = await secure(port);
    expect(pinShown(second)).toBe(pinShown(first));
    expect(pinShown(third)).toBe(pinShown(first));
    for (const socket of [first, second, third]) socket.end();
  });

  test('the certificate is enough for a program that trusts the authority, and for no other one', async () => {
    const { port } = await start();
    const status = (ca: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { host: 'localhost', port, path: '/api/v1/server_settings', ca };
        request(options, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await status(authority)).toBe(200);
    await expect(status(makeAuthority(makeServerIdentity(), ['maras-laptop']))).rejects.toThrow();
  });

  function folderWith(leaf: { readonly chain: string; readonly key: string }) {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-tls-'));
    folders.push(folder);
    const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    writeFileSync(files.certFile, leaf.chain);
    writeFileSync(files.keyFile, leaf.key);
    return files;
  }

  test('the certificate of somebody else is shown, and read again when it changes', async () => {
    const files = folderWith(makeLeaf(identity, home, clock.now()));
    const { port } = await start({ files });
    const first = await secure(port);
    const next = makeLeaf(identity, home, clock.now());
    writeFileSync(files.certFile, next.chain);
    certificate!.refresh();
    const halfway = await secure(port);
    expect(pinShown(halfway)).toBe(pinShown(first));
    writeFileSync(files.keyFile, next.key);
    certificate!.refresh();
    const last = await secure(port);
    expect(pinShown(last)).not.toBe(pinShown(first));
    for (const socket of [first, halfway, last]) socket.end();
  });

  test('whose key is another one stops the start with a sentence', async () => {
    const one = makeLeaf(identity, home, clock.now());
    const files = folderWith({ ...one, key: makeLeaf(identity, home, clock.now()).key });
    await expect(start({ files })).rejects.toThrow(CertificateError);
  });
});

describe('the proof', () => {
  const nonce = randomBytes(32).toString('base64url');
  const path = `/api/v1/office?nonce=${nonce}`;

  test('the proof names whoever asks, the host, the epoch and the certificate of the connection', async () => {
    const { port } = await start();
    const socket = await secure(port);
    const leaf = pinShown(socket);
    const { signature, office_key: key, ...proof } = bodyOf(await ask(socket, get(path)));
    expect(proof).toEqual({ result: 'success', msg: '', nonce, host: 'localhost', epoch: 7, leaf });
    const publicKey = Buffer.from(String(key), 'base64url');
    expect(fingerprintOf(publicKey)).toBe(identity.fingerprint);
    const signed = Buffer.from(String(signature), 'base64url');
    const said = { nonce, host: 'localhost', epoch: 7, leaf };
    expect(isSignedBy(publicKey, 'proof', proofBytes(said), signed)).toBe(true);
    for (const other of [{ nonce: nonce.toLowerCase() }, { host: 'x' }, { epoch: 8 }, { leaf: '' }])
      expect(isSignedBy(publicKey, 'proof', proofBytes({ ...said, ...other }), signed)).toBe(false);
  });

  test('the proof leaves out the certificate behind a proxy alone, and then names the public address', async () => {
    const parts = { trustedProxies: ['127.0.0.1'], publicUrl: 'https://chat.example.com:8443' };
    const { port } = await start({ parts });
    const text = get(path, 'X-Forwarded-Host: evil.example');
    expect(bodyOf(await exchange(port, text))).toMatchObject({
      host: 'chat.example.com',
      leaf: '',
    });
  });

  test('the proof is not to be had where anybody could listen', async () => {
    const { port } = await start({ parts: { publicUrl: 'https://chat.example.com' } });
    expect(bodyOf(await exchange(port, get(path)))).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test.each([
    ['', 'REQUEST_VARIABLE_MISSING'],
    ['?nonce=', 'REQUEST_VARIABLE_INVALID'],
    [`?nonce=${nonce}A`, 'REQUEST_VARIABLE_INVALID'],
    [`?nonce=${nonce.slice(0, -1)}B`, 'REQUEST_VARIABLE_INVALID'],
  ])('the proof needs 32 bytes from whoever asks: %j', async (query, code) => {
    const { port } = await start();
    const text = await ask(await secure(port), get(`/api/v1/office${query}`));
    expect(bodyOf(text)).toMatchObject({ code });
  });
});

test('a client that writes all of its body first reads over TLS, too, why it was refused', async () => {
  const { port } = await start();
  const socket = await secure(port);
  const body = Buffer.alloc(8_000_000, 'a');
  const failed = new Promise<never>((_resolve, reject) => socket.once('error', reject));
  const written = new Promise<void>((resolve) => {
    socket.write(
      `POST /api/v1/user_uploads HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
    );
    socket.write(body, () => resolve());
  });
  await Promise.race([written, failed]);
  const [answer] = (await Promise.race([once(socket, 'data'), failed])) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 .*connection: close/s);
  socket.destroy();
});
