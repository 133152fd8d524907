import { hostname, networkInterfaces } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientName } from '#service/http/call.ts';
import { ada, type Double, exchange, RawConnection, startDouble } from './service-double.ts';

test.each([
  ['ZulipTerminal/0.7.0 (Linux)', 'ZulipTerminal'],
  ['ZulipPython/0.8.2', 'ZulipPython'],
  ['Hearth Desktop/1', 'Hearth'],
  ['Bot(1)', 'Bot'],
  ['  padded/1', 'padded'],
  ['x'.repeat(40), 'x'.repeat(30)],
  ['/1.0', 'Unspecified'],
  ['', 'Unspecified'],
  [undefined, 'Unspecified'],
])('the user agent %j is the client %j', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});

const ownAddresses = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ family }) => family === 'IPv4')
  .map(({ address }) => address);

let service: Double;
beforeAll(async () => {
  service = await startDouble();
});
afterAll(() => service.drain(1000));
beforeEach(() => {
  service.seen.length = 0;
  service.answers['server.settings'] = async ({ origin, isLocal, client }) => ({
    origin,
    isLocal,
    client,
  });
});

async function settings(...headers: string[]): Promise<Record<string, unknown>> {
  const head = ['GET /api/v1/server_settings HTTP/1.1', ...headers, 'Connection: close'];
  const text = await exchange(service.port, `${head.join('\r\n')}\r\n\r\n`);
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
}

describe('the origin', () => {
  test.each([
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['[::1]:9981', 'http://[::1]:9981'],
    [`${hostname()}:80`, `http://${hostname().toLowerCase()}:80`],
    ...ownAddresses.map((address) => [`${address}:80`, `http://${address}:80`]),
  ])('the origin of host %j, which is ours, is %j', async (host, origin) => {
    expect((await settings(`Host: ${host}`))['origin']).toBe(origin);
  });

  test.each(['evil.example', 'Chat.Example.com:8080', '192.0.2.1:80', '127.0.0.1.evil.example'])(
    'the origin of host %j, which is not ours, is the address the request arrived at, whatever else it says [call.origin-host-not]',
    async (host) => {
      const forwarded = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'];
      expect((await settings(`Host: ${host}`, ...forwarded))['origin']).toBe(service.origin);
    },
  );

  test.each(['evil.com/path', 'a b', 'user@host', '"><script>', 'x:port', '[zz]', '', '-'])(
    'the origin of the invalid host %j is the address the request arrived at',
    async (host) => {
      expect((await settings(`Host: ${host}`))['origin']).toBe(service.origin);
    },
  );
});

describe('a request from this machine', () => {
  test.each([
    [['Host: localhost:PORT'], true],
    [['Host: LOCALHOST:PORT'], true],
    [['Host: 127.0.0.1:PORT'], true],
    [['Host: 127.9.9.9:PORT'], true],
    [['Host: [::1]:PORT'], true],
    [['Host: localhost:PORT', 'Origin: http://localhost:PORT'], true],
    [['Host: localhost:PORT', 'Origin: http://localhost:1'], false],
    [['Host: localhost:PORT', 'Origin: https://localhost:PORT'], false],
    [['Host: localhost:PORT', 'Origin: http://evil.example'], false],
    [['Host: localhost:PORT', 'Origin: null'], false],
    [['Host: evil.example:PORT'], false],
    [['Host: evil.example:PORT', 'Origin: http://evil.example:PORT'], false],
    [['Host: localhost.evil.example:PORT'], false],
    [['Host: 127.0.0.1.evil.example:PORT'], false],
    [['Host: 192.168.1.5:PORT'], false],
    [['Host: localhost:1'], false],
    [['Host: localhost'], false],
    [['Host: localhost:PORT', 'X-Forwarded-For: 203.0.113.9'], false],
    [['Host: localhost:PORT', 'X-Real-IP: 203.0.113.9'], false],
    [['Host: localhost:PORT', 'Forwarded: for=203.0.113.9'], false],
    [['Host: localhost:PORT', 'CF-Connecting-IP: 203.0.113.9'], false],
    [['Host: localhost:PORT', 'Via: 1.1 proxy'], false],
    [[], false],
  ])('a request from this machine with %j is local: %s', async (headers, isLocal) => {
    const filled = headers.map((header) => header.replaceAll('PORT', String(service.port)));
    expect((await settings(...filled))['isLocal']).toBe(isLocal);
  });

  test('a request from this machine in the HTTP of old proxies is not local', async () => {
    const head = `GET /api/v1/server_settings HTTP/1.0\r\nHost: localhost:${service.port}\r\n\r\n`;
    expect(await exchange(service.port, head)).toContain('"isLocal":false');
  });
});

test('the client is read from the user agent of the request', async () => {
  expect((await settings('Host: x', 'User-Agent: ZulipTerminal/0.7.0'))['client']).toBe(
    'ZulipTerminal',
  );
  expect((await settings('Host: x'))['client']).toBe('Unspecified');
});

describe('the signal', () => {
  const poll = `GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada}\r\n\r\n`;

  test('the signal of a call aborts when the client goes away while the call waits', async () => {
    let told = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (told = resolve));
    const aborted = new Promise<void>((resolve) => {
      service.answers['events.poll'] = ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            resolve();
            reject(signal.reason);
          });
          told();
        });
    });
    const connection = new RawConnection(service.port);
    connection.write(poll);
    await waiting;
    connection.close();
    await aborted;
    expect((await settings('Host: x'))['client']).toBe('Unspecified');
    expect(service.logged).toEqual([]);
  });

  test('the signal of a call has aborted when it is first asked for after the client went away', async () => {
    let told = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (told = resolve));
    let gone = (): void => undefined;
    const closed = new Promise<void>((resolve) => (gone = resolve));
    const isAborted = new Promise<boolean>((resolve) => {
      service.answers['events.poll'] = async (call) => {
        told();
        await closed;
        resolve(call.signal.aborted);
        return {};
      };
    });
    const connection = new RawConnection(service.port);
    connection.write(poll);
    await waiting;
    connection.close();
    await connection.all;
    // One more round trip: by then the service has seen the connection end, which came first.
    await settings('Host: x');
    gone();
    expect(await isAborted).toBe(true);
  });

  test('the signal of a call does not abort while the client waits, nor after its answer', async () => {
    service.answers['events.poll'] = async ({ signal }) => ({ isAborted: signal.aborted });
    const text = await exchange(
      service.port,
      poll.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    expect(text).toContain('"isAborted":false');
    expect(service.seen[0]?.call.signal.aborted).toBe(false);
  });
});
