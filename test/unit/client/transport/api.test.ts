import { describe, expect, test } from 'vitest';
import type { ApiOptions } from '#client/transport/api.ts';
import { createApi } from '#client/transport/api.ts';
import type { HttpRequest, HttpResponse } from '#client/ports.ts';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import { FakeClock } from '#test/support/fake-clock.ts';

const address = 'http://service.test';

/** An API whose service gives one answer, and the requests that it got. */
function apiAnswering(
  answer: HttpResponse | Error,
  more: Partial<ApiOptions> = {},
): { readonly call: ReturnType<typeof createApi>['call']; readonly requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  const http = async (request: HttpRequest): Promise<HttpResponse> => {
    requests.push(request);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { call } = createApi({ http, address, clock: new FakeClock(), ...more });
  return { call, requests };
}

const json = (status: number, body: unknown): HttpResponse => ({
  status,
  text: JSON.stringify(body),
});
const done = json(200, { result: 'success', msg: '', id: 7 });

describe('requests', () => {
  test('GET arguments are written into the query, in their wire form', async () => {
    const { call, requests } = apiAnswering(done);
    const narrow = [{ operator: 'stream', operand: 4 }];
    await call(endpoints.messages.page, { anchor: 5, numBefore: 2, numAfter: 0, narrow });
    const url = new URL(requests[0]!.url);
    expect(requests[0]).toMatchObject({ method: 'GET', body: null });
    expect(url.pathname).toBe('/api/v1/messages');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      anchor: '5',
      num_before: '2',
      num_after: '0',
      narrow: JSON.stringify(narrow),
    });
  });

  test('DELETE arguments are written into the query', async () => {
    const { call, requests } = apiAnswering(done);
    await call(endpoints.events.deleteQueue, { queueId: '1:2' });
    expect(requests[0]).toMatchObject({
      method: 'DELETE',
      url: `${address}/api/v1/events?queue_id=1%3A2`,
      body: null,
    });
  });

  test('POST arguments are written as a form', async () => {
    const { call, requests } = apiAnswering(done);
    const content = 'a & b = c\n+ 100 % ünï 🎉';
    await call(endpoints.messages.send, {
      type: 'private',
      to: [3, 4],
      content,
      localId: undefined,
    });
    const { url, headers, body } = requests[0]!;
    expect(url).toBe(`${address}/api/v1/messages`);
    expect(headers['Content-Type']).toBe('application/x-www-form-urlencoded');
    const form = Object.fromEntries(new URLSearchParams(String(body)));
    expect(form).toEqual({ type: 'private', to: '[3,4]', content });
  });

  test('path captures are filled from the arguments and sent nowhere else', async () => {
    const { call, requests } = apiAnswering(done);
    await call(endpoints.streams.topics, { streamId: 12 });
    expect(requests[0]!.url).toBe(`${address}/api/v1/users/me/12/topics`);
  });

  test('e-mail and key are sent as the base64 of their UTF-8 form', async () => {
    const credentials = { email: 'zoë@exämple.org', key: 'k'.repeat(32) };
    const { call, requests } = apiAnswering(done, { credentials });
    await call(endpoints.users.me, {});
    const sent = requests[0]!.headers['Authorization'] ?? '';
    expect(Buffer.from(sent.replace('Basic ', ''), 'base64').toString('utf8')).toBe(
      `${credentials.email}:${credentials.key}`,
    );
  });

  test.each(['', '.', '..'])(
    'a part of a path that would name another one is a bug: %j',
    (name) => {
      const { call, requests } = apiAnswering(done);
      expect(() => call(endpoints.emoji.deactivate, { name })).toThrow(/cannot take/);
      expect(requests).toEqual([]);
    },
  );

  test('without credentials no header for them is sent', async () => {
    const { call, requests } = apiAnswering(done);
    await call(endpoints.server.settings, {});
    expect(requests[0]!.headers).toEqual({});
  });
});

describe('answers', () => {
  const send = { type: 'stream', to: 4, topic: 't', content: 'c' } as const;

  test('a success is the result without the envelope', async () => {
    const { call } = apiAnswering(done);
    expect(await call(endpoints.messages.send, send)).toEqual({ ok: true, value: { id: 7 } });
  });

  test.each([
    [
      'an error becomes a failure with its code and sentence',
      json(400, { result: 'error', msg: 'No such stream', code: 'STREAM_DOES_NOT_EXIST' }),
      { code: 'STREAM_DOES_NOT_EXIST', message: 'No such stream', status: 400 },
    ],
    [
      'an error without a code has the code NONE',
      json(400, { result: 'error', msg: 'Refused' }),
      { code: 'NONE', message: 'Refused', status: 400 },
    ],
    [
      'the cause is kept with its values',
      json(400, {
        result: 'error',
        msg: 'm',
        code: 'BAD_REQUEST',
        cause: { name: 'stream_name_taken', values: { name: 'ops' } },
      }),
      {
        code: 'BAD_REQUEST',
        message: 'm',
        cause: { name: 'stream_name_taken', values: { name: 'ops' } },
        status: 400,
      },
    ],
    [
      'items of a list are told with their reasons',
      json(400, {
        result: 'error',
        msg: 'm',
        code: 'INVITATION_FAILED',
        errors: [
          ['a@b', 'Already invited.', false],
          ['c@d', 'On leave.', false],
        ],
        cause: { name: 'nobody_invited', values: { reasons: ['invited'] } },
      }),
      {
        code: 'INVITATION_FAILED',
        message: 'm',
        cause: { name: 'nobody_invited', values: { reasons: ['invited'] } },
        refused: {
          items: [
            { value: 'a@b', message: 'Already invited.', reason: 'invited' },
            { value: 'c@d', message: 'On leave.', reason: undefined },
          ],
          isRestDone: false,
        },
        status: 400,
      },
    ],
    [
      'the argument at fault is named as callers write it',
      json(400, {
        result: 'error',
        msg: 'm',
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'full_name',
      }),
      { code: 'REQUEST_VARIABLE_MISSING', message: 'm', argument: 'fullName', status: 400 },
    ],
    [
      'the reason of a refused sign-in is kept',
      json(403, {
        result: 'error',
        msg: 'm',
        code: 'AUTHENTICATION_FAILED',
        reason: 'user disable',
      }),
      { code: 'AUTHENTICATION_FAILED', message: 'm', reason: 'user disable', status: 403 },
    ],
    [
      'how long the service wants to be left alone is told',
      json(429, { result: 'error', msg: 'm', code: 'RATE_LIMIT_HIT', 'retry-after': 2.5 }),
      { code: 'RATE_LIMIT_HIT', message: 'm', status: 429, retryAfterMs: 2500 },
    ],
  ])('%s', async (_, response, failure) => {
    const { call } = apiAnswering(response);
    expect(await call(endpoints.messages.send, send)).toEqual({ ok: false, failure });
  });

  test.each([
    [
      'a page of HTML',
      { status: 200, text: '<!doctype html><title>Sign in to the network</title>' },
    ],
    ['an empty body', { status: 502, text: '' }],
    ['JSON of another kind', json(200, ['success'])],
    ['a success without what the table promises', json(200, { result: 'success', msg: '' })],
    ['a result of another type', json(200, { result: 'success', msg: '', id: '7' })],
    ['a result without the word success', json(200, { id: 7 })],
  ])('%s is BAD_ANSWER', async (_, response) => {
    const { call } = apiAnswering(response);
    const outcome = await call(endpoints.messages.send, send);
    const { status } = response;
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'BAD_ANSWER', status } });
  });

  test('no answer is UNREACHABLE, and the sentence names the address', async () => {
    const { call } = apiAnswering(new TypeError('fetch failed'));
    const message = 'http://service.test does not answer.';
    expect(await call(endpoints.messages.send, send)).toEqual({
      ok: false,
      failure: {
        code: 'UNREACHABLE',
        message,
        cause: { name: 'service_not_answering_at', values: { address: 'http://service.test' } },
      },
    });
  });
});

describe('time limits', () => {
  const never = ({ signal }: HttpRequest): Promise<HttpResponse> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });

  test('a call without an answer is given up after its limit', async () => {
    const clock = new FakeClock();
    const { call } = createApi({ http: never, address, clock });
    const outcome = call(endpoints.users.me, {}, { limitMs: 5_000 });
    await clock.advance(4_999);
    expect(clock.pending).toEqual([1]);
    await clock.advance(1);
    expect(await outcome).toMatchObject({ ok: false, failure: { code: 'UNREACHABLE' } });
  });

  test('an aborted call settles at once and leaves no timer behind', async () => {
    const clock = new FakeClock();
    const { call } = createApi({ http: never, address, clock });
    const abort = new AbortController();
    const outcome = call(endpoints.users.me, {}, { signal: abort.signal });
    abort.abort();
    expect(await outcome).toMatchObject({ ok: false, failure: { code: 'UNREACHABLE' } });
    expect(clock.pending).toEqual([]);
  });
});
