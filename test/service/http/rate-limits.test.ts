import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultLimits, withoutRates } from '#shared/limits.ts';
import { SlidingWindow } from '#service/http/limits/rate-limit.ts';
import { ada, basic, type Double, keyOf, ManualClock, startDouble } from './service-double.ts';

const echoBot = basic('echo-bot@example.com', keyOf(4));

let service: Double;
beforeEach(async () => {
  service = await startDouble({ limits: { apiCalls: 3, eventFetches: 2, webhookCalls: 2 } });
});
afterEach(() => service.drain(1000));

const call = (path: string, authorization: string | null = ada, init: RequestInit = {}) =>
  fetch(new URL(path, service.origin), {
    ...init,
    headers: authorization === null ? {} : { authorization },
  });

const rateOf = ({ headers }: Response): readonly (string | null)[] =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));

const users = '/api/v1/users';
const events = '/api/v1/events?queue_id=1:2';
const hook = `/api/v1/external/helloworld?api_key=${keyOf(3)}`;

describe('calls of an account', () => {
  test('calls of an account say how many are left, until none is [rate-limits.calls-account-say]', async () => {
    const reset = String(service.clock.now() / 1000 + 60);
    for (const remaining of ['2', '1', '0']) {
      const response = await call(users);
      expect(response.status).toBe(200);
      expect(rateOf(response)).toEqual(['3', remaining, reset]);
      service.clock.nowMs += 1000;
    }
    const refused = await call(users);
    expect(refused.status).toBe(429);
    expect(rateOf(refused)).toEqual(['3', '0', reset]);
    expect(refused.headers.get('retry-after')).toBe('57');
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': 57 });
    expect(service.seen).toHaveLength(3);
  });

  test('calls have room again one by one as the window slides', async () => {
    for (let i = 0; i < 3; i++) {
      await call(users);
      service.clock.nowMs += 10_000;
    }
    service.clock.nowMs += 30_000;
    expect((await call(users)).status).toBe(200);
    expect((await call(users)).status).toBe(429);
    service.clock.nowMs += 10_000;
    expect((await call(users)).status).toBe(200);
  });

  test('calls count when they are refused for another reason, but not when they are limited', async () => {
    for (let i = 0; i < 3; i++) {
      const bad = await call('/api/v1/streams?include_public=maybe');
      expect(bad.status).toBe(400);
      expect(bad.headers.get('x-ratelimit-remaining')).toBe(String(2 - i));
    }
    expect((await call(users)).status).toBe(429);
    service.clock.nowMs += 60_000;
    expect((await call(users)).status).toBe(200);
  });

  test('calls of others, of bots and without an account are counted apart', async () => {
    for (let i = 0; i < 4; i++) await call(users);
    expect((await call(users, echoBot)).status).toBe(200);
    const open = await call('/api/v1/server_settings', ada);
    expect([open.status, rateOf(open)]).toEqual([200, [null, null, null]]);
  });
});

test('fetches of events have a bucket of their own', async () => {
  for (let i = 0; i < 4; i++) await call(users);
  expect(rateOf(await call(events)).slice(0, 2)).toEqual(['2', '1']);
  await call(events);
  expect((await call(events)).status).toBe(429);
});

test('webhook calls are counted by bot', async () => {
  const post = () => call(hook, null, { method: 'POST' });
  expect(rateOf(await post()).slice(0, 2)).toEqual(['2', '1']);
  expect((await post()).status).toBe(200);
  expect((await post()).status).toBe(429);
});

test('downloads are not counted', async () => {
  for (let i = 0; i < 5; i++) {
    const response = await call('/user_uploads/1/x/a.txt');
    expect([response.status, rateOf(response)]).toEqual([404, [null, null, null]]);
  }
  expect((await call(users)).headers.get('x-ratelimit-remaining')).toBe('2');
});

test('without rate limits nothing is counted, but guessing is', async () => {
  const limits = withoutRates({ ...defaultLimits, apiCalls: 1, signInCalls: 1, failedKeys: 2 });
  const free = await startDouble({ limits });
  const ask = (authorization: string) =>
    fetch(new URL(users, free.origin), { headers: { authorization } });
  for (let i = 0; i < 5; i++) {
    const response = await ask(ada);
    expect([response.status, rateOf(response)]).toEqual([200, [null, null, null]]);
  }
  const wrong = basic('ada@example.com', 'wrong');
  expect([(await ask(wrong)).status, (await ask(wrong)).status]).toEqual([401, 401]);
  expect((await ask(wrong)).status).toBe(429);
  await free.drain(1000);
});

test('a window costs about as much with many hits as with few, and forgets what has left it', () => {
  const clock = new ManualClock();
  const window = new SlidingWindow({ hits: 1200, windowMs: 60_000 }, clock);
  const takeMany = (count: number): number => {
    const startedAt = performance.now();
    for (let i = 0; i < count; i++) {
      clock.nowMs += 1;
      window.take(i % 100);
    }
    return ((performance.now() - startedAt) * 1000) / count;
  };
  takeMany(200_000);
  // Microseconds a hit; a hundred times what it takes, so that a busy machine does not fail it.
  expect(Math.min(takeMany(100_000), takeMany(100_000))).toBeLessThan(20);
  clock.nowMs += 60_000;
  window.take('later');
  clock.nowMs += 60_000;
  window.take('much later');
  expect(window.size).toBeLessThanOrEqual(2);
});
