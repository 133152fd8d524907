import { connect } from 'node:net';
import { hostname } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { type AppParts } from '#service/http/app.ts';
import { type Double, exchange, RawConnection, startDouble } from './service-double.ts';

let service: Double;
afterEach(() => service.drain(1000));

async function start(parts: Partial<AppParts>): Promise<void> {
  service = await startDouble(parts);
  service.answers['server.settings'] = async ({ origin, sharedOrigin, isLocal }) => ({
    ...{ origin, sharedOrigin, isLocal },
  });
}

async function settings(...headers: readonly string[]): Promise<Record<string, unknown>> {
  const head = ['GET /api/v1/server_settings HTTP/1.1', ...headers, 'Connection: close'];
  const text = await exchange(service.port, `${head.join('\r\n')}\r\n\r\n`);
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
}

const localhost = (): string => `Host: localhost:${String(service.port)}`;

describe('a service with a public address', () => {
  test('a service names its public address, unless it was asked under an address of its own', async () => {
    await start({ publicUrl: 'https://chat.example.com' });
    const public_ = 'https://chat.example.com';
    expect(await settings('Host: chat.example.com')).toMatchObject({ origin: public_ });
    expect(await settings('Host: evil.example')).toMatchObject({ origin: public_ });
    expect(await settings(localhost())).toMatchObject({ isLocal: false });
    expect((await settings(localhost()))['origin']).toBe(localhost().replace('Host: ', 'http://'));
    // What is made for somebody else by an administrator at that computer.
    expect((await settings(localhost()))['sharedOrigin']).toBe(public_);
  });

  test('a service names its public address to everybody who comes through its proxy', async () => {
    await start({ publicUrl: 'https://chat.example.com', trustedProxies: ['127.0.0.1'] });
    const headers = [localhost(), 'X-Forwarded-Host: evil.example'];
    expect(await settings(...headers)).toEqual({
      ...{ result: 'success', msg: '' },
      ...{ origin: 'https://chat.example.com', sharedOrigin: 'https://chat.example.com' },
      isLocal: false,
    });
  });
});

test('a development service answers under its own names alone, and a page whose name was pointed to it gets nothing [perimeter.development-service-answers]', async () => {
  await start({ requiresOwnName: true, publicUrl: 'https://chat.example.com' });
  const port = String(service.port);
  const own = [
    ...['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'LOCALHOST'].map(
      (name) => `${name}:${port}`,
    ),
    ...['localhost', 'chat.example.com'],
  ];
  for (const host of own) {
    expect(await settings(`Host: ${host}`), host).toMatchObject({ result: 'success' });
  }
  const foreign = ['evil.example', `localhost.evil.example:${port}`, '127.0.0.1.nip.io', '0.0.0.0'];
  const paths = ['/api/v1/server_settings', '/api/v1/dev_list_users', '/', '/avatar/1', '/nothing'];
  for (const host of [...foreign, `${hostname()}.evil`, '8.8.8.8', 'a b', '']) {
    for (const path of paths) {
      const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(await exchange(service.port, head), `${host} ${path}`).toMatch(/^HTTP\/1.1 400 /);
    }
  }
  expect(await settings('Host: evil.example')).toMatchObject({
    code: 'BAD_REQUEST',
    msg: "A development service answers under localhost or an address of this computer, not under 'evil.example'",
  });
});

describe('a trusted proxy', () => {
  test('a trusted proxy says under which address it was asked', async () => {
    await start({ trustedProxies: ['127.0.0.0/8'] });
    expect(
      await settings(
        localhost(),
        // What the first one sent itself stands first.
        'X-Forwarded-Host: evil.example, Chat.example.com:8443',
        'X-Forwarded-Proto: http, https',
      ),
    ).toMatchObject({ origin: 'https://chat.example.com:8443' });
    expect(await settings('Host: chat.example.com')).toMatchObject({ origin: service.origin });
    expect(await settings(localhost(), 'X-Forwarded-Host: a b')).toMatchObject({
      origin: service.origin,
    });
  });

  test('a trusted proxy is nobody at this computer, even where it hides that it passes something on', async () => {
    await start({});
    expect(await settings(localhost())).toMatchObject({ isLocal: true });
    await service.drain(1000);
    await start({ trustedProxies: ['127.0.0.1'] });
    expect(await settings(localhost())).toMatchObject({ isLocal: false });
  });

  /** The addresses from which wrong keys were counted: one more than allowed is refused. */
  async function isRefused(...forwarded: readonly string[]): Promise<boolean> {
    const authorization = `Basic ${Buffer.from('ada@example.com:wrong').toString('base64')}`;
    const headers = forwarded.map((value) => `X-Forwarded-For: ${value}`);
    const head = ['GET /api/v1/users HTTP/1.1', 'Host: x', `Authorization: ${authorization}`];
    const text = await exchange(
      service.port,
      [...head, ...headers, 'Connection: close', '', ''].join('\r\n'),
    );
    return text.startsWith('HTTP/1.1 429');
  }

  test('a trusted proxy says for whom it asks, and nobody else does [perimeter.trusted-proxy-whom]', async () => {
    await start({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'], limits: { failedKeys: 1 } });
    expect(await isRefused('203.0.113.1')).toBe(false);
    expect(await isRefused('203.0.113.1:4711')).toBe(true);
    // The same one behind a second proxy, and with what they wrote themselves.
    expect(await isRefused('203.0.113.1, 10.1.2.3')).toBe(true);
    expect(await isRefused('198.51.100.7, 203.0.113.1')).toBe(true);
    expect(await isRefused('198.51.100.7', '203.0.113.1')).toBe(true);
    expect(await isRefused('203.0.113.2')).toBe(false);
    expect(await isRefused('[2001:db8::1]:443')).toBe(false);
    expect(await isRefused('2001:db8::2')).toBe(true);
  });

  test('a proxy that is not trusted says nothing', async () => {
    await start({ limits: { failedKeys: 1 } });
    expect(await isRefused('203.0.113.1')).toBe(false);
    expect(await isRefused('203.0.113.2')).toBe(true);
  });
});

test('near is who names the service by a private address or a name of its computer, and whom nothing passed on', async () => {
  await start({});
  service.answers['server.settings'] = async ({ distance }) => ({ distance });
  const distance = async (...headers: string[]) => (await settings(...headers))['distance'];
  const port = String(service.port);
  for (const host of ['localhost', '127.0.0.1', '192.168.1.5', '[fe80::1]', hostname()]) {
    expect(await distance(`Host: ${host}:${port}`), host).toBe('near');
  }
  // What a router or a tunnel with an address in the internet passes on comes from a private one as well.
  for (const host of [
    '203.0.113.9',
    '[2001:db8::1]',
    '0.0.0.0',
    'evil.example',
    `${hostname()}.evil`,
  ]) {
    expect(await distance(`Host: ${host}:${port}`), host).toBe('far');
  }
  for (const header of ['Forwarded: for=x', 'X-Forwarded-Host: x', 'Via: 1.1 x', 'X-Real-IP: x']) {
    expect(await distance(localhost(), header), header).toBe('far');
  }
  for (const origin of ['null', 'https://localhost', 'http://localhost:1', 'http://evil.example']) {
    expect(await distance(localhost(), `Origin: ${origin}`), origin).toBe('foreign');
  }
  expect(await distance(localhost(), `Origin: http://localhost:${port}`)).toBe('near');
  // A page that has its own name point here.
  const rebound = [`Host: evil.example:${port}`, `Origin: http://evil.example:${port}`];
  expect(await distance(...rebound)).toBe('foreign');
  // Nobody knows who stands behind these.
  for (const parts of [
    { publicUrl: 'https://chat.example.com' },
    { trustedProxies: ['10.0.0.1'] },
  ]) {
    await service.drain(1000);
    await start(parts);
    service.answers['server.settings'] = async (call) => ({ distance: call.distance });
    expect(await distance(localhost()), JSON.stringify(parts)).toBe('far');
    expect(await distance(localhost(), 'Origin: http://evil.example')).toBe('foreign');
  }
});

describe('connections', () => {
  const get = (forwarded: string) =>
    `GET /api/v1/server_settings HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${forwarded}\r\n\r\n`;

  async function answered(connection: RawConnection): Promise<void> {
    connection.write(get('203.0.113.1'));
    await connection.received(/"result":"success"/);
  }

  /** What somebody at another address of this computer gets. */
  const answerFor = (localAddress: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = '';
      connect({ port: service.port, host: '127.0.0.1', localAddress })
        .on('data', (bytes) => (text += String(bytes)))
        .on('close', () => resolve(text))
        .on('error', reject)
        .end('GET /api/v1/server_settings HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    });

  // The other systems have one loopback address only.
  test.skipIf(process.platform === 'darwin')(
    'connections of one address end where its share does, and others still get in [perimeter.connections-address-end]',
    async () => {
      await start({ limits: { addressConnections: 3 } });
      const open = Array.from({ length: 3 }, () => new RawConnection(service.port));
      await Promise.all(open.map(answered));
      expect(await exchange(service.port, get('203.0.113.9'))).toBe('');
      expect(await answerFor('127.0.0.2')).toMatch(/"result":"success"/);
      open[0]?.close();
      await open[0]?.all;
      // The server hears of it in its own time.
      await expect.poll(() => answerFor('127.0.0.1')).toMatch(/"result":"success"/);
    },
  );

  test('connections in all are limited, too', async () => {
    await start({ limits: { connections: 2 } });
    const open = Array.from({ length: 2 }, () => new RawConnection(service.port));
    await Promise.all(open.map(answered));
    expect(await exchange(service.port, get('203.0.113.9'))).toBe('');
  });

  test('connections of a trusted proxy are not limited; what waits there for one address is', async () => {
    await start({ trustedProxies: ['127.0.0.1'], limits: { addressConnections: 1 } });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let told = (): void => undefined;
    const isWaiting = new Promise<void>((resolve) => (told = resolve));
    service.answers['server.settings'] = async () => {
      told();
      await released;
      return {};
    };
    const waiting = new RawConnection(service.port);
    waiting.write(get('203.0.113.1'));
    await isWaiting;
    const second = new RawConnection(service.port);
    second.write(get('203.0.113.1'));
    expect(await second.received(/RATE_LIMIT_HIT/)).toMatch(/^HTTP\/1\.1 429/);
    service.answers['server.settings'] = () => Promise.resolve({});
    const other = new RawConnection(service.port);
    other.write(get('203.0.113.2'));
    await other.received(/"result":"success"/);
    release();
    await waiting.received(/"result":"success"/);
    await answered(second);
  });
});
