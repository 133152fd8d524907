import { beforeAll, describe, expect, test } from 'vitest';
import {
  basicAuth,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '../support/service/service.ts';

type Json = Readonly<Record<string, unknown>>;

const ok = { result: 'success', msg: '' };

let service: RunningService;
let ada: Credentials;
let ben: Credentials;

beforeAll(async () => {
  service = await startService({ dev: true });
  ada = await credentials(service.origin, 'ada@example.com');
  ben = await credentials(service.origin, 'ben@example.com');
  return () => service.stop();
});

/**
 * A request as zulip-js 2.x makes it: POST bodies as multipart with lists as JSON, everything else in the query,
 * where a list becomes its items with commas between them.
 */
async function request(
  auth: Credentials,
  method: string,
  path: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Json> {
  const url = new URL(`${service.origin}/api/v1${path}`);
  const form = new FormData();
  for (const [name, value] of Object.entries(params)) {
    if (method !== 'POST') url.searchParams.append(name, String(value));
    else form.append(name, Array.isArray(value) ? JSON.stringify(value) : String(value));
  }
  const headers = { Authorization: basicAuth(auth) };
  const body = method === 'POST' ? form : null;
  const response = await fetch(url, { method, headers, body });
  return (await response.json()) as Json;
}

const register = async (params: Readonly<Record<string, unknown>>): Promise<Json> => {
  const registered = await request(ada, 'POST', '/register', params);
  expect(registered).toMatchObject({ ...ok, queue_id: expect.any(String) });
  return registered;
};

const fetchEvents = (registered: Json, params: Json): Promise<Json> =>
  request(ada, 'GET', '/events', { queue_id: registered['queue_id'], ...params });

const typesOf = (answer: Json): readonly unknown[] =>
  (answer['events'] as readonly Json[]).map((event) => event['type']);

const greet = (content: string): Promise<Json> =>
  request(ben, 'POST', '/messages', { type: 'private', to: 'ada@example.com', content });

describe('the JavaScript client library, 2.x', () => {
  test('the JavaScript client subscribes, sends and reads with multipart bodies', async () => {
    const subscriptions = JSON.stringify([{ name: 'javascript' }]);
    expect(await request(ada, 'POST', '/users/me/subscriptions', { subscriptions })).toMatchObject({
      ...ok,
      subscribed: { 'ada@example.com': ['javascript'] },
    });
    const sent = await request(ada, 'POST', '/messages', {
      to: 'javascript',
      type: 'stream',
      subject: 'Castle',
      content: 'One line with a "quote" & 🙂',
    });
    expect(sent).toEqual({ ...ok, id: expect.any(Number) });
    const page = await request(ada, 'GET', '/messages', {
      anchor: 1_000_000_000,
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
      narrow: JSON.stringify([{ operator: 'stream', operand: 'javascript' }]),
    });
    expect(page).toMatchObject({
      ...ok,
      messages: [{ id: sent['id'], content: 'One line with a "quote" & 🙂' }],
    });
  });

  test('the JavaScript client sends to a list of addresses, and to a quoted one', async () => {
    for (const to of [['ada@example.com', 'cleo@example.com'], '"cleo@example.com"']) {
      const sent = await request(ben, 'POST', '/messages', { type: 'private', to, content: 'hi' });
      expect(sent).toEqual({ ...ok, id: expect.any(Number) });
    }
  });

  test('the JavaScript client listens to everything when it names no event types', async () => {
    const registered = await register({ event_types: null });
    await greet('hello');
    const answer = await fetchEvents(registered, {
      last_event_id: registered['last_event_id'],
      dont_block: false,
    });
    expect(typesOf(answer)).toEqual(['message']);
  });

  test('the JavaScript client listens to the types that it names, in a body or in a query', async () => {
    const posted = await register({ event_types: ['message', 'subscription'] });
    const queried = await request(ada, 'GET', '/events', { event_types: ['message', 'stream'] });
    expect(queried).toMatchObject({ ...ok, events: [], last_event_id: expect.any(Number) });
    await request(ada, 'POST', '/users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name: `types ${String(posted['queue_id'])}` }]),
    });
    await greet('types');
    const from = { last_event_id: -1, dont_block: true };
    expect(typesOf(await fetchEvents(posted, from))).toEqual(['subscription', 'message']);
    expect(typesOf(await fetchEvents(queried, from))).toEqual(['stream', 'stream', 'message']);
  });

  test('the JavaScript client waits for an event that comes later', async () => {
    const registered = await register({ event_types: ['message'] });
    const waiting = fetchEvents(registered, {
      last_event_id: registered['last_event_id'],
      dont_block: false,
    });
    await greet('later');
    expect(await waiting).toMatchObject({
      events: [{ type: 'message', message: { content: 'later' }, flags: [] }],
    });
  });

  test('the JavaScript client deletes its queue with arguments in the query', async () => {
    const registered = await register({ event_types: null });
    const queue = { queue_id: registered['queue_id'] };
    expect(await request(ada, 'DELETE', '/events', queue)).toEqual(ok);
    expect(await request(ada, 'DELETE', '/events', queue)).toMatchObject({
      result: 'error',
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });

  test('the JavaScript client gets JSON for a path that is not there', async () => {
    expect(await request(ada, 'GET', '/no/such/path')).toMatchObject({
      result: 'error',
      code: 'NOT_FOUND',
    });
  });
});
