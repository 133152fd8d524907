import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopFetchFile, desktopHttp } from '#desktop/system/http.ts';

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const { signal } = new AbortController();
const get = { method: 'GET', headers: {}, body: null, signal };

test('method, headers and body arrive as given', async () => {
  const url = await listen((request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => {
      response.end(JSON.stringify([request.method, request.headers['x-kind'], body]));
    });
  });
  const response = await desktopHttp({
    url,
    method: 'POST',
    headers: { 'x-kind': 'test' },
    body: 'a=ä',
    signal,
  });
  expect(response).toEqual({ status: 200, text: '["POST","test","a=ä"]' });
});

test.each([302, 401, 404, 500])(
  'status %i is an answer, and no redirect is followed',
  async (status) => {
    const url = await listen((_request, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end('said');
    });
    expect(await desktopHttp({ ...get, url })).toEqual({ status, text: 'said' });
  },
);

test('a probe leaves the connections of before, which may be dead', async () => {
  const ports: (number | undefined)[] = [];
  const url = await listen((request, response) => {
    ports.push(request.socket.remotePort);
    response.end();
  });
  for (const isProbe of [false, false, true, false]) await desktopHttp({ ...get, url, isProbe });
  const [first, second, probed, next] = ports;
  expect(second).toBe(first);
  expect(probed).not.toBe(first);
  expect(next).toBe(probed);
});

test('a packed answer is unpacked, and one that ends in its middle is none', async () => {
  const packed = gzipSync('said '.repeat(1000));
  let length = packed.length;
  const url = await listen((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length });
    response.write(packed.subarray(0, length));
    if (length < packed.length) response.destroy();
    else response.end();
  });
  expect((await desktopHttp({ ...get, url })).text).toBe('said '.repeat(1000));
  length = 20;
  await expect(desktopHttp({ ...get, url })).rejects.toThrow();
});

test('a request that waits ends when it is aborted', async () => {
  const controller = new AbortController();
  const url = await listen(() => {
    controller.abort();
  });
  await expect(desktopHttp({ ...get, url, signal: controller.signal })).rejects.toThrow();
});

test('a service that cannot be reached is a rejection', async () => {
  await expect(desktopHttp({ ...get, url: 'http://127.0.0.1:1/' })).rejects.toThrow();
});

test('a wait ends at once when it is aborted, without an error', async () => {
  const controller = new AbortController();
  const waiting = desktopClock.wait(600_000, controller.signal);
  controller.abort();
  await waiting;
  await desktopClock.wait(600_000, controller.signal);
});

describe('a body that is sent with progress', () => {
  const body = new Uint8Array(3_000_000).map((_, index) => index % 253);

  test('a body that is sent with progress arrives whole, with its length, and tells how far it is', async () => {
    const url = await listen((request, response) => {
      let length = 0;
      request.on('data', (chunk: Buffer) => (length += chunk.length));
      request.on('end', () => {
        const { 'content-length': announced, 'x-kind': kind } = request.headers;
        response.writeHead(201).end(`${request.method} ${announced} ${length} ${String(kind)} ä`);
      });
    });
    const shares: number[] = [];
    const response = await desktopHttp({
      ...{ url, method: 'PUT', headers: { 'x-kind': 'test' }, body, signal },
      onProgress: (share) => shares.push(share),
    });
    expect(response).toEqual({ status: 201, text: 'PUT 3000000 3000000 test ä' });
    expect(shares.length).toBeGreaterThan(20);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  test('a body sent with progress is given up when it is aborted, and where nobody takes it', async () => {
    const controller = new AbortController();
    const url = await listen(() => undefined);
    const aborted = desktopHttp({
      ...{ url, method: 'POST', headers: {}, body, signal: controller.signal },
      onProgress: () => {
        controller.abort();
      },
    });
    await expect(aborted).rejects.toThrow();
    const nobody = { url: 'http://127.0.0.1:1/', method: 'POST', headers: {}, body, signal };
    await expect(desktopHttp({ ...nobody, onProgress: () => undefined })).rejects.toThrow();
  });

  test('a body sent with progress follows no redirect', async () => {
    const url = await listen((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(307, { location: '/elsewhere' }).end('said');
      });
    });
    const onProgress = (): void => undefined;
    const asked = { url, method: 'POST', headers: {}, body, signal, onProgress };
    expect(await desktopHttp(asked)).toEqual({ status: 307, text: 'said' });
  });
});

describe('a file', () => {
  const ask = { method: 'GET', headers: { authorization: 'key' }, signal };

  test('a file comes with its type and its bytes', async () => {
    const url = await listen((request, response) => {
      response.setHeader('content-type', 'image/png');
      response.end(Buffer.from([0, 255, 137, request.headers.authorization === 'key' ? 1 : 0]));
    });
    const file = await desktopFetchFile({ ...ask, url, maxBytes: 4 });
    expect(file).toEqual({
      status: 200,
      type: 'image/png',
      bytes: new Uint8Array([0, 255, 137, 1]),
    });
  });

  test('a file that goes on for ever ends where it is longer than was asked for', async () => {
    const url = await listen((_, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const file = await desktopFetchFile({ ...ask, url, maxBytes: 100_000 });
    expect(file).toEqual({ status: 200, type: '', bytes: null });
  });

  test('a file is not fetched from where a redirect leads', async () => {
    const url = await listen((_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    });
    expect((await desktopFetchFile({ ...ask, url, maxBytes: 10 })).status).toBe(302);
  });
});

describe('an answer that never ends', () => {
  /** As much as the client takes, until it has had enough. */
  async function endless(isPacked: boolean): Promise<{ url: string; ended: Promise<unknown> }> {
    let note: (reason: unknown) => void;
    const ended = new Promise((resolve) => (note = resolve));
    const url = await listen((_, response) => {
      response.writeHead(200, isPacked ? { 'content-encoding': 'gzip' } : {});
      response.once('close', () => note('gone'));
      const plain = Buffer.alloc(1024 * 1024, 'a');
      const piece = isPacked ? gzipSync(plain) : plain;
      const send = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', send);
      send();
    });
    return { url, ended };
  }

  test.each([
    ['as it is', false],
    ['packed', true],
  ])(
    'an answer that never ends and comes %s is not read further than any page is long',
    async (_, isPacked) => {
      const { url, ended } = await endless(isPacked);
      expect(await desktopHttp({ ...get, url })).toEqual({ status: 200, text: '' });
      expect(await ended).toBe('gone');
    },
  );

  test('an answer that never ends is no file', async () => {
    const { url, ended } = await endless(false);
    const file = await desktopFetchFile({ ...get, url, maxBytes: 5 * 1024 * 1024 });
    expect(file).toMatchObject({ status: 200, bytes: null });
    expect(await ended).toBe('gone');
  });
});
