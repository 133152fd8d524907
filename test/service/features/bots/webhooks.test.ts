import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  type Answer,
  ben,
  cleo,
  echoBot,
  formOf,
  hookBot,
  type How,
  idOf,
  type Params,
  type Refusal,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { receive } = api.webhooks;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  key = await service.keyOf(hookBot);
});
afterAll(() => service.stop());

const article = { featured_title: 'Otters', featured_url: 'https://example.com/otters' };
const greeting =
  'Greetings from another program.\nFeatured today: [Otters](https://example.com/otters).';

const json = { 'content-type': 'application/json' };
const how = (payload: unknown = article): How => ({ body: JSON.stringify(payload), headers: json });
const at = (more: Params = {}): Params => ({ integration: 'helloworld', api_key: key, ...more });

const post = (more: Params = {}, payload: unknown = article) =>
  service.ask(null, receive, at(more), how(payload));

async function newest(who: string, narrow: unknown = []) {
  const { messages } = await service.ask(who, api.messages.page, {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
    narrow,
  });
  const message = messages[0];
  if (message === undefined) throw new Error('there is no message');
  return message;
}

const newestId = async (who: string): Promise<number> => (await newest(who)).id;

describe('the sample integration', () => {
  test('the sample integration posts a greeting with the article into the stream, under its own topic [webhooks.sample-integration-posts]', async () => {
    expect(await post({ stream: 'general' })).toEqual({});
    expect(await newest(cleo)).toMatchObject({
      type: 'stream',
      display_recipient: 'general',
      subject: 'Hello World',
      content: greeting,
      sender_email: hookBot,
      client: 'HelloworldWebhook',
    });
  });

  test('the sample integration links the article', async () => {
    await post({ stream: 'general' });
    const id = await newestId(cleo);
    const message = await service.read(cleo, id);
    expect(message?.content).toContain('<a href="https://example.com/otters">Otters</a>');
  });

  test.each<[string, Params, Params]>([
    ['a topic of its own', { topic: 'news' }, { subject: 'news' }],
    ['a blank topic', { topic: '  ' }, { subject: 'Hello World' }],
    ['a name in another case', { stream: 'GENERAL' }, { display_recipient: 'general' }],
    ['60 characters of topic', { topic: 't'.repeat(60) }, { subject: 't'.repeat(60) }],
    ['61 characters of topic', { topic: '😀'.repeat(61) }, { subject: `${'😀'.repeat(57)}...` }],
    ["its owner's private stream", { stream: 'leads' }, { display_recipient: 'leads' }],
  ])('the sample integration takes %s [webhooks.sample-integration]', async (_, more, expected) => {
    await post({ stream: 'general', ...more });
    expect(await newest(ben)).toMatchObject(expected);
  });

  test.each<Params>([{}, { stream: '' }, { stream: '  ', topic: 'ignored' }])(
    'the sample integration writes to its owner in private where no stream is named: %j [webhooks.sample-integration-writes]',
    async (more) => {
      await post(more);
      const message = await newest(ben, [['is', 'private']]);
      expect(message).toMatchObject({ type: 'private', subject: '', content: greeting });
      expect(message.display_recipient).toMatchObject([{ email: ben }, { email: hookBot }]);
    },
  );

  test('a stream may be named by its id', async () => {
    const { streams } = await service.ask(ada, api.streams.list);
    const id = streams.find((stream) => stream.name === 'engineering')?.stream_id;
    await post({ stream: String(id) });
    expect(await newest(ben)).toMatchObject({ display_recipient: 'engineering' });
  });

  test('the key may come in the Authorization header', async () => {
    const headers = { ...json, authorization: await service.authorization(hookBot) };
    const params = { integration: 'helloworld', stream: 'general', topic: 'by header' };
    await service.ask(null, receive, params, { ...how(), headers });
    expect(await newest(cleo)).toMatchObject({ subject: 'by header', sender_email: hookBot });
  });

  test('the key may be that of any account; a person without a stream writes to itself', async () => {
    await post({ stream: 'general', topic: 'person', api_key: await service.keyOf(cleo) });
    expect(await newest(ada)).toMatchObject({ subject: 'person', sender_email: cleo });
    await post({ api_key: await service.keyOf(cleo) });
    expect((await newest(cleo)).display_recipient).toMatchObject([{ email: cleo }]);
    await post({ stream: 'general', api_key: await service.keyOf(echoBot) });
    expect(await newest(ada)).toMatchObject({ sender_email: echoBot });
  });

  test('one delivery is one message, however it is encoded', async () => {
    await post({ stream: 'general' });
    for (const headers of [json, { 'content-type': 'text/plain' }, {}]) {
      const added = await service.rowsAdded(() =>
        service.ask(null, receive, at({ stream: 'general' }), { ...how(), headers }),
      );
      expect(added).toEqual({ message: 1, event: 1 });
    }
  });

  test('other members of the payload are ignored', async () => {
    await post({ stream: 'general' }, { ...article, extra: { deep: [1] }, stream: 'leads' });
    expect(await newest(ben)).toMatchObject({ display_recipient: 'general' });
  });
});

describe('what is refused, without a trace', () => {
  test.each<[string, Params, unknown, Params]>([
    [
      'no key',
      { api_key: undefined },
      article,
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key' },
    ],
    [
      'an empty key',
      { api_key: '' },
      article,
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key' },
    ],
    ['a wrong key', { api_key: 'x'.repeat(32) }, article, { code: 'INVALID_API_KEY' }],
    ['an unknown integration', { integration: 'nothing' }, article, { code: 'NOT_FOUND' }],
    [
      'an unknown integration and no key',
      { integration: 'toString', api_key: undefined },
      article,
      { code: 'NOT_FOUND' },
    ],
    ['no title', {}, { featured_url: 'x' }, { code: 'BAD_REQUEST' }],
    ['a payload that is a list', {}, [article], { code: 'BAD_REQUEST' }],
    ['a payload that is null', {}, null, { code: 'BAD_REQUEST' }],
  ])('%s [webhooks.refused-without-trace]', async (_, more, payload, expected) => {
    const refusal = await service.refuse(
      null,
      receive,
      at({ stream: 'general', ...more }),
      how(payload),
    );
    expect(refusal).toMatchObject(expected);
  });

  test.each<[string, unknown]>([
    ['featured_title', { featured_url: 'https://example.com' }],
    ['featured_title', { ...article, featured_title: 7 }],
    ['featured_title', { ...article, featured_title: null }],
    ['featured_url', { featured_title: 'x' }],
    ['featured_url', { ...article, featured_url: ['x'] }],
  ])('the refusal names the key %s of %j', async (name, payload) => {
    const refusal = await service.refuse(null, receive, at({ stream: 'general' }), how(payload));
    expect(refusal.code).toBe('BAD_REQUEST');
    expect(refusal.msg).toContain(name);
  });

  test('a stream in which the bot may not post', async () => {
    await service.join(ada, ['heads only'], { is_announcement_only: true });
    const refusal = await service.refuse(null, receive, at({ stream: 'heads only' }), how());
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a deactivated bot', async () => {
    const id = idOf[hookBot] ?? 0;
    service.change('UPDATE account SET is_active = 0 WHERE id = ?', id);
    const refusal = await service.refuse(null, receive, at({ stream: 'general' }), how());
    service.change('UPDATE account SET is_active = 1 WHERE id = ?', id);
    expect(refusal).toMatchObject({ code: 'USER_DEACTIVATED' });
  });
});

/** A notice of what went wrong stands in the private conversation of the bot and its owner. */
async function noticesBy(work: () => Promise<unknown>): Promise<string[]> {
  const { messages: before } = await conversation();
  await work();
  const { messages: after } = await conversation();
  return after.slice(before.length).map(({ content }) => content);
}
const conversation = () =>
  service.ask(ben, api.messages.page, {
    anchor: 'oldest',
    num_before: 0,
    num_after: 1000,
    apply_markdown: false,
    narrow: [['pm-with', hookBot]],
  });

const codeOf = ({ body }: Answer): unknown => body['code'];

async function refused(more: Params, sent: How = how()): Promise<Refusal> {
  const { status, body } = await service.answer(null, receive, at(more), sent);
  expect(status).toBe(400);
  return body as unknown as Refusal;
}

describe('a stream that is missing', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const forward = (seconds: number): void => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(now + seconds * 1000);
  };

  test('a post to a missing stream is an error, and the owner gets what could not be posted [webhooks.post-missing-stream]', async () => {
    const notices = await noticesBy(async () => {
      expect(await refused({ stream: 'nowhere' })).toMatchObject({
        code: 'STREAM_DOES_NOT_EXIST',
        stream: 'nowhere',
      });
    });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('nowhere');
    expect(notices[0]).toContain(greeting);
  });

  test('a missing stream that is named by its id is an error too, with one notice', async () => {
    const notices = await noticesBy(async () => {
      expect(await refused({ stream: '99999' })).toMatchObject({
        code: 'STREAM_DOES_NOT_EXIST',
        stream: '99999',
        stream_id: 99_999,
      });
    });
    expect(notices).toHaveLength(1);
  });

  test('a stream that the bot cannot see is the same as a missing one', async () => {
    await service.join(ada, ['adas own'], { invite_only: true });
    const notices = await noticesBy(async () => {
      expect(await refused({ stream: 'adas own' })).toMatchObject({
        code: 'STREAM_DOES_NOT_EXIST',
        stream: 'adas own',
      });
    });
    expect(notices).toHaveLength(1);
  });

  test('a missing stream makes one notice in five minutes; the next one counts the failures in between', async () => {
    const stream = 'often missing';
    expect(await noticesBy(() => refused({ stream }))).toHaveLength(1);
    forward(290);
    expect(
      await noticesBy(async () => {
        await refused({ stream });
        await refused({ stream: 'Often MISSING' });
      }),
    ).toEqual([]);
    expect(await noticesBy(() => refused({ stream: 'another one' }))).toHaveLength(1);
    forward(20);
    const [notice, ...others] = await noticesBy(() => refused({ stream }));
    expect(others).toEqual([]);
    expect(notice).toMatch(/\b2 more\b/);
    forward(310);
    const [later] = await noticesBy(() => refused({ stream }));
    expect(later).not.toMatch(/\bmore\b/);
  });

  test('a name full of markup stays text in the notice', async () => {
    const stream = '@**all** #**general** [x](https://evil.example)';
    const [notice] = await noticesBy(() => refused({ stream }));
    expect(notice).toBeDefined();
    const id = await newestId(ben);
    const message = await service.read(ben, id);
    expect(message?.content).not.toMatch(/user-mention|class="stream"|evil\.example"/);
    expect(message?.flags).toEqual([]);
  });
});

describe('a form', () => {
  const headers = { 'content-type': 'Application/x-www-form-urlencoded; charset=utf-8' };

  test('a form may carry the payload as one field, and the key as another', async () => {
    const form = formOf({ payload: JSON.stringify(article), api_key: key, stream: 'general' });
    const params = { integration: 'helloworld' };
    await service.ask(null, receive, params, { body: form.toString(), headers });
    expect(await newest(cleo)).toMatchObject({ display_recipient: 'general', content: greeting });
  });

  test.each(['{', '', 'null', '[1]'])('a form is refused with the payload %j', async (payload) => {
    const body = formOf({ payload }).toString();
    const answer = await service.answer(null, receive, at({ stream: 'general' }), {
      body,
      headers,
    });
    expect(['INVALID_JSON', 'BAD_REQUEST']).toContain(codeOf(answer));
  });
});

describe('a payload that cannot be read', () => {
  test.each<[string, BodyInit, Record<string, string>]>([
    ['no JSON', '{"featured_title":', json],
    ['nothing', '', json],
    ['text', 'hello', { 'content-type': 'text/plain' }],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), json],
    ['a form', formOf(article), { 'content-type': 'application/x-www-form-urlencoded' }],
    ['JSON nested too deeply', '['.repeat(30) + ']'.repeat(30), json],
  ])(
    'an unreadable payload is INVALID_JSON: %s [webhooks.unreadable-payload-invalid]',
    async (_, body, headers) => {
      const answer = await service.answer(null, receive, at({ stream: 'general' }), {
        body,
        headers,
      });
      expect(codeOf(answer)).toBe('INVALID_JSON');
    },
  );

  test('an unreadable payload is told to the owner, once in five minutes', async () => {
    const bad: How = { body: '{', headers: json };
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 400_000);
    try {
      const notices = await noticesBy(async () => {
        for (let index = 0; index < 3; index += 1) await refused({ stream: 'general' }, bad);
      });
      expect(notices).toHaveLength(1);
      expect(notices[0]).toContain('helloworld');
      vi.setSystemTime(Date.now() + 301_000);
      const [next] = await noticesBy(() => refused({ stream: 'general' }, bad));
      expect(next).toMatch(/\b2 more\b/);
    } finally {
      vi.useRealTimers();
    }
  });

  test('the key is looked at first', async () => {
    const bad: How = { body: '{', headers: json };
    const refusal = await service.refuse(null, receive, at({ api_key: 'wrong' }), bad);
    expect(refusal).toMatchObject({ code: 'INVALID_API_KEY' });
  });
});

describe('what senders encode twice', () => {
  test('a text encoded twice is decoded once more, unless a stream is really called so', async () => {
    await service.join(ben, ['two words', '100%25 sure']);
    await post({ stream: 'two%20words', topic: 'a%20topic' });
    expect(await newest(ben)).toMatchObject({
      display_recipient: 'two words',
      subject: 'a topic',
    });
    await post({ stream: '100%25 sure' });
    expect(await newest(ben)).toMatchObject({ display_recipient: '100%25 sure' });
  });

  test('a topic encoded twice is decoded too where the stream has nothing to decode', async () => {
    await post({ stream: 'general', topic: 'a%20topic' });
    expect(await newest(ben)).toMatchObject({ display_recipient: 'general', subject: 'a topic' });
  });

  test.each(['100% sure', 'a%2', '%zz', '%ff'])(
    'a topic that is not encoded twice is left alone: %s',
    async (topic) => {
      await post({ stream: 'general', topic });
      expect(await newest(ben)).toMatchObject({ subject: topic });
    },
  );

  test('a stream name encoded more than twice is decoded only once more', async () => {
    expect(await refused({ stream: 'two%2520words' })).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'two%20words',
    });
  });

  test('a stream name encoded twice is decoded in the notice about a missing stream', async () => {
    const [notice] = await noticesBy(() => refused({ stream: 'gone%20away' }));
    expect(notice).toContain('gone away');
  });
});

describe('what a payload cannot do', () => {
  test('a value that is too long is cut, behind a word where there is one', async () => {
    await post({ stream: 'general' }, { ...article, featured_title: '€'.repeat(9000) });
    const { content } = await newest(cleo);
    expect(content).toMatch(/\[€{499}…\]\(/);
    await post({ stream: 'general' }, { ...article, featured_title: 'otter '.repeat(9000) });
    expect((await newest(cleo)).content).toContain('otter otter…](');
  });

  test.each([
    '@**all**',
    '@**Cleo Member**',
    '@_**Cleo Member**',
    '@**Cleo Member|3**',
    '#**general**',
    '**bold** *it* ~~gone~~ `code`',
    '](https://evil.example) [x',
    'https://evil.example/',
    'a\n\n# heading\n> quote\n```\ncode\n```',
    '![x](https://evil.example/x.png)',
    '<b>bold</b><script>alert(1)</script>',
    '\\',
    '/me waves',
  ])('its title stays text: %j', async (title) => {
    await post({ stream: 'general' }, { ...article, featured_title: title });
    const id = await newestId(cleo);
    const message = await service.read(cleo, id);
    expect(message?.flags).toEqual([]);
    const html = message?.content ?? '';
    expect(html.match(/<(?!\/|br)[^<>]*>/g)).toEqual([
      '<p>',
      '<a href="https://example.com/otters">',
    ]);
    expect(message?.is_me_message).toBe(false);
  });

  test.each([
    'javascript:alert(1)',
    'https://example.com/) @**all** (',
    'https://example.com/ @**Cleo Member**',
    'x](https://evil.example) @**all** [y',
    'data:text/html,<b>',
    '',
  ])('its address forms one link or none: %j', async (url) => {
    await post({ stream: 'general' }, { ...article, featured_url: url });
    const id = await newestId(cleo);
    const message = await service.read(cleo, id);
    expect(message?.flags).toEqual([]);
    const html = message?.content ?? '';
    expect(html).not.toMatch(/user-mention|evil\.example"|href="(?:javascript|data):/);
    expect(html.match(/<a /g)?.length ?? 0).toBeLessThanOrEqual(1);
  });
});
