import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type RunningService, startService } from '#test/support/service/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ dev: true });
});
afterAll(() => service.stop());

/** The paths are in no table: they are for other computers alone. */
async function ask(
  path: string,
  params: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const url = `${service.origin}/api/v1/office/move${path}`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(params) });
  return (await response.json()) as Record<string, unknown>;
}

const TOKEN = 'ab'.repeat(16);
const MOVER = 'cd'.repeat(32);

test.each([
  ['', {}, 'REQUEST_VARIABLE_MISSING', 'token'],
  ['', { token: TOKEN }, 'REQUEST_VARIABLE_MISSING', 'mover'],
  ['', { token: 'abc', mover: MOVER }, 'REQUEST_VARIABLE_INVALID', 'token'],
  ['', { token: TOKEN, mover: MOVER.toUpperCase() }, 'REQUEST_VARIABLE_INVALID', 'mover'],
  ['/archive', {}, 'REQUEST_VARIABLE_MISSING', 'mover'],
  ['/end', { mover: MOVER }, 'REQUEST_VARIABLE_MISSING', 'digest'],
])('POST /office/move%s with %j is refused by %s of %s', async (path, params, code, name) => {
  expect(await ask(path, params)).toMatchObject({ code, var_name: name });
});

test('whoever has no code gets nothing, and nothing closes', async () => {
  for (const [path, params] of [
    ['', { token: TOKEN, mover: MOVER }],
    ['/archive', { mover: MOVER }],
    ['/end', { mover: MOVER, digest: MOVER }],
  ] as const) {
    expect(await ask(path, params)).toMatchObject({ code: 'BAD_REQUEST' });
  }
  expect(await ask('/look')).toMatchObject({ result: 'success', is_open: false });
  const key = await call(service.origin, null, 'POST', '/dev_fetch_api_key', {
    username: 'ada@example.com',
  });
  expect(key.status).toBe(200);
});
