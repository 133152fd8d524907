/** Whoever comes on the same connection again is known by it, but only as long as nobody has changed. */
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  call,
  credentials,
  startService,
  type Credentials,
  type RunningService,
} from '#test/support/service/service.ts';

let service: RunningService;
let ada: Credentials;
beforeAll(async () => {
  service = await startService({ dev: true });
  ada = await credentials(service.origin, 'ada@example.com');
});
afterAll(() => service.stop());

interface Answered {
  readonly status: number | undefined;
  readonly code: unknown;
  /** The client's end of the connection. */
  readonly port: number | undefined;
}

type Ask = (who: Credentials) => Promise<Answered>;

/** Asks for its own profile, always on the one connection. */
function openLine(): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return ({ email, key }) =>
    new Promise((resolve, reject) => {
      const asked = request(`${service.origin}/api/v1/users/me`, {
        agent,
        auth: `${email}:${key}`,
      });
      asked.on('error', reject).on('response', (response) => {
        const { localPort: port } = response.socket;
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => {
          const { code } = JSON.parse(body) as { readonly code?: unknown };
          resolve({ status: response.statusCode, code, port });
        });
      });
      asked.end();
    });
}

test('a wrong key is refused on the connection on which a right one was remembered', async () => {
  const ask = openLine();
  const first = await ask(ada);
  expect(first).toMatchObject({ status: 200 });
  expect(await ask({ ...ada, key: 'x'.repeat(32) })).toEqual({
    ...first,
    ...{ status: 401, code: 'INVALID_API_KEY' },
  });
  expect(await ask(ada)).toEqual(first);
});

test('an old key is refused on the connection on which it was remembered', async () => {
  const ben = await credentials(service.origin, 'ben@example.com');
  const ask = openLine();
  const first = await ask(ben);
  expect(await ask(ben)).toEqual(first);
  await call(service.origin, ben, 'POST', '/users/me/api_key/regenerate');
  expect(await ask(ben)).toEqual({ ...first, status: 401, code: 'INVALID_API_KEY' });
});

test('a deactivated account is refused on the connection on which it was remembered', async () => {
  const cleo = await credentials(service.origin, 'cleo@example.com');
  const ask = openLine();
  const first = await ask(cleo);
  expect(await ask(cleo)).toEqual(first);
  const { body } = await call(service.origin, cleo, 'GET', '/users/me');
  await call(service.origin, ada, 'DELETE', `/users/${String(body['user_id'])}`);
  expect(await ask(cleo)).toEqual({ ...first, status: 401, code: 'USER_DEACTIVATED' });
});
