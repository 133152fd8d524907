/** Over real sockets: how much of a body is read, of whom, and what becomes of the rest. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint, Table } from '#shared/api/endpoint.ts';
import type { CallerRecord } from '#service/core/ports/handlers.ts';
import { FORM_KEY_BYTES, STRANGER_BODY_BYTES } from '#shared/limits.ts';
import {
  ada,
  adaRecord,
  basic,
  type Double,
  exchange,
  keyOf,
  RawConnection,
  startDouble,
} from './service-double.ts';

const MIB = 1024 * 1024;
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';
const hook = '/api/v1/external/helloworld';
const wrong = basic('ada@example.com', 'wrong');

const services: Double[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.drain(1000)));
});

async function start(...parts: Parameters<typeof startDouble>): Promise<Double> {
  const service = await startDouble(...parts);
  services.push(service);
  return service;
}

const head = (request: string, ...headers: readonly string[]): string =>
  [`${request} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

const length = (bytes: number): string => `Content-Length: ${String(bytes)}`;
const type = (name: string): string => `Content-Type: ${name}`;
const authorized = (value: string): string => `Authorization: ${value}`;

/** The answer to what was written so far. */
async function answerTo(
  service: Double,
  ...bytes: readonly (string | Uint8Array)[]
): Promise<{ readonly status: number; readonly code: unknown; readonly text: string }> {
  const connection = new RawConnection(service.port);
  try {
    for (const part of bytes) connection.write(part);
    const text = await Promise.race([
      connection.received(/\r\n\r\n(?:.*\}|.*\n)?$/s),
      connection.all,
    ]);
    const start = text.indexOf('{');
    const json = start === -1 ? undefined : text.slice(start);
    const code: unknown =
      json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>)['code'];
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), code, text };
  } finally {
    connection.close();
  }
}

const endpoints = Object.values<Table>(api)
  .flatMap((table) => Object.values(table))
  .filter(({ method }) => method !== 'GET');

const requestOf = ({ method, path }: AnyEndpoint): string => {
  const filled = path.replace(/:([a-z_]+)/g, (_all, name: string) =>
    name === 'integration' ? 'helloworld' : '1',
  );
  return `${method} /api/v1${filled}`;
};

/** What a stranger is told before more than this has been read of a body that goes on. */
function expectedOf({ auth }: AnyEndpoint, contentType: string) {
  if (auth === 'none') return { bytes: STRANGER_BODY_BYTES, code: 'PAYLOAD_TOO_LARGE' };
  if (auth !== 'webhook') return { bytes: 0, code: 'UNAUTHORIZED' };
  const isForm = contentType !== 'application/json';
  return { bytes: isForm ? FORM_KEY_BYTES : 0, code: 'REQUEST_VARIABLE_MISSING' };
}

const filler = (bytes: number): string =>
  bytes === 0 ? '' : `${(bytes + 1).toString(16)}\r\n${'a'.repeat(bytes + 1)}\r\n`;

/** Asks until the answer has the status. */
async function until(ask: () => Promise<Response>, status: number): Promise<Response> {
  let answer: Response | undefined;
  const attempt = async (): Promise<number> => {
    answer = await ask();
    return answer.status;
  };
  await expect.poll(attempt).toBe(status);
  if (answer === undefined) throw new Error('never asked');
  return answer;
}

describe('of a stranger', () => {
  test('no endpoint waits for more of a body than a stranger may send [admission.no-endpoint-waits]', async () => {
    const service = await start({ requestTimeoutMs: 20_000 });
    const cases = endpoints.flatMap((endpoint) =>
      [FORM, MULTIPART, 'application/json'].map((contentType) => ({ endpoint, contentType })),
    );
    const told = await Promise.all(
      cases.map(async ({ endpoint, contentType }) => {
        const { bytes } = expectedOf(endpoint, contentType);
        const lines = [type(contentType), 'Transfer-Encoding: chunked'];
        const { code } = await answerTo(
          service,
          head(requestOf(endpoint), ...lines) + filler(bytes),
        );
        return `${requestOf(endpoint)} ${contentType}: ${String(code)}`;
      }),
    );
    expect(told).toEqual(
      cases.map(
        ({ endpoint, contentType }) =>
          `${requestOf(endpoint)} ${contentType}: ${expectedOf(endpoint, contentType).code}`,
      ),
    );
    expect(service.seen).toEqual([]);
  });

  test.each([
    ['an unknown path', 'POST /api/v1/nothing', 404],
    ['an unknown path outside of the API', 'POST /nothing', 405],
    ['a wrong method', 'PUT /api/v1/messages', 405],
    ['a path of files', 'PUT /user_uploads/1/a', 405],
    ['a page', 'GET /', 404],
    ['an endpoint that reads nothing', 'GET /api/v1/server_settings', 200],
    ['an unknown webhook', 'POST /api/v1/external/unknown', 404],
    ['a webhook with a wrong key in its address', `POST ${hook}?api_key=wrong`, 401],
  ])('%s is answered before any of the body comes', async (_title, request, status) => {
    const service = await start({ requestTimeoutMs: 20_000 });
    for (const line of [length(900_000), 'Transfer-Encoding: chunked']) {
      const text = await exchange(service.port, head(request, type(FORM), line));
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
      expect(text).toMatch(/\r\nconnection: close\r\n/i);
    }
  });

  test('a client that waits for 100 Continue is refused without it, and let in with it', async () => {
    const service = await start();
    const lines = [type(FORM), length(5), 'Expect: 100-continue', 'Connection: close'];
    const refused = await exchange(service.port, head('POST /api/v1/messages', ...lines));
    expect(refused).toMatch(/^HTTP\/1\.1 401 /);
    const connection = new RawConnection(service.port);
    connection.write(head('POST /api/v1/fetch_api_key', ...lines));
    await connection.received(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    connection.write('a=b&c');
    expect(await connection.all).toContain("Missing 'username' argument");
  });

  test('a short body that is refused costs nobody the connection', async () => {
    const service = await start();
    const connection = new RawConnection(service.port);
    const request = head('POST /api/v1/messages', authorized(wrong), length(60_000));
    connection.write(request + 'x'.repeat(60_000));
    connection.write(head('GET /api/v1/server_settings', 'Connection: close'));
    expect((await connection.all).match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 401',
      'HTTP/1.1 200',
    ]);
  });

  test('a wrong key does not matter at a path where no endpoint asks who calls', async () => {
    const service = await start();
    const request = head('POST /api/v1/server_settings', authorized(wrong), type(FORM), length(3));
    const { status, code } = await answerTo(service, request, 'a=1');
    expect([status, code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });

  test('a client that writes all of its body first still reads why it was refused', async () => {
    const service = await start();
    const body = Buffer.alloc(20 * MIB, 'a');
    const requests = [
      head('POST /api/v1/user_uploads', authorized(wrong), type(MULTIPART), length(body.length)),
      head(`POST ${hook}`, type('application/json'), length(4 * MIB)),
      head(`POST ${hook}`, type(FORM), length(4 * MIB)),
      head('POST /api/v1/fetch_api_key', type(FORM), length(body.length)),
      head('POST /api/v1/nothing', length(MIB)),
    ];
    const statuses = await Promise.all(
      requests.map(async (request) => {
        const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
        await once(socket, 'connect');
        const bytes = Number(/Content-Length: (\d+)/.exec(request)?.[1]);
        socket.write(request);
        // An error of the connection, which hides the answer, rejects.
        await new Promise<void>((resolve, reject) => {
          socket.once('error', reject);
          socket.write(body.subarray(0, bytes), (error) => (error ? reject(error) : resolve()));
        });
        const [answer] = (await once(socket, 'data')) as [Buffer];
        socket.destroy();
        return answer.toString().slice(0, 12);
      }),
    );
    expect(statuses).toEqual(['401', '400', '400', '413', '404'].map((code) => `HTTP/1.1 ${code}`));
  });
});

describe('the key of a webhook', () => {
  const form = (key: string, size: number): string => `api_key=${key}&payload=${'a'.repeat(size)}`;
  const parts = (key: string, size: number): string =>
    [
      ...['--x', 'Content-Disposition: form-data; name="api_key"', '', key],
      ...['--x', 'Content-Disposition: form-data; name="payload"', '', 'a'.repeat(size), '--x--'],
    ].join('\r\n');

  test.each([
    ['a form', FORM, form],
    ['a form of several parts', MULTIPART, parts],
  ])(
    'stands in %s of any length, if it stands at its beginning',
    async (_title, contentType, write) => {
      const service = await start({ requestTimeoutMs: 20_000 });
      const post = (key: string, size: number) =>
        fetch(service.origin + hook, {
          method: 'POST',
          headers: { 'content-type': contentType },
          body: write(key, size),
        });
      for (const size of [10, FORM_KEY_BYTES, 4 * MIB]) {
        expect((await post(keyOf(3), size)).status).toBe(200);
        expect(service.seen.at(-1)?.call.body?.bytes).toHaveLength(write(keyOf(3), size).length);
        const refused = await post('wrong', size);
        expect([refused.status, await refused.json()]).toMatchObject([
          401,
          { code: 'INVALID_API_KEY' },
        ]);
      }
      expect((await post(keyOf(3), 5 * MIB)).status).toBe(413);
      const late = await fetch(service.origin + hook, {
        method: 'POST',
        headers: { 'content-type': FORM },
        body: `payload=${'a'.repeat(FORM_KEY_BYTES)}&api_key=${keyOf(3)}`,
      });
      expect([late.status, await late.json()]).toMatchObject([
        400,
        { code: 'REQUEST_VARIABLE_MISSING' },
      ]);
      expect(service.seen).toHaveLength(3);
    },
  );

  test('counts in the query or the header before the one in the form', async () => {
    const service = await start();
    const post = (query: string, headers: Record<string, string>) =>
      fetch(service.origin + hook + query, {
        method: 'POST',
        headers: { ...headers, 'content-type': FORM },
        body: form(keyOf(4), 10),
      });
    expect((await post(`?api_key=${keyOf(3)}`, {})).status).toBe(200);
    const authorization = basic('hook-bot@example.com', keyOf(3));
    expect((await post('', { authorization })).status).toBe(200);
    // It is no key, whatever it is for.
    expect((await post('', { authorization: 'Bearer abc' })).status).toBe(200);
    expect(service.seen.map(({ call }) => call.caller?.userId)).toEqual([3, 3, 4]);
    expect((await post('?api_key=wrong', {})).status).toBe(401);
    expect((await post('', { authorization: wrong })).status).toBe(401);
  });
});

describe('bodies that wait', () => {
  const limits = {
    ...{ addressWaitingBytes: 64_000, strangerWaitingBytes: 128_000 },
    ...{ accountWaitingBytes: 4 * MIB, waitingBytes: 8 * MIB, signInCalls: 100_000 },
  };
  const open = (service: Double, request: string, body: string): RawConnection => {
    const connection = new RawConnection(service.port);
    connection.write(request + body);
    return connection;
  };
  const stuck = head('POST /api/v1/fetch_api_key', type(FORM), length(16_000));
  const ask = (service: Double, headers: Record<string, string> = {}) =>
    fetch(`${service.origin}/api/v1/fetch_api_key`, {
      method: 'POST',
      headers: { ...headers, 'content-type': FORM },
      body: 'username=a&password=b',
    });
  const send = (service: Double, bytes = 100) =>
    fetch(`${service.origin}/api/v1/messages`, {
      method: 'POST',
      headers: { authorization: ada, 'content-type': FORM },
      body: `type=private&to=x&content=${'a'.repeat(bytes)}`,
    });

  test('strangers of one address share what they may have waiting, and take nothing from others [admission.strangers-address-share]', async () => {
    const service = await start({ limits, trustedProxies: ['127.0.0.1'] });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const slow = (address: string) =>
      open(
        service,
        stuck.replace('Host: x', `Host: x\r\nX-Forwarded-For: ${address}`),
        'a'.repeat(15_999),
      );
    const fill = (address: string) => Array.from({ length: 4 }, () => slow(address));
    const connections = fill('2001:db8::1');
    const refused = await until(() => ask(service, from('2001:db8::2')), 429);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': 5 });
    expect((await ask(service, from('2001:db8:0:1::1'))).status).toBe(200);
    connections.push(...fill('192.0.2.1'));
    await until(() => ask(service, from('::ffff:192.0.2.1')), 429);
    // All strangers together.
    await until(() => ask(service, from('192.0.2.2')), 429);
    for (let i = 0; i < 3; i++) expect((await send(service, 500_000)).status).toBe(200);
    for (const connection of connections) connection.close();
    await until(() => ask(service, from('192.0.2.2')), 200);
    await until(() => ask(service, from('2001:db8::1')), 200);
  });

  test('a body that does not move ends, and gives back what it held', async () => {
    const service = await start({ limits, bodyIdleMs: 500 });
    const texts = await Promise.all(
      [
        stuck + 'a'.repeat(15_999),
        head('POST /api/v1/messages', authorized(ada), type(FORM), length(16_000)) + 'a',
        head(`POST ${hook}`, type(FORM), 'Transfer-Encoding: chunked') + filler(1000),
      ].map((bytes) => exchange(service.port, bytes)),
    );
    for (const text of texts) {
      expect(text).toMatch(/^HTTP\/1\.1 400 .*The request did not arrive in time/s);
    }
    for (let i = 0; i < 8; i++) expect((await ask(service)).status).toBe(200);
    expect((await send(service, 1_000_000)).status).toBe(200);
  });

  test('the files of one person and their bots share what may wait, and what they write goes on [admission.files-person-bots]', async () => {
    const service = await start({ limits });
    const ask = (request: string, authorization: string, bytes: number) =>
      answerTo(
        service,
        head(
          request,
          authorized(authorization),
          type('application/json'),
          ...[length(bytes), 'Expect: 100-continue', 'Connection: close'],
        ),
      );
    const bot = basic('echo-bot@example.com', keyOf(4));
    const hookBot = basic('hook-bot@example.com', keyOf(3));
    const upload = 'POST /api/v1/realm/icon';
    // One that is alone is let in, however long.
    const lines = [authorized(ada), length(4 * MIB), 'Expect: 100-continue'];
    const first = open(service, head(upload, ...lines), '');
    await first.received(/100 Continue/);
    expect((await ask(upload, bot, MIB)).code).toBe('RATE_LIMIT_HIT');
    expect((await ask(`POST ${hook}`, hookBot, 10)).code).toBe('RATE_LIMIT_HIT');
    expect((await send(service, 500_000)).status).toBe(200);
    first.close();
    await expect.poll(async () => (await ask(upload, bot, MIB)).status).toBe(100);
    // What goes to the disk as it comes takes next to nothing, however long it is.
    const streamed = [authorized(ada), type(MULTIPART), length(20 * MIB), 'Expect: 100-continue'];
    for (let i = 0; i < 3; i++) {
      const file = open(service, head('POST /api/v1/user_uploads', ...streamed), '');
      await file.received(/100 Continue/);
    }
  });

  test('a connection that ends before its key was looked at gives back what it announced', async () => {
    const looked = Promise.withResolvers<CallerRecord>();
    const callers = {
      findCallerByEmail: () => looked.promise,
      findCallerByKeyHash: () => Promise.resolve(undefined),
      noteKeyUse: () => undefined,
    };
    const service = await start({ limits, callers });
    const lines = [authorized(ada), type(FORM), length(MIB)];
    const early = open(service, head('POST /api/v1/messages', ...lines), '');
    await until(() => fetch(`${service.origin}/api/v1/server_settings`), 200);
    early.close();
    await early.all;
    await until(() => fetch(`${service.origin}/api/v1/server_settings`), 200);
    looked.resolve(adaRecord);
    expect((await send(service, 1_000_000)).status).toBe(200);
  });

  test('a body sent byte by byte takes no more memory than its length', async () => {
    const service = await start({ limits: { ...limits, addressWaitingBytes: 64 * MIB } });
    const connection = open(
      service,
      head('POST /api/v1/fetch_api_key', type(FORM), 'Transfer-Encoding: chunked'),
      '',
    );
    const text = 'username=a&password=' + 'b'.repeat(10_000);
    connection.write(Array.from(text, (letter) => `1\r\n${letter}\r\n`).join(''));
    connection.write('0\r\n\r\n');
    await connection.received(/^HTTP\/1\.1 200 /);
    expect(service.seen[0]?.params['password']).toHaveLength(10_000);
    connection.close();
  });
});
