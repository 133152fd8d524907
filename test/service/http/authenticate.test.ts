import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '#shared/api/errors.ts';
import { defaultLimits, withoutRates } from '#shared/limits.ts';
import { readBasic } from '#service/http/authenticate.ts';
import { addressKey, SlidingWindow } from '#service/http/limits/rate-limit.ts';
import { ada, basic, type Double, keyOf, ManualClock, startDouble } from './service-double.ts';

const encode = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');

describe('the Basic scheme', () => {
  test.each([
    [`Basic ${encode('a@b.c:key')}`, 'a@b.c', 'key'],
    [`bAsIc ${encode('a@b.c:key')}`, 'a@b.c', 'key'],
    [`Basic   ${encode('a@b.c:key')} `, 'a@b.c', 'key'],
    [`Basic ${encode(' a@b.c : key\n')}`, 'a@b.c', 'key'],
    [`Basic ${encode('a:b:key')}`, 'a:b', 'key'],
    [`Basic ${encode('ä@b.c:kéy')}`, 'ä@b.c', 'kéy'],
    [`Basic ${encode(':')}`, '', ''],
    [`Basic ${encode('a@b.c:key').replaceAll('=', '')}`, 'a@b.c', 'key'],
  ])('%j is read', (header, email, key) => {
    expect(readBasic(header)).toEqual({ email, key });
  });

  test.each([
    undefined,
    '',
    'Basic',
    'Basic ',
    `Bearer ${encode('a:b')}`,
    `Basic ${encode('no colon')}`,
    'Basic !!!',
    `Basic ${encode('a:b')} trailing`,
    `Basic ${encode(new Uint8Array([0xff, 0x3a, 0x61]))}`,
    'Basic a:b',
  ])('%j is none', (header) => {
    expect(readBasic(header)).toBeUndefined();
  });
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function keptBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

let service: Double;
beforeAll(async () => {
  service = await startDouble();
});
afterAll(() => service.drain(1000));
beforeEach(() => {
  service.seen.length = 0;
  service.lookups.length = 0;
  service.clock.nowMs += 3_600_000;
  for (const name of Object.keys(service.answers)) Reflect.deleteProperty(service.answers, name);
});

const ask = (path: string, authorization?: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service.origin}/api/v1${path}`, {
    ...init,
    headers: authorization === undefined ? {} : { authorization },
  });

const expectRefused = async (response: Response, code: string, cause?: string): Promise<void> => {
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Basic realm="chat"');
  expect(await response.json()).toEqual({
    result: 'error',
    msg: expect.any(String) as string,
    code,
    ...(cause === undefined ? {} : { cause: { name: cause, values: {} } }),
  });
  expect(service.seen).toEqual([]);
};

describe('an endpoint for accounts', () => {
  test.each([
    ['no header', undefined],
    ['another scheme', 'Bearer abc'],
    ['what cannot be decoded', 'Basic %%%'],
  ])(
    'an endpoint refuses %s as UNAUTHORIZED, whatever the client accepts [authenticate.endpoint-refuses-unauthorized]',
    async (_title, authorization) => {
      const headers = { accept: 'text/html', ...(authorization ? { authorization } : {}) };
      const response = await fetch(`${service.origin}/api/v1/users/me`, {
        headers,
        redirect: 'manual',
      });
      await expectRefused(response, 'UNAUTHORIZED', 'basic_authentication_required');
      expect(service.lookups).toEqual([]);
    },
  );

  test.each([
    ['a wrong key', basic('ada@example.com', 'x'.repeat(32))],
    ['an empty key', basic('ada@example.com', '')],
    ['the key of another account', basic('ada@example.com', keyOf(4))],
    ['an unknown e-mail', basic('nobody@example.com', keyOf(1))],
    ['the number of another account', basic('4', keyOf(1))],
    ['a number and a wrong key', basic('1', 'x'.repeat(32))],
    ['a number that is written otherwise', basic('1.0', keyOf(1))],
    ['a wrong key of a deactivated account', basic('gone@example.com', keyOf(1))],
  ])(
    'an endpoint refuses %s as INVALID_API_KEY [authenticate.endpoint-refuses-invalid]',
    async (_title, authorization) => {
      await expectRefused(await ask('/users/me', authorization), 'INVALID_API_KEY');
    },
  );

  test('an account is known by its number, too, which stays when its address changes', async () => {
    expect((await ask('/users/me', basic('1', keyOf(1)))).status).toBe(200);
    expect(service.seen).toMatchObject([{ call: { caller: { userId: 1 } } }]);
  });

  test('the right key of a deactivated account is refused as USER_DEACTIVATED [authenticate.right-key-deactivated]', async () => {
    await expectRefused(
      await ask('/users/me', basic('gone@example.com', keyOf(2))),
      'USER_DEACTIVATED',
    );
  });

  test('every right key is refused as REALM_DEACTIVATED while the organization is deactivated [authenticate.right-key-refused]', async () => {
    await expectRefused(
      await ask('/users/me', basic('closed@example.com', keyOf(5))),
      'REALM_DEACTIVATED',
    );
    await expectRefused(
      await ask('/users/me', basic('closed@example.com', keyOf(1))),
      'INVALID_API_KEY',
    );
  });

  test('until a restored organization is opened, right keys are refused as ORGANIZATION_CLOSED but those of administrators at this computer', async () => {
    const admin = basic('admin-of-restored@example.com', keyOf(7));
    const asked = [
      await ask('/users/me', basic('member-of-restored@example.com', keyOf(6))),
      await fetch(`${service.origin}/api/v1/users/me`, {
        headers: { authorization: admin, 'x-forwarded-for': '192.0.2.1' },
      }),
    ];
    for (const response of asked) {
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({
        code: 'ORGANIZATION_CLOSED',
        msg: expect.stringContaining('from a backup of 2025-11-22 08:30 UTC'),
      });
    }
    expect(service.seen).toEqual([]);
    expect((await ask('/users/me', admin)).status).toBe(200);
  });

  test('the right key is let in, with the e-mail in upper or lower case', async () => {
    expect((await ask('/users/me', ada)).status).toBe(200);
    expect((await ask('/users/me', basic(' ADA@Example.COM ', keyOf(1)))).status).toBe(200);
    expect(service.seen.map(({ call }) => call.caller?.userId)).toEqual([1, 1]);
  });

  test('a generic bot is let in', async () => {
    expect((await ask('/users/me', basic('echo-bot@example.com', keyOf(4)))).status).toBe(200);
  });

  test('an incoming webhook bot is refused, but may send', async () => {
    const hook = basic('hook-bot@example.com', keyOf(3));
    await expectRefused(
      await ask('/users/me', hook),
      'UNAUTHORIZED',
      'incoming_webhook_bot_sends_only',
    );
    const body = new URLSearchParams({ type: 'private', to: 'x', content: 'y' });
    const sent = await ask('/messages', hook, { method: 'POST', body });
    expect(sent.status).toBe(200);
  });

  test('an endpoint refuses a request before it looks at the parameters', async () => {
    await expectRefused(
      await ask('/messages?content=%', undefined, { method: 'POST' }),
      'UNAUTHORIZED',
      'basic_authentication_required',
    );
  });
});

test('an endpoint for anybody ignores every Authorization header', async () => {
  for (const header of [undefined, 'nonsense', 'Basic', basic('ada@example.com', 'wrong'), ada]) {
    expect((await ask('/server_settings', header)).status).toBe(200);
  }
  expect(service.lookups).toEqual([]);
  expect(service.seen.every(({ call }) => call.caller === null)).toBe(true);
});

describe('a webhook', () => {
  const hook = (query: string, init: RequestInit = {}, authorization?: string): Promise<Response> =>
    ask(`/external/helloworld${query}`, authorization, { method: 'POST', ...init });

  test.each([3, 1, 4])('a webhook takes the key of account %i from the query', async (userId) => {
    expect((await hook(`?api_key=${keyOf(userId)}`)).status).toBe(200);
    expect(service.seen[0]?.call.caller?.userId).toBe(userId);
  });

  test('a webhook takes the key from a form', async () => {
    const body = new URLSearchParams({ api_key: keyOf(3) });
    expect((await hook('', { body })).status).toBe(200);
  });

  test('a webhook takes Basic authentication where there is no key', async () => {
    expect((await hook('', {}, basic('hook-bot@example.com', keyOf(3)))).status).toBe(200);
  });

  test('a webhook does not take the key from a JSON body', async () => {
    const response = await hook('', {
      body: new Blob([JSON.stringify({ api_key: keyOf(3) })], { type: 'application/json' }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'api_key',
    });
  });

  test.each(['', '?api_key='])(
    'a webhook without a key (%j) is REQUEST_VARIABLE_MISSING',
    async (query) => {
      const response = await hook(query);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'api_key',
      });
    },
  );

  test('a webhook refuses a wrong key and that of a deactivated account', async () => {
    await expectRefused(await hook('?api_key=wrong'), 'INVALID_API_KEY');
    await expectRefused(await hook(`?api_key=${keyOf(2)}`), 'USER_DEACTIVATED');
    await expectRefused(await hook(`?api_key=${keyOf(5)}`), 'REALM_DEACTIVATED');
    await expectRefused(
      await hook('', {}, 'Basic %%%'),
      'UNAUTHORIZED',
      'basic_authentication_required',
    );
  });

  test('a webhook of an unknown integration is not found, with or without a key', async () => {
    for (const query of ['', `?api_key=${keyOf(3)}`]) {
      expect((await ask(`/external/other${query}`, undefined, { method: 'POST' })).status).toBe(
        404,
      );
    }
    expect(service.lookups).toEqual([]);
  });

  test('a webhook gets its body as it was sent, beside the parameters of the query', async () => {
    const bytes = new Uint8Array([0x7b, 0xff, 0x00]);
    await hook(`?api_key=${keyOf(3)}&stream=ops&topic=deploys`, {
      body: new Blob([bytes], { type: 'application/json' }),
    });
    const { call, params } = service.seen[0]!;
    expect(call.body?.contentType).toBe('application/json');
    expect(new Uint8Array(call.body!.bytes)).toEqual(bytes);
    expect(params).toEqual({ integration: 'helloworld', stream: 'ops', topic: 'deploys' });
  });

  test('a webhook without a body gets an empty one', async () => {
    await hook(`?api_key=${keyOf(3)}`);
    expect(service.seen[0]?.call.body?.bytes).toHaveLength(0);
  });
});

describe('limits on guessing', () => {
  const wrong = basic('ada@example.com', 'wrong');

  test('after 120 wrong keys an address is told no more of them, and right ones are let in [authenticate.120-wrong-keys]', async () => {
    const image = (): Promise<Response> =>
      fetch(new URL('/user_uploads/1/x/a.png?api_key=guess', service.origin));
    for (let i = 0; i < 120; i++) {
      const response = i % 2 === 0 ? await ask('/users/me', wrong) : await image();
      expect(response.status).toBe(401);
    }
    expect((await ask('/users/me', ada)).status).toBe(200);
    expect((await image()).status).toBe(429);
    const response = await ask('/users/me', wrong);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('60');
    expect(response.headers.get('x-ratelimit-limit')).toBe('120');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    const resetSeconds = Math.ceil((service.clock.nowMs + 60_000) / 1000);
    expect(response.headers.get('x-ratelimit-reset')).toBe(String(resetSeconds));
    expect(await response.json()).toEqual({
      result: 'error',
      msg: expect.any(String) as string,
      code: 'RATE_LIMIT_HIT',
      'retry-after': 60,
      cause: { name: 'too_many_requests', values: {} },
    });
    expect(
      (await ask('/external/helloworld?api_key=x', undefined, { method: 'POST' })).status,
    ).toBe(429);
    expect((await ask('/users/me')).status).toBe(401);
    expect((await ask('/server_settings')).status).toBe(200);
    service.clock.nowMs += 60_000;
    expect((await ask('/users/me', ada)).status).toBe(200);
  });

  test('right keys, missing headers and deactivated accounts are not counted', async () => {
    const gone = basic('gone@example.com', keyOf(2));
    for (let i = 0; i < 130; i++) {
      expect((await ask('/users/me', ada)).status).toBe(200);
      expect((await ask('/users/me', i % 2 ? gone : undefined)).status).toBe(401);
    }
  });

  const signIn = (username: string): Promise<Response> =>
    ask('/fetch_api_key', undefined, {
      method: 'POST',
      body: new URLSearchParams({ username, password: 'x' }),
    });

  const refuse = (reason: string): void => {
    service.answers['users.fetchApiKey'] = () =>
      Promise.reject(new ServiceError('AUTHENTICATION_FAILED', 'no', { reason }));
  };

  test('an account name has 10 wrong passwords in 15 minutes, however it is written [authenticate.account-name-10]', async () => {
    refuse('incorrect_creds');
    for (let i = 0; i < 10; i++) {
      const written = ['ada@example.com', ' ADA@example.com ', 'ａｄａ@example.com'];
      expect((await signIn(written[i % 3] ?? '')).status).toBe(403);
    }
    for (const account of ['ａda@example.com', '𝐀𝐝𝐚@example.com', ' ADA@ＥＸＡＭＰＬＥ.COM']) {
      expect((await signIn(account)).status).toBe(429);
    }
    service.clock.nowMs += 60_000;
    service.seen.length = 0;
    const response = await signIn('ada@example.com');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe(String(14 * 60));
    expect(response.headers.get('x-ratelimit-limit')).toBe('10');
    expect(service.seen).toEqual([]);
    expect((await signIn('ben@example.com')).status).toBe(403);
    service.clock.nowMs += 14 * 60_000;
    expect((await signIn('ada@example.com')).status).toBe(403);
  });

  test('names and tokens of any length that are guessed at leave nothing of them in memory [authenticate.names-tokens-length]', async () => {
    const free = await startDouble({ limits: withoutRates(defaultLimits) });
    const wrong = new ServiceError('AUTHENTICATION_FAILED', 'no', { reason: 'incorrect_creds' });
    free.answers['users.fetchApiKey'] = () => Promise.reject(wrong);
    free.answers['passwordLinks.use'] = () =>
      Promise.reject(new ServiceError('LINK_NOT_VALID', 'no'));
    const post = (path: string, body: Record<string, string>): Promise<Response> =>
      fetch(new URL(`/api/v1${path}`, free.origin), {
        method: 'POST',
        body: new URLSearchParams(body),
      });
    // As long as a body without a key may be.
    const long = 15_000;
    const before = keptBytes();
    for (let i = 0; i < 500; i++) {
      const text = `${String(i)}${'x'.repeat(long)}`;
      const answers = await Promise.all([
        post('/fetch_api_key', { username: text, password: 'x' }),
        post('/password_link', { token: text, new_password: 'battery staple' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 400]);
      free.seen.length = 0;
    }
    // All that was sent is 15 MB.
    expect(keptBytes() - before).toBeLessThan(5_000_000);
    await free.drain(1000);
  });

  test('guesses that are under way at once count too [authenticate.guesses-way-once]', async () => {
    let refuseAll = (): void => undefined;
    const decided = new Promise<void>((resolve) => (refuseAll = resolve));
    service.answers['users.fetchApiKey'] = async () => {
      await decided;
      throw new ServiceError('AUTHENTICATION_FAILED', 'no', { reason: 'incorrect_creds' });
    };
    const guesses = Array.from({ length: 30 }, () => signIn('ada@example.com'));
    const refusedAtOnce = await Promise.race(guesses);
    expect(refusedAtOnce.status).toBe(429);
    refuseAll();
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(10);
  });

  test.each(['user disable', 'password auth disabled'])(
    'a refusal for %j is no wrong password',
    async (reason) => {
      refuse(reason);
      for (let i = 0; i < 15; i++) expect((await signIn('gone@example.com')).status).toBe(403);
    },
  );

  test('an address has 60 calls in 60 seconds, successful or not [authenticate.address-60-calls]', async () => {
    for (let i = 0; i < 60; i++) {
      const response = await signIn('ada@example.com');
      expect(response.status).toBe(200);
      expect(response.headers.get('x-ratelimit-limit')).toBe('60');
      expect(response.headers.get('x-ratelimit-remaining')).toBe(String(59 - i));
    }
    const response = await signIn('ben@example.com');
    expect(response.status).toBe(429);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(response.headers.get('retry-after')).toBe('60');
  });
});

describe('a sliding window', () => {
  const open = (hits: number): { window: SlidingWindow; clock: ManualClock } => {
    const clock = new ManualClock();
    return { window: new SlidingWindow({ hits, windowMs: 1000 }, clock), clock };
  };

  test('a sliding window has room for a hit exactly when an old one leaves it', () => {
    const { window, clock } = open(2);
    expect(window.take('a').remaining).toBe(1);
    clock.nowMs += 600;
    expect(window.take('a').isAllowed).toBe(true);
    clock.nowMs += 399;
    expect(window.take('a').isAllowed).toBe(false);
    clock.nowMs += 1;
    expect(window.take('a').isAllowed).toBe(true);
    expect(window.take('a').isAllowed).toBe(false);
  });

  test('a sliding window does not count refused hits, looks, or hits given back', () => {
    const { window } = open(1);
    expect(window.peek('a').isAllowed).toBe(true);
    window.take('a');
    window.take('a');
    window.giveBack('a');
    expect(window.take('a').isAllowed).toBe(true);
  });

  test('a sliding window counts keys apart, and very many others neither take a count away nor fill the memory', () => {
    const { window } = open(1);
    window.take('first');
    for (let i = 0; i < 9_999; i++) expect(window.take(`key ${i}`).isAllowed).toBe(true);
    for (let i = 0; i < 30_000; i++) window.take(`other ${i}`);
    expect(window.take('first').isAllowed).toBe(false);
    expect(window.take('other 17').isAllowed).toBe(false);
    expect(window.size).toBeLessThanOrEqual(15_000);
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  [undefined, ''],
])('the address %j counts as %j', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
