/** What holds of every incoming webhook (API decisions 12.1), over a real socket. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { defaultLimits } from '#shared/limits.ts';
import {
  ben,
  cleo,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { receive } = api.webhooks;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService({
    limits: { ...defaultLimits, apiCalls: Number.POSITIVE_INFINITY },
  });
  key = await service.keyOf(hookBot);
});
afterAll(() => service.stop());

const at = (integration: string, more: Params = {}): Params => ({
  integration,
  api_key: key,
  stream: 'general',
  ...more,
});

interface Delivery {
  readonly integration: string;
  readonly payload: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: Params;
}

const deliver = ({ integration, payload, headers = {}, more = {} }: Delivery) =>
  service.answer(null, receive, at(integration, more), {
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  });

async function contents(narrow: unknown): Promise<readonly { subject: string; content: string }[]> {
  const { messages } = await service.ask(ben, api.messages.page, {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    apply_markdown: false,
    narrow,
  });
  return messages.map(({ subject, content }) => ({ subject, content }));
}

/** What the bot wrote meanwhile, into streams and to its owner. */
async function posted(work: () => Promise<unknown>) {
  const before = await contents([['sender', hookBot]]);
  await work();
  return (await contents([['sender', hookBot]])).slice(before.length);
}

const sender = { login: 'ann' };
const repository = { name: 'site', html_url: 'https://git.example/site' };
const push = (branch: string) => ({
  ref: `refs/heads/${branch}`,
  compare: 'https://git.example/site/compare',
  commits: [
    { id: 'abcdef0123', message: 'Mend it', url: 'https://git.example/c', author: { name: 'Ann' } },
  ],
  pusher: { name: 'ann' },
  sender,
  repository,
});
const github = (event: string, payload: unknown, more: Params = {}): Delivery => ({
  integration: 'github',
  payload,
  headers: { 'x-github-event': event },
  more,
});

describe('an event', () => {
  test('an event is refused without the header that names it [rules.event-refused-without]', async () => {
    const added = await posted(async () => {
      const { status, body } = await deliver({ integration: 'github', payload: push('main') });
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'MISSING_HTTP_EVENT_HEADER', header: 'X-GitHub-Event' });
    });
    expect(added).toMatchObject([{ content: expect.stringContaining('github') as string }]);
  });

  test('an event that nobody knows is refused [rules.event-nobody-knows]', async () => {
    const added = await posted(async () => {
      const { status, body } = await deliver(github('moon_landing', push('main')));
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'UNEXPECTED_WEBHOOK_EVENT_TYPE',
        webhook_name: 'github',
        event_type: 'moon_landing',
      });
    });
    expect(added).toEqual([]);
  });

  test('an event that is only a try is confirmed', async () => {
    const added = await posted(() => deliver(github('ping', { zen: 'Calm', repository, sender })));
    expect(added).toHaveLength(1);
    expect(added[0]?.content).toContain('GitHub can deliver');
  });

  test('an event that is known noise succeeds without a message', async () => {
    const added = await posted(async () => {
      expect((await deliver(github('check_suite', { repository, sender }))).status).toBe(200);
    });
    expect(added).toEqual([]);
  });

  test('whose payload lacks a key is refused by the path of the key', async () => {
    const { repository: _, ...rest } = push('main');
    const { status, body } = await deliver(github('push', { ...rest, commits: [{ id: 7 }] }));
    expect(status).toBe(400);
    expect(body['msg']).toContain("'repository.name'");
    const inside = await deliver(github('push', { ...push('main'), commits: [{ id: 7 }] }));
    expect(inside.body['msg']).toContain("'commits.0.id' must be a string");
  });
});

describe('what is left out', () => {
  test.each<[string, Params, number]>([
    ['nothing by default', {}, 1],
    ['all but the events that are named', { only_events: ['issues', 'pull_*'] }, 0],
    ['nothing that is named, in whatever case', { only_events: ['issues', 'PU*'] }, 1],
    ['what is excluded', { exclude_events: ['p*h'] }, 0],
    [
      'what is excluded although it is named',
      { only_events: ['push'], exclude_events: ['push'] },
      0,
    ],
    ['pushes to other branches', { branches: 'main, next' }, 0],
    ['no pushes to these branches', { branches: 'main, topic' }, 1],
    ['nothing for a blank list of branches', { branches: ' ' }, 1],
  ])('what a bot leaves out is %s', async (_, more, count) => {
    const added = await posted(async () => {
      const { status } = await deliver(github('push', push('topic'), more));
      expect(status).toBe(200);
    });
    expect(added).toHaveLength(count);
  });

  test('an event that is not known is left out, too', async () => {
    const { status } = await deliver(github('moon_landing', {}, { only_events: ['push'] }));
    expect(status).toBe(200);
  });

  test('a selection of events is refused where it is no list', async () => {
    const { body } = await deliver(github('push', push('main'), { only_events: '{"a":1}' }));
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_INVALID', var_name: 'only_events' });
  });
});

test('several messages of one delivery come in their order', async () => {
  const tag = (name: string) => ({
    new: { type: 'tag', name, links: { html: { href: `https://git.example/${name}` } } },
  });
  const added = await posted(() =>
    deliver({
      integration: 'bitbucket2',
      headers: { 'x-event-key': 'repo:push' },
      payload: {
        actor: { display_name: 'Ann' },
        repository: { name: 'site' },
        push: { changes: [tag('one'), tag('two'), tag('three')] },
      },
    }),
  );
  expect(added.map(({ content }) => /tag \[(\w+)\]/.exec(content)?.[1])).toEqual([
    'one',
    'two',
    'three',
  ]);
});

test('a message that is too long is cut behind a word, and code in it is ended', async () => {
  const words = `${'word '.repeat(2500)}end`;
  const page = (text: string) => ({
    integration: 'github',
    headers: { 'x-github-event': 'issues' },
    payload: {
      action: 'opened',
      issue: { number: 1, title: 'Long', html_url: 'https://git.example/1', body: text },
      repository,
      sender,
    },
  });
  const [message] = await posted(() => deliver(page(words)));
  expect(message?.content).toMatch(/word…$/);
});

describe('whoever asks before delivering', () => {
  const ask = (method: string, integration: string, query = `api_key=${key}`) =>
    fetch(`${service.origin}/api/v1/external/${integration}?${query}`, { method });

  test.each(['GET', 'HEAD'])(
    'a question by %s is answered where a service asks before delivering',
    async (method) => {
      const answer = await ask(method, 'trello');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
    },
  );

  test('a challenge is sent back as it is', async () => {
    const answer = await ask('GET', 'trello', `api_key=${key}&challenge=a%3Cb%3E`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toBe('a<b>');
  });

  test('whoever asks is told that only POST is possible where no service asks', async () => {
    const answer = await ask('GET', 'github');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('whoever asks needs the right key, and an integration that exists', async () => {
    expect((await ask('GET', 'trello', 'api_key=wrong')).status).toBe(401);
    expect((await ask('GET', 'nothing')).status).toBe(404);
  });
});

describe('a bot with a secret', () => {
  const setSecret = (secret: string) =>
    service.ask(ben, api.bots.update, { bot_id: idOf[hookBot], webhook_secret: secret });
  afterEach(() => setSecret(''));

  const body = JSON.stringify(push('main'));
  const signed = (secret: string): Delivery => ({
    ...github('push', body),
    headers: {
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  });

  test('a bot with a secret takes what is signed with it', async () => {
    await setSecret('quiet water');
    expect(await posted(() => deliver(signed('quiet water')))).toHaveLength(1);
  });

  test.each<[string, Delivery]>([
    ['with another one', signed('loud water')],
    ['not at all', github('push', body)],
    ['by a service that signs nothing', { integration: 'helloworld', payload: {} }],
  ])('a bot with a secret refuses what is signed %s', async (_, delivery) => {
    await setSecret('quiet water');
    const added = await posted(async () => {
      const { status, body: answer } = await deliver(delivery);
      expect(status).toBe(401);
      expect(answer).toMatchObject({ code: 'UNAUTHORIZED' });
    });
    expect(added).toEqual([]);
  });

  test('a bot takes anything again when its secret is removed', async () => {
    await setSecret('quiet water');
    await setSecret('');
    expect(await posted(() => deliver(github('push', body)))).toHaveLength(1);
  });

  test('a bot keeps its secret to itself, and only its owner sets it', async () => {
    await setSecret('quiet water');
    const { bots } = await service.ask(ben, api.bots.list);
    expect(JSON.stringify(bots)).not.toContain('quiet');
    const refusal = await service.refuse(cleo, api.bots.update, {
      bot_id: idOf[hookBot],
      webhook_secret: 'mine',
    });
    expect(refusal.code).toBe('BAD_REQUEST');
    const long = { bot_id: idOf[hookBot], webhook_secret: 'x'.repeat(201) };
    expect((await service.refuse(ben, api.bots.update, long)).msg).toContain('webhook_secret');
  });
});

test('300 deliveries within a minute are all posted, and what comes above them is to wait', async () => {
  const other = await service.ask(ben, api.bots.create, {
    full_name: 'Busy',
    short_name: 'busy',
    bot_type: 2,
  });
  const address = new URL('/api/v1/external/ifttt', service.origin);
  address.search = new URLSearchParams({ api_key: other.api_key, stream: 'general' }).toString();
  const send = (number: number) =>
    fetch(address, {
      method: 'POST',
      body: JSON.stringify({ topic: 'busy', content: `number ${String(number)}` }),
    });
  // However long it takes here, it is one minute.
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const numbers = Array.from({ length: 320 }, (_, index) => index);
    const answers = await Promise.all(numbers.map(send));
    const taken = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([taken.length, refused.length]).toEqual([300, 20]);
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    }
  } finally {
    vi.useRealTimers();
  }
  const all = await contents([['topic', 'busy']]);
  expect(new Set(all.map(({ content }) => content)).size).toBe(300);
  // Its place is its own: another bot goes on.
  expect((await deliver(github('push', push('main')))).status).toBe(200);
});
