import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint, Table } from '#shared/api/endpoint.ts';
import { realmIconPath } from '#shared/api/endpoints/organization/icon.ts';
import { badRequest, ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { Serialized } from '#service/core/ports/handlers.ts';
import { settle } from '#test/support/fake-clock.ts';
import { ada, type Double, exchange, RawConnection, startDouble } from './service-double.ts';

let service: Double;
beforeAll(async () => {
  service = await startDouble();
});
afterAll(() => service.drain(1000));
beforeEach(() => {
  service.seen.length = 0;
  service.logged.length = 0;
  for (const name of Object.keys(service.answers)) Reflect.deleteProperty(service.answers, name);
});

const endpoints: readonly AnyEndpoint[] = Object.values<Table>(api).flatMap((table) =>
  Object.values(table),
);

const concrete = (path: string): string =>
  `/api/v1${path.replace(':integration', 'helloworld').replace(/:[a-z_]+/g, '7')}`;

const paths = [...new Set(endpoints.map(({ path }) => path))];

/** A number that is captured may stand for a name that another path captures at the same place. */
const patternOf = ({ path }: AnyEndpoint): RegExp =>
  new RegExp(
    `^/api/v1${path.replace(/:[a-z_]+/g, (name) => (name.endsWith('_id') ? '\\d+' : '[^/]+'))}$`,
  );

/** Beside the table a redirect is served there. */
const besideAt = (path: string): string[] => (path === realmIconPath ? ['GET', 'HEAD'] : []);

const allowedAt = (path: string): string[] =>
  endpoints
    .filter((endpoint) => patternOf(endpoint).test(concrete(path)))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat(besideAt(path))
    .filter((method, index, all) => all.indexOf(method) === index)
    .sort();

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(service.origin + path, { redirect: 'manual', ...init });

/** What gives keys away without a password is for pages of this service alone. */
const isForOwnPages = (path: string): boolean => path.includes('/dev_') || path === '/devices';

const expectApiHeaders = (response: Response, path = ''): void => {
  const cors = isForOwnPages(path)
    ? [null, null, null]
    : ['*', 'Authorization, Content-Type', 'GET, HEAD, POST, PUT, PATCH, DELETE'];
  expect(
    ['origin', 'headers', 'methods'].map((name) =>
      response.headers.get(`access-control-allow-${name}`),
    ),
  ).toEqual(cors);
  expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
};

describe('a path of the table', () => {
  test.each(paths)(
    '%s answers every method it does not have with 405 [routing.answers-method-not]',
    async (path) => {
      const allowed = allowedAt(path);
      const wrong = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
        (method) => !allowed.includes(method),
      );
      for (const method of wrong) {
        const response = await ask(concrete(path), { method });
        expect([method, response.status]).toEqual([method, 405]);
        expect(response.headers.get('allow')).toBe(allowed.join(', '));
        expect(await response.json()).toEqual({
          result: 'error',
          msg: expect.any(String) as string,
          code: 'METHOD_NOT_ALLOWED',
          allowed_methods: allowed,
          cause: { name: 'method_not_allowed', values: { methods: allowed.join(', ') } },
        });
        expectApiHeaders(response, path);
      }
      expect(service.seen).toEqual([]);
    },
  );

  test.each(paths)('%s answers OPTIONS with 204, the methods and nothing else', async (path) => {
    const response = await ask(concrete(path), { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe(allowedAt(path).join(', '));
    expect(await response.text()).toBe('');
    expectApiHeaders(response, path);
  });

  test.each(
    endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s is reached, or refuses who may not call it', async (_name, { method, path, auth }) => {
    const response = await ask(concrete(path), { method });
    const expected = { none: [200, 400], user: [401], sender: [401], webhook: [400] }[auth];
    expect(expected).toContain(response.status);
    expect(response.headers.get('content-type')).toBe('application/json');
    expectApiHeaders(response, path);
    expect(await response.json()).toHaveProperty('msg');
  });
});

test('HEAD of a GET endpoint has its status and headers and no body', async () => {
  const get = await ask('/api/v1/server_settings');
  const head = await ask('/api/v1/server_settings', { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(await head.text()).toBe('');
  expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
  expectApiHeaders(head);
});

test('a result stands beside result and msg, in plain JSON with its length', async () => {
  service.answers['users.me'] = async () => ({ full_name: 'Ada “Ä”' });
  const response = await ask('/api/v1/users/me', { headers: { authorization: ada } });
  const text = await response.text();
  expect(JSON.parse(text)).toEqual({ result: 'success', msg: '', full_name: 'Ada “Ä”' });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
});

test('a serialized answer goes out as it is', async () => {
  service.answers['events.poll'] = async () => new Serialized('{"events": [ ]}');
  const response = await ask('/api/v1/events', { headers: { authorization: ada } });
  expect(await response.text()).toBe('{"events": [ ]}');
});

test.each([
  ['/api/v1', 404],
  ['/api/v1/', 404],
  ['/api/v1/nothing', 404],
  ['/api/v1/messages/', 404],
  ['/api/v1/users/me/seven/topics', 404],
  ['/api/v1/users/me/-7/topics', 404],
  ['/api/v1/users/me/7.5/topics', 404],
  ['/api/v1/external/unknown', 404],
  ['/api/v1/external/', 404],
  [`/api/v1/external/${'x'.repeat(5000)}`, 404],
  ['/api/v2/messages', 404],
  ['/user_uploads', 404],
  ['/user_avatars/', 404],
  ['/avatar/', 404],
  ['/avatar/1/2', 404],
])(
  '%s is not found, whatever the method, in JSON and without a redirect [routing.not-found-method]',
  async (path, status) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const headers = { authorization: ada, accept: 'text/html' };
      const response = await ask(path, { method, headers });
      expect([method, response.status]).toEqual([method, status]);
      expect(await response.json()).toMatchObject({ result: 'error', code: 'NOT_FOUND' });
      expectApiHeaders(response);
    }
  },
);

test('a path with a malformed percent-encoding is a bad request', async () => {
  const response = await ask('/api/v1/external/%FF%zz', { method: 'POST' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  expectApiHeaders(response);
});

describe('what a handler throws', () => {
  test('a refusal is answered with its status, code and data', async () => {
    service.answers['users.me'] = () =>
      Promise.reject(
        new ServiceError('BAD_EVENT_QUEUE_ID', 'Bad event queue id: 1', { queue_id: '1' }),
      );
    const response = await ask('/api/v1/users/me', { headers: { authorization: ada } });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      result: 'error',
      msg: 'Bad event queue id: 1',
      code: 'BAD_EVENT_QUEUE_ID',
      queue_id: '1',
    });
    expect(service.logged).toEqual([]);
  });

  test('a refusal by its cause carries it with its values and says the words of the catalogue', async () => {
    service.answers['users.me'] = () =>
      Promise.reject(refusal('stream_name_taken', { name: 'Ops {1}' }));
    const response = await ask('/api/v1/users/me', { headers: { authorization: ada } });
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        result: 'error',
        msg: "Stream name 'Ops {1}' is already taken",
        code: 'BAD_REQUEST',
        cause: { name: 'stream_name_taken', values: { name: 'Ops {1}' } },
      },
    ]);
  });

  test('a refusal without a code has no key for it [routing.refusal-without-code]', async () => {
    service.answers['users.me'] = () => Promise.reject(new ServiceError('NONE', 'no'));
    const response = await ask('/api/v1/users/me', { headers: { authorization: ada } });
    expect(await response.json()).toEqual({ result: 'error', msg: 'no' });
  });

  test('a refusal with retry-after has the header in whole seconds [routing.refusal-retry-header]', async () => {
    service.answers['users.me'] = () =>
      Promise.reject(new ServiceError('RATE_LIMIT_HIT', 'wait', { 'retry-after': 4.2 }));
    const response = await ask('/api/v1/users/me', { headers: { authorization: ada } });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('5');
  });

  test('anything else is logged with its cause and path, and told as nothing more than 500 [routing.anything-else-logged]', async () => {
    service.answers['users.me'] = () =>
      Promise.reject(new TypeError('secret detail', { cause: new Error('deeper') }));
    const response = await ask('/api/v1/users/me?api_key=hidden', {
      headers: { authorization: ada },
    });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      result: 'error',
      msg: 'Internal server error',
      code: 'INTERNAL_ERROR',
      cause: { name: 'internal_error', values: {} },
    });
    expect(service.logged).toHaveLength(1);
    expect(service.logged[0]).toMatchObject({
      request: 'GET /api/v1/users/me',
      error: { message: 'secret detail', cause: { message: 'deeper' } },
    });
    expect(JSON.stringify(service.logged)).not.toContain('hidden');
  });

  test('an error of another library with its own status does not pass as a refusal by accident', async () => {
    service.answers['users.me'] = () =>
      Promise.reject(Object.assign(new Error('x'), { statusCode: 503 }));
    const response = await ask('/api/v1/users/me', { headers: { authorization: ada } });
    expect(response.status).toBe(500);
    expect(service.logged).toHaveLength(1);
  });
});

describe('on one connection', () => {
  const get = (path: string, more = ''): string =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

  test('pipelined requests are handled and answered one after the other', async () => {
    let release = (): void => undefined;
    service.answers['server.settings'] = async (_call, _params) => {
      await new Promise<void>((resolve) => (release = resolve));
      return { which: 'first' };
    };
    service.answers['users.devFetchApiKey'] = async () => ({ which: 'second' });
    service.seen.length = 0;
    const connection = new RawConnection(service.port);
    connection.write(
      get('/api/v1/server_settings') +
        'POST /api/v1/dev_fetch_api_key HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n' +
        get('/api/v1/nothing', 'Connection: close\r\n'),
    );
    await expect.poll(() => service.seen.length).toBeGreaterThan(0);
    await settle();
    expect(service.seen.map(({ name }) => name)).toEqual(['server.settings']);
    release();
    const text = await connection.all;
    const found = [...text.matchAll(/"which":"(\w+)"|NOT_FOUND/g)].map(
      (match) => match[1] ?? match[0],
    );
    expect(found).toEqual(['first', 'second', 'NOT_FOUND']);
  });

  test('a hundred requests may wait for the one before them, and with more the connection ends', async () => {
    service.answers['server.settings'] = async () => ({});
    const requests = (count: number): string =>
      get('/api/v1/server_settings').repeat(count) +
      get('/api/v1/nothing', 'Connection: close\r\n');
    service.seen.length = 0;
    const text = await exchange(service.port, requests(100));
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(100);
    expect(text).toContain('NOT_FOUND');
    service.seen.length = 0;
    expect(await exchange(service.port, requests(10_000))).not.toContain('NOT_FOUND');
    expect(service.seen.length).toBeLessThanOrEqual(1);
    expect((await ask('/api/v1/server_settings')).status).toBe(200);
  });

  test('a request after a refused one is answered', async () => {
    const text = await exchange(
      service.port,
      get('/api/v1/nothing') + get('/api/v1/server_settings', 'Connection: close\r\n'),
    );
    expect(text).toMatch(/404[\s\S]*HTTP\/1\.1 200/);
  });

  test('an absolute request target is understood', async () => {
    const text = await exchange(
      service.port,
      get('http://example.com/api/v1/server_settings', 'Connection: close\r\n'),
    );
    expect(text).toMatch(/^HTTP\/1\.1 200/);
  });

  test('a request without a Host header is served under the address it arrived at', async () => {
    service.answers['server.settings'] = async ({ origin, isLocal }) => ({ origin, isLocal });
    const text = await exchange(
      service.port,
      'GET /api/v1/server_settings HTTP/1.1\r\nConnection: close\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 200/);
    expect(text).toContain(`"origin":"${service.origin}","isLocal":false`);
  });

  test('an unknown expectation is ignored and 100-continue is honoured', async () => {
    const close = 'Connection: close\r\n';
    const unknown = get('/api/v1/server_settings', `Expect: miracles\r\n${close}`);
    expect(await exchange(service.port, unknown)).toMatch(/^HTTP\/1\.1 200/);
    const known = get('/api/v1/server_settings', `Expect: 100-continue\r\n${close}`);
    expect(await exchange(service.port, known)).toMatch(/100 Continue[\s\S]*HTTP\/1\.1 200/);
  });
});

test('a refusal of a handler that comes with a body of arguments leaves the connection usable', async () => {
  service.answers['messages.send'] = () => Promise.reject(badRequest('no'));
  const send = (): Promise<Response> =>
    ask('/api/v1/messages', {
      method: 'POST',
      headers: { authorization: ada },
      body: new URLSearchParams({ type: 'private', to: 'x', content: 'y' }),
    });
  expect((await send()).status).toBe(400);
  expect((await send()).status).toBe(400);
});
