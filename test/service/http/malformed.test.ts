import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ada, type Double, exchange, keyOf, RawConnection, startDouble } from './service-double.ts';

const MIB = 1024 * 1024;
const FORM = 'application/x-www-form-urlencoded';

let service: Double;
beforeAll(async () => {
  service = await startDouble();
});
afterAll(() => service.drain(1000));
beforeEach(() => {
  service.seen.length = 0;
});

/** After every test of bad input: the service still answers, and nothing of it was taken for a fault of ours. */
async function expectWell(): Promise<void> {
  const response = await fetch(`${service.origin}/api/v1/server_settings`);
  expect(response.status).toBe(200);
  expect(service.logged).toEqual([]);
}

function expectRefusal(text: string, status: number, code: string): void {
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(/\r\ncontent-type: application\/json/i);
  expect(head).toMatch(/\r\naccess-control-allow-origin: \*/i);
  expect(head).toMatch(/\r\nconnection: close/i);
  expect(Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])).toBe(Buffer.byteLength(body));
  expect(JSON.parse(body)).toMatchObject({ result: 'error', code });
}

describe('bytes that are no request', () => {
  test.each([
    ['no HTTP at all', 'hello there\r\n\r\n'],
    ['a TLS greeting', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03])],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no request target', 'GET HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\0\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'a length and chunks',
      'POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    [
      'a negative length',
      'POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\n${'X-Filler: 0123456789\r\n'.repeat(3000)}`,
    ],
    ['a target without end', `GET /${'x'.repeat(60_000)}`],
  ])('%s is a bad request, and the connection is closed', async (_title, bytes) => {
    expectRefusal(await exchange(service.port, bytes), 400, 'BAD_REQUEST');
    await expectWell();
  });

  test('garbage behind a request does not take its answer away', async () => {
    const text = await exchange(
      service.port,
      'GET /api/v1/server_settings HTTP/1.1\r\nHost: x\r\n\r\n\x00\x01garbage\r\n\r\n',
    );
    expect(text).toMatch(/HTTP\/1\.1 400 /);
    await expectWell();
  });

  test('a chunk of malformed length ends the request', async () => {
    const text = await exchange(
      service.port,
      `POST /api/v1/dev_fetch_api_key HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    );
    expectRefusal(text, 400, 'BAD_REQUEST');
    expect(service.seen).toEqual([]);
    await expectWell();
  });

  test('CONNECT is refused', async () => {
    const text = await exchange(
      service.port,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    await expectWell();
  });

  test('an upgrade is answered as the request it is', async () => {
    const text = await exchange(
      service.port,
      'GET /api/v1/server_settings HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a body that never comes', () => {
  const start =
    `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada}\r\n` +
    `Content-Type: ${FORM}\r\n`;

  test.each([
    ['of a given length', `${start}Content-Length: 1000\r\n\r\ntype=private&`],
    ['in chunks', `${start}Transfer-Encoding: chunked\r\n\r\n5\r\ntype=\r\n`],
  ])('%s never reaches the handler when the client gives up', async (_title, bytes) => {
    const connection = new RawConnection(service.port);
    connection.write(bytes);
    connection.socket.end();
    await connection.all;
    expect(service.seen).toEqual([]);
    await expectWell();
  });

  test('the service gives up a body that never comes after the time a request may take', async () => {
    const impatient = await startDouble({ requestTimeoutMs: 50 });
    try {
      const text = await exchange(impatient.port, `${start}Content-Length: 1000\r\n\r\ntype=`);
      expectRefusal(text, 400, 'BAD_REQUEST');
      expect(impatient.seen).toEqual([]);
    } finally {
      await impatient.drain(1000);
    }
  });
});

describe('a body over the limit', () => {
  const post = (path: string, init: RequestInit): Promise<Response> =>
    fetch(`${service.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: ada, 'content-type': FORM },
      ...init,
    });

  /** Without a known length: sent in chunks. */
  const stream = (bytes: number): RequestInit => {
    let left = bytes;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const size = Math.min(left, 65_536);
        if (size > 0) controller.enqueue(new Uint8Array(size).fill(0x61));
        else controller.close();
        left -= size;
      },
    });
    return { body, duplex: 'half' } as RequestInit;
  };

  test.each(['/messages', '/fetch_api_key', '/users/me'])(
    'a body over the limit is refused with 413 on %s, of known length or in chunks [malformed.body-limit-refused]',
    async (path) => {
      for (const init of [{ body: 'a'.repeat(MIB + 1) }, stream(MIB + 1)]) {
        const response = await post(path, init);
        expect(response.status).toBe(413);
        expect(response.headers.get('connection')).toBe('close');
        expect(await response.json()).toMatchObject({ result: 'error', code: 'PAYLOAD_TOO_LARGE' });
      }
      expect(service.seen).toEqual([]);
      await expectWell();
    },
  );

  test('the limit of a body is 1 MiB for most endpoints and 5 MiB for webhooks', async () => {
    const key = keyOf(3);
    expect((await post('/messages', { body: 'a'.repeat(MIB) })).status).toBe(400);
    const json = { 'content-type': 'application/json' };
    const hook = `/external/helloworld?api_key=${key}`;
    expect((await post(hook, { headers: json, body: 'a'.repeat(5 * MIB) })).status).toBe(200);
    expect(service.seen[0]?.call.body?.bytes).toHaveLength(5 * MIB);
    expect((await post(hook, { headers: json, body: 'a'.repeat(5 * MIB + 1) })).status).toBe(413);
    expect((await post(hook, { headers: json, ...stream(5 * MIB + 1) })).status).toBe(413);
  });

  test('an oversized body is answered at once, while the client still sends, and then cut off', async () => {
    const connection = new RawConnection(service.port);
    const endless = setInterval(() => connection.write(`10000\r\n${'a'.repeat(65_536)}\r\n`), 1);
    try {
      connection.write(
        `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      await connection.received(/PAYLOAD_TOO_LARGE/);
      expectRefusal(await connection.all, 413, 'PAYLOAD_TOO_LARGE');
    } finally {
      clearInterval(endless);
    }
    await expectWell();
  });

  test('announced but not sent is refused without waiting for it', async () => {
    const text = await exchange(
      service.port,
      `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada}\r\nContent-Length: 99999999999\r\n\r\n`,
    );
    expectRefusal(text, 413, 'PAYLOAD_TOO_LARGE');
  });

  test('a GET with too large a body is refused as well, and one with a body in chunks ends the connection', async () => {
    const get = (header: string): string =>
      `GET /api/v1/server_settings HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`;
    expectRefusal(
      await exchange(service.port, get('Content-Length: 2000000')),
      413,
      'PAYLOAD_TOO_LARGE',
    );
    const chunked = await exchange(
      service.port,
      get('Transfer-Encoding: chunked') + '5\r\nhello\r\n',
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('a form of a million characters that all need decoding is answered in time', async () => {
  const response = await fetch(`${service.origin}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: ada, 'content-type': FORM },
    body: `type=private&to=x&content=${'%41'.repeat(340_000)}`,
  });
  expect(response.status).toBe(200);
  expect(service.seen[0]?.params['content']).toHaveLength(340_000);
});
