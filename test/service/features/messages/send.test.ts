import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { send, page } = api.messages;

let service: TestService;
/** Ids of the seeded streams by name. */
let streamIds: Readonly<Record<string, number>>;

beforeAll(async () => {
  service = await startTestService();
  await service.join(ada, ['notices'], { is_announcement_only: true, principals: [ada, ben, gus] });
  await service.join(ada, ['lobby', '4711']);
  const { streams } = await service.ask(ada, api.streams.list, { include_all_active: true });
  streamIds = Object.fromEntries(streams.map((stream) => [stream.name, stream.stream_id]));
});
afterAll(() => service.stop());

const people = (participants: unknown): string[] =>
  (participants as readonly { readonly email: string }[]).map(({ email }) => email);

/** `#name` stands for the id of the stream of that name. */
const withIds = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/#(\w+)/g, (_, name: string) => String(streamIds[name]))
    : value;

describe('the `to` of a stream message', () => {
  test.each([
    ['a name', 'general', 'general'],
    ['a name in another case, with blanks around it', '  GENERAL ', 'general'],
    ['a quoted name', '"general"', 'general'],
    ['a list of one name', '["general"]', 'general'],
    ['an id', '#engineering', 'engineering'],
    ['a list of one id', '[#engineering]', 'engineering'],
    ['digits that are no id but a name', '4711', '4711'],
    ['quoted digits', '"4711"', '4711'],
    ['a list of digits that are no id but a name', '[4711]', '4711'],
  ])('%s names the stream [send.to-stream]', async (_, to, expected) => {
    const { id } = await service.ask(ada, send, {
      type: 'stream',
      to: withIds(to),
      topic: 'to',
      content: 'x',
    });
    expect((await service.read(ada, id))?.display_recipient).toBe(expected);
  });

  test.each([
    ['an empty list', '[]', 'REQUEST_VARIABLE_INVALID', { var_name: 'to', bad_value: '[]' }],
    ['two names', '["general","engineering"]', 'REQUEST_VARIABLE_INVALID', { var_name: 'to' }],
    ['two ids', '[1,2]', 'REQUEST_VARIABLE_INVALID', { var_name: 'to' }],
    ['a list of a list', '[["general"]]', 'REQUEST_VARIABLE_INVALID', { var_name: 'to' }],
    ['an unknown name', 'nowhere', 'STREAM_DOES_NOT_EXIST', { stream: 'nowhere' }],
    ['an object', '{"name":"general"}', 'STREAM_DOES_NOT_EXIST', { stream: '{"name":"general"}' }],
    ['an unknown id', '999', 'STREAM_DOES_NOT_EXIST', { stream: '999', stream_id: 999 }],
    ['nothing', '', 'STREAM_DOES_NOT_EXIST', { stream: '' }],
  ])('%s is refused [send.to-stream-refused]', async (_, to, code, extra) => {
    const params = { type: 'stream', to, topic: 'to', content: 'x' };
    expect(await service.refuse(ada, send, params)).toMatchObject({ code, ...extra });
  });

  test('a visible id comes before a stream named with those digits', async () => {
    const name = String(streamIds['general']);
    await service.join(ada, [name]);
    const id = await service.say(ada, name, 'by id');
    expect((await service.read(ada, id))?.display_recipient).toBe('general');
    const quoted = await service.say(ada, JSON.stringify(name), 'by name');
    expect((await service.read(ada, quoted))?.display_recipient).toBe(name);
  });

  test('an id of a stream that the sender cannot see gives way to a stream of that name', async () => {
    const name = String(streamIds['leads']);
    await service.join(ada, [name], { principals: [cleo] });
    const id = await service.say(cleo, name, 'by name');
    expect((await service.read(cleo, id))?.display_recipient).toBe(name);
  });

  test('a missing stream is named by the error as the caller gave it [send.missing-stream-named]', async () => {
    const params = { type: 'stream', to: 'No Such', topic: 't', content: 'x' };
    expect(await service.refuse(ada, send, params)).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'No Such',
    });
  });
});

describe('the `to` of a private message', () => {
  const two = [ada, ben];

  test.each<[string, unknown, readonly string[]]>([
    ['a list of addresses', [ben, cleo], [ada, ben, cleo]],
    ['a list of ids', [2, 3], [ada, ben, cleo]],
    ['a quoted address', JSON.stringify(ben), two],
    ['quoted addresses with a comma between', JSON.stringify(`${ben}, ${cleo}`), [ada, ben, cleo]],
    ['one id', '2', two],
    ['a bare address', ben, two],
    ['addresses with commas between', `${ben}, ${cleo} ,`, [ada, ben, cleo]],
    ['ids with commas between', '2,3', [ada, ben, cleo]],
    ['an address and an id with a comma between', `${ben},3`, [ada, ben, cleo]],
    ['an address in another case', 'BEN@Example.COM', two],
    ['repetitions in any form', `${ben},BEN@example.com,2`, two],
    ['the sender beside others', [ada, ben], two],
    ['the sender beside others, by id', [1, 2], two],
    ['a list with blanks', [` ${ben} `, ''], two],
    ['the sender alone', [ada], [ada]],
    ['the sender alone, by id', [1], [ada]],
    ['a bot', echoBot, [ada, echoBot]],
  ])('%s names the participants [send.to-private]', async (_, to, expected) => {
    const { id } = await service.ask(ada, send, { type: 'private', to, content: 'x' });
    const message = await service.read(ada, id);
    expect(message?.type).toBe('private');
    expect(people(message?.display_recipient)).toEqual([...expected].sort());
  });

  test.each<[string, unknown, string, Params]>([
    [
      'strings and numbers in one list',
      `["${ben}",3]`,
      'REQUEST_VARIABLE_INVALID',
      { var_name: 'to' },
    ],
    ['a list of other things', '[{"email":"x"}]', 'REQUEST_VARIABLE_INVALID', { var_name: 'to' }],
    ['a fraction in a list', '[1.5]', 'REQUEST_VARIABLE_INVALID', { var_name: 'to' }],
    ['an empty list', '[]', 'BAD_REQUEST', {}],
    ['a list of blanks', '[""," "]', 'BAD_REQUEST', {}],
    ['nothing', '', 'BAD_REQUEST', {}],
    ['commas alone', ' , ,', 'BAD_REQUEST', {}],
    ['an unknown address', 'nobody@example.com', 'BAD_REQUEST', {}],
    ['an unknown address among known ones', [ben, 'nobody@example.com'], 'BAD_REQUEST', {}],
    ['an unknown id', '[99]', 'BAD_REQUEST', {}],
  ])('%s is refused [send.to-private-refused]', async (_, to, code, extra) => {
    const params = { type: 'private', to, content: 'x' };
    expect(await service.refuse(ada, send, params)).toMatchObject({ code, ...extra });
  });

  test('the refusal of an unknown address names it [send.refusal-unknown-address]', async () => {
    const to = `${ben}, nobody@example.com`;
    const { msg } = await service.refuse(ada, send, { type: 'private', to, content: 'x' });
    expect(msg).toContain('nobody@example.com');
    expect(msg).not.toContain(ben);
  });

  test('both sides of a conversation are one, and a note to oneself is another [send.both-sides-conversation]', async () => {
    const [first, second, note] = await Promise.all([
      service.tell(cleo, [gus]),
      service.tell(gus, [cleo]),
      service.tell(cleo, [cleo]),
    ]);
    const recipients = [
      (await service.read(cleo, first))?.recipient_id,
      (await service.read(cleo, second))?.recipient_id,
      (await service.read(cleo, note))?.recipient_id,
    ];
    expect(recipients[0]).toBe(recipients[1]);
    expect(recipients[2]).not.toBe(recipients[0]);
    expect(await service.read(gus, note)).toBeUndefined();
  });

  test('a conversation has at most 100 participants', async () => {
    const key = await service.keyOf(ada);
    const emails = Array.from({ length: 100 }, (_, index) => `crowd${index}@example.com`);
    for (const email of emails) {
      service.change(
        `INSERT INTO account (email, email_key, full_name, full_name_key, short_name, role, gravatar_hash, joined_at)
         VALUES (?, ?, 'Crowd', 'crowd', 'crowd', 'member', '', 0)`,
        email,
        email,
      );
    }
    expect(key).toHaveLength(32);
    await service.tell(ada, emails.slice(1));
    const params = { type: 'private', to: emails, content: 'x' };
    expect(await service.refuse(ada, send, params)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('the words direct and channel stand for private and stream [send.words-direct-channel]', async () => {
    const direct = await service.ask(ada, send, { type: 'direct', to: [ben], content: 'x' });
    expect((await service.read(ada, direct.id))?.type).toBe('private');
    const params = { type: 'channel', to: 'general', topic: 't', content: 'x' };
    const { id } = await service.ask(ada, send, params);
    expect((await service.read(ada, id))?.type).toBe('stream');
  });
});

describe('the other arguments', () => {
  const message = { type: 'stream', to: 'general', topic: 't', content: 'x' };
  const without = (name: string): Params => ({ ...message, [name]: undefined });
  const missing = (name: string): Params => ({ code: 'REQUEST_VARIABLE_MISSING', var_name: name });
  const bad = { code: 'BAD_REQUEST' };

  test.each<[string, Params, Params]>([
    ['no type', without('type'), missing('type')],
    ['no recipient', without('to'), missing('to')],
    ['no topic', without('topic'), missing('topic')],
    ['no content', without('content'), missing('content')],
    [
      'an unknown type',
      { ...message, type: 'stream ' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'type', bad_value: 'stream ' },
    ],
    ['empty content', { ...message, content: '' }, bad],
    ['blank content', { ...message, content: ' \n\t ' }, bad],
    ['content with NUL', { ...message, content: 'a\0b' }, bad],
    ['10001 bytes of content', { ...message, content: 'a'.repeat(10_001) }, bad],
    ['10002 bytes in 5001 characters', { ...message, content: 'é'.repeat(5001) }, bad],
    ['a blank topic', { ...message, topic: '  ' }, bad],
    ['a topic of 61 characters', { ...message, topic: 'a'.repeat(61) }, bad],
    ['a topic of two lines', { ...message, topic: 'a\nb' }, bad],
    ['a message for later', { ...message, delivery_type: 'send_later' }, bad],
    ['a reminder', { ...message, delivery_type: 'remind' }, bad],
    ['a time of delivery', { ...message, deliver_at: 'tomorrow' }, bad],
    [
      'a topic and another subject',
      { ...message, subject: 'u' },
      { code: 'REQUEST_CONFUSING_VAR', var_name1: 'topic', var_name2: 'subject' },
    ],
  ])('%s is refused [send.argument-refused]', async (_, params, expected) => {
    expect(await service.refuse(ada, send, params)).toMatchObject(expected);
  });

  test('the refusal of long content states its size and the limit, that of a long topic the limit [send.refusal-long-content]', async () => {
    const content = await service.refuse(ada, send, { ...message, content: 'é'.repeat(5001) });
    expect(content.msg).toMatch(/10002.*10000/);
    const topic = await service.refuse(ada, send, { ...message, topic: 'a'.repeat(61) });
    expect(topic.msg).toContain('60');
  });

  test.each<[string, Params, Params]>([
    ['exactly 10000 bytes', { content: 'é'.repeat(5000) }, { content: 'é'.repeat(5000) }],
    ['trailing white space beyond the limit', { content: `${'a'.repeat(10_000)} \n` }, {}],
    ['60 characters of two code units', { topic: '😀'.repeat(60) }, { subject: '😀'.repeat(60) }],
    ['a topic with blanks around it', { topic: '  padded ' }, { subject: 'padded' }],
    ['trailing white space', { content: '  a \n\n' }, { content: '  a' }],
    ['the subject instead of the topic', { topic: undefined, subject: 's' }, { subject: 's' }],
    ['the same topic and subject', { topic: 's', subject: 's' }, { subject: 's' }],
    ['delivery now', { delivery_type: 'send_now' }, {}],
    ['a client by name', { client: '  robot  ' }, { client: 'robot' }],
    ['a client with a long name', { client: 'c'.repeat(40) }, { client: 'c'.repeat(30) }],
    ['parameters that nobody knows', { sender: ben, forged: 'yes', realm_str: 'x', foo: '[' }, {}],
    ['what a client adds when it tries again', { dont_block: 'true', message_id: 7 }, {}],
  ])('%s is accepted [send.argument-accepted]', async (_, more, expected) => {
    const { id } = await service.ask(ada, send, { ...message, ...more });
    const read = await service.read(ada, id, { apply_markdown: false });
    expect(read).toMatchObject({ sender_email: ada, ...expected });
  });

  test.each([
    ['ZulipTerminal/0.7.0 (Linux)', 'ZulipTerminal'],
    ['curl 8.1', 'curl'],
    ['Thing(x)', 'Thing'],
    ['/', 'Unspecified'],
  ])('the user agent %j is the client %s [send.user-agent-client]', async (agent, client) => {
    const { id } = await service.ask(ada, send, message, { headers: { 'user-agent': agent } });
    expect((await service.read(ada, id))?.client).toBe(client);
  });

  test('topics of private messages are ignored, however long [send.topics-private-messages]', async () => {
    const params = { type: 'private', to: [ben], content: 'x', topic: 'a'.repeat(100) };
    const { id } = await service.ask(ada, send, params);
    expect(await service.read(ada, id)).toMatchObject({ subject: '', subject_links: [] });
  });

  test.each([
    [
      'multipart fields',
      (): BodyInit => {
        const form = new FormData();
        for (const [name, value] of Object.entries(message)) form.append(name, value);
        return form;
      },
      {},
    ],
    [
      'a JSON object',
      (): BodyInit => JSON.stringify({ ...message, to: ['general'] }),
      {
        'content-type': 'application/json',
      },
    ],
    ['the query alone', (): BodyInit => '', {}],
  ])('arguments arrive by %s', async (name, body, headers) => {
    const params = name === 'the query alone' ? message : {};
    const { id } = await service.ask(ada, send, params, { body: body(), headers });
    expect(await service.read(ada, id)).toMatchObject({ subject: 't', content: '<p>x</p>' });
  });
});

describe('what one message writes', () => {
  test('a message in a known topic is one row and one event', async () => {
    await service.say(ada, 'general', 'rows');
    const added = await service.rowsAdded(() => service.say(ada, 'general', 'ROWS'));
    expect(added).toEqual({ message: 1, event: 1 });
  });

  test('a new topic and a new client are one row more each', async () => {
    const added = await service.rowsAdded(() =>
      service.ask(ada, send, {
        type: 'stream',
        to: 'general',
        topic: 'never seen',
        content: 'x',
        client: 'never seen',
      }),
    );
    expect(added).toEqual({ message: 1, event: 1, topic: 1, client: 1 });
  });

  test('a message that mentions holders has one flag for each, and none for others', async () => {
    await service.say(ada, 'engineering', 'flags');
    const content = '@**Ben Member** and @**Cleo Member** and @_**Ada Admin**';
    const added = await service.rowsAdded(() => service.say(ada, 'engineering', 'flags', content));
    expect(added).toEqual({ message: 1, event: 1, message_flag: 1 });
  });

  test('messages that are sent at once get different ids, each of them durable', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        service.say(index % 2 === 0 ? ada : ben, 'general', 'at once', String(index)),
      ),
    );
    expect(new Set(ids).size).toBe(50);
    const { messages } = await service.ask(ada, page, {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      apply_markdown: false,
      narrow: [['topic', 'at once']],
    });
    const found = new Map(messages.map((message) => [message.id, message.content]));
    expect(ids.map((id) => found.get(id))).toEqual(ids.map((_, index) => String(index)));
  });
});

describe('who may send where', () => {
  const yes = 'success';
  const hidden = 'STREAM_DOES_NOT_EXIST';
  const denied = 'BAD_REQUEST';

  // general: everybody is in it. engineering, leads (private): ada and ben. notices (announcement-only):
  // ada, ben and gus. lobby (public): ada. hook-bot belongs to ben, echo-bot to ada.
  const table: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    general: { [ada]: yes, [ben]: yes, [cleo]: yes, [gus]: yes, [hookBot]: yes, [echoBot]: yes },
    engineering: {
      [ada]: yes,
      [ben]: yes,
      [cleo]: yes,
      [gus]: hidden,
      [hookBot]: yes,
      [echoBot]: yes,
    },
    leads: {
      [ada]: yes,
      [ben]: yes,
      [cleo]: hidden,
      [gus]: hidden,
      [hookBot]: yes,
      [echoBot]: yes,
    },
    notices: {
      [ada]: yes,
      [ben]: denied,
      [cleo]: denied,
      [gus]: denied,
      [hookBot]: denied,
      [echoBot]: yes,
    },
  };
  const rows = Object.entries(table).flatMap(([stream, row]) =>
    Object.entries(row).map(([who, expected]) => ({ stream, who, expected })),
  );

  test.each(rows)(
    '$who sends to $stream: $expected [send.who-sends-where]',
    async ({ stream, who, expected }) => {
      const params = { type: 'stream', to: stream, topic: 'permissions', content: 'x' };
      if (expected === yes) await service.ask(who, send, params);
      else expect(await service.refuse(who, send, params)).toMatchObject({ code: expected });
    },
  );

  test('an administrator sees a private stream of others but may not post there', async () => {
    await service.join(ben, ['bens secret'], { invite_only: true });
    const params = { type: 'stream', to: 'bens secret', topic: 't', content: 'x' };
    expect(await service.refuse(ada, send, params)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test("a guest's refusal does not tell a hidden stream from a missing one [send.guest-refusal-not]", async () => {
    const params = { type: 'stream', to: 'engineering', topic: 't', content: 'x' };
    const hiddenOne = await service.refuse(gus, send, params);
    const missingOne = await service.refuse(gus, send, { ...params, to: 'engineerinG2' });
    expect(hiddenOne.msg.replace('engineering', '_')).toBe(
      missingOne.msg.replace('engineerinG2', '_'),
    );
    expect(Object.keys(hiddenOne)).toEqual(Object.keys(missingOne));
  });

  test.each([ada, ben, cleo, gus, hookBot, echoBot])(
    '%s may write to anybody in private',
    async (who) => {
      for (const other of [ada, gus, echoBot, hookBot]) {
        const id = await service.tell(who, [other]);
        expect(id).toBeGreaterThan(0);
      }
    },
  );

  test('an account that was deactivated neither receives nor sends', async () => {
    await service.keyOf(echoBot);
    service.change('UPDATE account SET is_active = 0 WHERE id = ?', idOf[echoBot] ?? 0);
    try {
      const to = { type: 'private', to: [echoBot], content: 'x' };
      const refusal = await service.refuse(ada, send, to);
      expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
      expect(refusal.msg).toContain(echoBot);
      const byId = await service.refuse(ada, send, { ...to, to: [idOf[echoBot]] });
      expect(byId.msg).toContain(echoBot);
      expect(await service.refuse(echoBot, send, { ...to, to: [ada] })).toMatchObject({
        code: 'USER_DEACTIVATED',
      });
    } finally {
      service.change('UPDATE account SET is_active = 1 WHERE id = ?', idOf[echoBot] ?? 0);
    }
  });

  test('an archived stream is as one that does not exist, by name and by id', async () => {
    await service.join(ada, ['attic']);
    const { streams } = await service.ask(ada, api.streams.list);
    const id = streams.find((stream) => stream.name === 'attic')?.stream_id ?? 0;
    service.change('UPDATE stream SET is_archived = 1 WHERE id = ?', id);
    const params = { type: 'stream', topic: 't', content: 'x' };
    expect(await service.refuse(ada, send, { ...params, to: 'attic' })).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'attic',
    });
    expect(await service.refuse(ada, send, { ...params, to: [id] })).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: String(id),
      stream_id: id,
    });
  });
});
