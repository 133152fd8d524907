import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  everybody,
  gus,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { edit, get } = api.lifecycle;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let topic = '';
let count = 0;
beforeEach(() => {
  set({});
  count += 1;
  topic = `topic ${count}`;
});

/** Settings of the organization that differ from the defaults. */
const set = (settings: Params): void => {
  service.change('UPDATE realm SET settings = ?', JSON.stringify(settings));
};

/** Makes a message older. */
const age = (id: number, seconds: number): void => {
  service.change('UPDATE message SET sent_at = sent_at - ? WHERE id = ?', seconds, id);
};

const change = (who: string, id: number, params: Params) =>
  service.ask(who, edit, { message_id: id, ...params });
const refuse = async (who: string, id: number, params: Params) =>
  (await service.refuse(who, edit, { message_id: id, ...params })).msg;

const messageOf = async (who: string, id: number) =>
  (await service.ask(who, get, { message_id: id })).message;

const HOUR = 3600;
const bad = 'BAD_REQUEST';

describe('the content', () => {
  test('the content of a message is changed by its author, with everything that follows from it [edit.content-message-changed]', async () => {
    const id = await service.say(cleo, 'general', topic, 'plain');
    expect(await change(cleo, id, { content: '/me **b** @**all** https://x.example/ \n' })).toEqual(
      {},
    );
    const message = await service.read(ben, id);
    expect(message).toMatchObject({
      content: expect.stringContaining('<strong>b</strong>'),
      subject: topic,
      is_me_message: true,
      flags: expect.arrayContaining(['wildcard_mentioned']),
    });
    const narrow = [
      ['topic', topic],
      ['has', 'link'],
    ];
    expect(await service.read(ben, id, { narrow })).toMatchObject({ id });
    await change(cleo, id, { content: 'plain again' });
    expect(await service.read(ben, id, { narrow })).toBeUndefined();
    expect(await service.read(ben, id)).toMatchObject({ is_me_message: false, flags: [] });
    await service.restart();
    expect(await service.read(ben, id)).toMatchObject({ content: '<p>plain again</p>' });
  });

  test('the content of a private message may also be changed; a topic is ignored', async () => {
    const id = await service.tell(cleo, [ben], 'psst');
    await change(cleo, id, { content: 'pssst', topic: ' ', propagate_mode: 'change_all' });
    expect(await messageOf(ben, id)).toMatchObject({ content: '<p>pssst</p>', subject: '' });
  });

  test('new content that is blank becomes a word that says so', async () => {
    const id = await service.say(cleo, 'general', topic);
    await change(cleo, id, { content: ' \n ' });
    expect(await messageOf(ben, id)).toMatchObject({ content: '<p>(deleted)</p>' });
  });

  test('new content that is the same as before changes nothing', async () => {
    const id = await service.say(cleo, 'general', topic, 'same');
    const before = service.dump();
    await change(cleo, id, { content: 'same  ', topic });
    expect(service.dump()).toEqual(before);
  });

  test.each<[string, Params]>([
    ['too long', { content: 'é'.repeat(5001) }],
    ['with NUL', { content: 'a\0b' }],
  ])('new content that is %s is refused', async (_, params) => {
    const id = await service.say(cleo, 'general', topic);
    expect(await service.refuse(cleo, edit, { message_id: id, ...params })).toMatchObject({
      code: bad,
    });
  });

  test('the content of a message is for its author alone to change [edit.content-message-author]', async () => {
    const id = await service.say(cleo, 'general', topic);
    for (const who of [ada, ben, gus, echoBot]) {
      expect(await refuse(who, id, { content: 'mine' })).toMatch(/author/);
    }
  });

  test('the content of a message may be changed for as long as the organization says, and twenty seconds more [edit.content-message-changed-long]', async () => {
    const id = await service.say(cleo, 'general', topic);
    age(id, 615);
    await change(cleo, id, { content: 'in time' });
    age(id, 10);
    expect(await refuse(cleo, id, { content: 'too late' })).toMatch(/time limit/);
    set({ message_content_edit_limit_seconds: 2 * HOUR });
    await change(cleo, id, { content: 'longer' });
    age(id, 30 * 24 * HOUR);
    set({ message_content_edit_limit_seconds: 0 });
    await change(cleo, id, { content: 'always' });
    expect(await messageOf(cleo, id)).toMatchObject({ content: '<p>always</p>' });
  });
});

describe('mentions of an edited message', () => {
  const flagsFor = async (id: number) => {
    const flags = await Promise.all(
      [ada, ben, cleo].map(async (who) => (await messageOf(who, id)).flags),
    );
    return flags.map((each) => each.includes('mentioned'));
  };

  test('mentions come and go with the content of an edited message', async () => {
    const id = await service.say(cleo, 'general', topic, '@**Ada Admin** hello');
    expect(await flagsFor(id)).toEqual([true, false, false]);
    await change(cleo, id, { content: '@**Ben Member** hello' });
    expect(await flagsFor(id)).toEqual([false, true, false]);
    await change(cleo, id, { content: '@**Ben Member** and @**Ada Admin**' });
    expect(await flagsFor(id)).toEqual([true, true, false]);
    await change(cleo, id, { content: '@_**Ben Member|2** hello' });
    expect(await flagsFor(id)).toEqual([false, false, false]);
  });

  test('mentions of an edited message concern only those who hold it', async () => {
    await service.join(ben, ['engineering']);
    const id = await service.say(ben, 'engineering', topic, 'hello');
    await change(ben, id, { content: '@**Cleo Member** hello' });
    expect((await messageOf(cleo, id)).flags).toEqual(['read', 'historical']);
  });

  test('a mention added by an edit leaves the message read for whoever had read it', async () => {
    const id = await service.say(cleo, 'general', topic, 'hello');
    await service.ask(ben, api.readState.markAllAsRead);
    await change(cleo, id, { content: '@**Ben Member** hello' });
    expect((await messageOf(ben, id)).flags.toSorted()).toEqual(['mentioned', 'read']);
  });
});

describe('the topic', () => {
  test('the topic of a message may be changed at any time by its author and by administrators', async () => {
    const id = await service.say(cleo, 'general', topic);
    age(id, 300 * HOUR);
    await change(cleo, id, { topic: `${topic} a` });
    await change(ada, id, { subject: ` ${topic} b ` });
    expect(await messageOf(ben, id)).toMatchObject({
      subject: `${topic} b`,
      content: '<p>text</p>',
    });
  });

  test('the topic of a message may be changed by any member for a day, unless the organization leaves it to authors [edit.topic-message-changed]', async () => {
    const id = await service.say(cleo, 'general', topic);
    age(id, 23 * HOUR);
    await change(ben, id, { topic: `${topic} b` });
    expect(await refuse(gus, id, { topic: 'guests' })).toMatch(/not allowed/);
    age(id, 2 * HOUR);
    expect(await refuse(ben, id, { topic: 'late' })).toMatch(/time limit/);
    set({ allow_community_topic_editing: false });
    const other = await service.say(cleo, 'general', topic);
    expect(await refuse(ben, other, { topic: 'x' })).toMatch(/not allowed/);
  });

  test('the topic of a message that has none may be set by anybody', async () => {
    set({ allow_community_topic_editing: false });
    const id = await service.say(cleo, 'general', '(no topic)');
    age(id, 300 * HOUR);
    await change(gus, id, { topic });
    expect(await messageOf(ben, id)).toMatchObject({ subject: topic });
  });

  test.each<[string, string]>([
    ['blank', '  '],
    ['too long', 'x'.repeat(61)],
    ['of two lines', 'a\nb'],
  ])('a new topic that is %s is refused', async (_, wanted) => {
    const id = await service.say(cleo, 'general', topic);
    expect(await service.refuse(cleo, edit, { message_id: id, topic: wanted })).toMatchObject({
      code: bad,
    });
  });

  test('the topic of an edit has two names, which may not differ [edit.topic-two-names]', async () => {
    const id = await service.say(cleo, 'general', topic);
    await change(cleo, id, { topic: 'both', subject: 'both' });
    expect(
      await service.refuse(cleo, edit, { message_id: id, topic: 'a', subject: 'b' }),
    ).toMatchObject({ code: 'REQUEST_CONFUSING_VAR' });
  });

  test.each<[string | undefined, readonly number[]]>([
    [undefined, [2]],
    ['change_one', [2]],
    ['change_later', [2, 3, 4]],
    ['change_all', [0, 1, 2, 3, 4]],
  ])(
    'a change of topic with %s reaches the right messages [edit.change-topic-reaches]',
    async (mode, expected) => {
      const ids: number[] = [];
      for (const who of [ben, cleo, cleo, gus, ada]) {
        ids.push(await service.say(who, 'general', ids.length === 3 ? topic.toUpperCase() : topic));
      }
      const elsewhere = await service.say(ben, 'engineering', topic);
      const other = await service.say(ben, 'general', `${topic} not this`);
      const named = ids[2] ?? 0;
      await change(cleo, named, { topic: `${topic}!`, propagate_mode: mode });
      const moved: number[] = [];
      for (const [index, id] of ids.entries()) {
        if ((await messageOf(ben, id)).subject === `${topic}!`) moved.push(index);
      }
      expect(moved).toEqual(expected);
      expect(await messageOf(ben, elsewhere)).toMatchObject({ subject: topic });
      expect(await messageOf(ben, other)).toMatchObject({ subject: `${topic} not this` });
    },
  );

  test('a topic may be merged into another one, and lists of topics follow', async () => {
    const first = await service.say(cleo, 'general', `${topic} old`);
    const second = await service.say(cleo, 'general', `${topic} new`);
    await change(cleo, first, { topic: `${topic} NEW`, propagate_mode: 'change_all' });
    const { topics } = await service.ask(ben, api.streams.topics, { stream_id: 1 });
    expect(topics.filter(({ name }) => name.startsWith(topic))).toEqual([
      { name: `${topic} new`, max_id: second },
    ]);
    const narrow = [
      ['stream', 'general'],
      ['topic', `${topic} new`],
    ];
    const page = { anchor: 0, num_before: 0, num_after: 10, narrow };
    const { messages } = await service.ask(ben, api.messages.page, page);
    expect(messages.map(({ id, subject }) => [id, subject])).toEqual([
      [first, `${topic} NEW`],
      [second, `${topic} new`],
    ]);
  });

  test('a new spelling of a topic changes only the messages that spelled it differently', async () => {
    const first = await service.say(cleo, 'general', topic);
    const second = await service.say(cleo, 'general', topic.toUpperCase());
    const events = await eventsOf(service, () =>
      change(cleo, first, { topic: topic.toUpperCase(), propagate_mode: 'change_all' }),
    );
    expect(events.get(ben)).toMatchObject([{ message_ids: [first], subject: topic.toUpperCase() }]);
    expect(await messageOf(ben, second)).not.toHaveProperty('last_edit_timestamp');
  });

  test('a change of topic leaves what was read read, and what was unread unread', async () => {
    const read = await service.say(cleo, 'general', topic);
    await service.ask(ben, api.readState.markTopicAsRead, { stream_id: 1, topic_name: topic });
    const unread = await service.say(cleo, 'general', topic);
    const target = await service.say(cleo, 'general', `${topic} target`);
    await change(cleo, read, { topic: `${topic} target`, propagate_mode: 'change_all' });
    const flags = [];
    for (const id of [read, unread, target]) flags.push((await messageOf(ben, id)).flags);
    expect(flags).toEqual([['read'], [], []]);
  });
});

describe('an edit is refused', () => {
  test('an edit without anything to change is refused', async () => {
    const id = await service.say(cleo, 'general', topic);
    expect(await refuse(cleo, id, {})).toMatch(/Nothing/);
    expect(await refuse(cleo, id, { propagate_mode: 'change_all' })).toMatch(/Nothing/);
    const hidden = await service.tell(cleo, [ben]);
    expect(await refuse(cleo, hidden, { topic: 'x' })).toMatch(/Nothing/);
  });

  test('an edit with a mode that does not exist is refused', async () => {
    const id = await service.say(cleo, 'general', topic);
    expect(
      await service.refuse(cleo, edit, {
        message_id: id,
        topic: 'x',
        propagate_mode: 'change_some',
      }),
    ).toMatchObject({ code: 'REQUEST_VARIABLE_INVALID', var_name: 'propagate_mode' });
  });

  test('an edit is refused for everybody where the organization has turned editing off', async () => {
    const id = await service.say(ada, 'general', topic);
    set({ allow_message_editing: false });
    expect(await refuse(ada, id, { content: 'x' })).toMatch(/turned off/);
    expect(await refuse(ada, id, { topic: 'x' })).toMatch(/turned off/);
  });

  test('an edit is refused in the same words whether the message is missing, deleted or hidden [edit.refused-words-message]', async () => {
    const hidden = await service.say(ben, 'leads', topic);
    const secret = await service.tell(ben, [ada]);
    const gone = await service.say(cleo, 'general', topic);
    await service.ask(ada, api.lifecycle.delete, { message_id: gone });
    const texts = [];
    for (const id of [hidden, secret, gone, 999_999]) {
      texts.push(await refuse(cleo, id, { content: 'x' }));
    }
    expect(new Set(texts)).toEqual(new Set(['Invalid message(s)']));
  });

  test('where a stream was archived and the topic would change', async () => {
    await service.join(ada, ['to be archived'], { principals: [cleo, ada] });
    const id = await service.say(cleo, 'to be archived', topic);
    service.change("UPDATE stream SET is_archived = 1 WHERE name = 'to be archived'");
    expect(await refuse(cleo, id, { topic: 'x' })).toMatch(/archived/);
    await change(cleo, id, { content: 'still my words' });
  });

  test('an edit is refused for whoever may not call at all', async () => {
    const { status } = await service.send(hookBot, 'PATCH /messages/1', { content: 'x' });
    expect(status).toBe(401);
    expect((await service.send(cleo, 'PATCH /messages/x', { content: 'x' })).status).toBe(404);
  });
});

describe('the event of an edit', () => {
  test('the event of a content edit carries both versions, and goes to whoever holds the message [edit.event-content-carries]', async () => {
    const id = await service.say(ben, 'engineering', topic, 'doen');
    const events = await eventsOf(service, () => change(ben, id, { content: 'done' }));
    const expected = (flags: readonly string[]) => [
      {
        id: expect.any(Number),
        type: 'update_message',
        message_id: id,
        message_ids: [id],
        user_id: idOf[ben],
        sender: ben,
        edit_timestamp: expect.any(Number),
        flags,
        stream_id: 2,
        stream_name: 'engineering',
        orig_content: 'doen',
        orig_rendered_content: '<p>doen</p>',
        prev_rendered_content_version: 1,
        content: 'done',
        rendered_content: '<p>done</p>',
        is_me_message: false,
      },
    ];
    expect(Object.fromEntries(events)).toEqual({
      [ada]: expected([]),
      [ben]: expected(['read']),
      [cleo]: [],
      [gus]: [],
      [echoBot]: [],
    });
  });

  test('the event of an edit of a private message goes to its participants, without a stream [edit.event-private-message]', async () => {
    const id = await service.tell(cleo, [ben], 'a');
    const events = await eventsOf(service, () =>
      change(cleo, id, { content: '@**Ben Member** b' }),
    );
    const keys = Object.keys(events.get(ben)?.[0] ?? {});
    expect(keys).not.toContain('stream_id');
    expect(keys).not.toContain('stream_name');
    expect(events.get(ben)).toMatchObject([{ message_id: id, flags: ['mentioned'] }]);
    expect(events.get(cleo)).toMatchObject([{ flags: ['read'] }]);
    expect([ada, gus, echoBot].map((who) => events.get(who))).toEqual([[], [], []]);
  });

  test('the event of a topic edit lists what was moved, and says nothing of content [edit.event-topic-lists]', async () => {
    const first = await service.say(cleo, 'general', topic, 'a');
    const second = await service.say(ben, 'general', topic, 'b');
    const events = await eventsOf(service, () =>
      change(cleo, second, {
        topic: 'see https://x.example/a',
        propagate_mode: 'change_all',
      }),
    );
    for (const who of everybody) {
      expect(events.get(who), who).toEqual([
        {
          id: expect.any(Number),
          type: 'update_message',
          message_id: second,
          message_ids: [first, second],
          user_id: idOf[cleo],
          sender: cleo,
          edit_timestamp: expect.any(Number),
          flags: who === ben ? ['read'] : [],
          stream_id: 1,
          stream_name: 'general',
          orig_subject: topic,
          subject: 'see https://x.example/a',
          subject_links: ['https://x.example/a'],
          propagate_mode: 'change_all',
        },
      ]);
    }
  });

  test('the event of a topic edit tells of the others where the edited message was deleted before the fetch', async () => {
    const first = await service.say(cleo, 'general', topic, 'a');
    const second = await service.say(cleo, 'general', topic, 'b');
    const queue = await service.register(ben);
    await change(cleo, first, { topic: `${topic} b`, content: 'c', propagate_mode: 'change_all' });
    await service.ask(ada, api.lifecycle.delete, { message_id: first });
    const [moved, deleted] = await queue.now();
    expect(moved).toMatchObject({
      type: 'update_message',
      message_id: second,
      message_ids: [first, second],
      flags: [],
      subject: `${topic} b`,
    });
    expect(Object.keys(moved ?? {}).filter((key) => key.includes('content'))).toEqual([]);
    expect(deleted).toMatchObject({ type: 'delete_message', message_id: first });
  });

  test('the event of an edit of both content and topic carries the keys of both', async () => {
    const id = await service.say(cleo, 'general', topic, 'a');
    const events = await eventsOf(service, () =>
      change(cleo, id, { topic: `${topic} b`, content: 'b' }),
    );
    expect(events.get(ben)).toMatchObject([
      { orig_content: 'a', content: 'b', orig_subject: topic, subject: `${topic} b` },
    ]);
  });

  test('the event of a topic edit in a public stream also goes to those who subscribed later [edit.event-topic-public]', async () => {
    await service.join(ada, [`later ${topic}`]);
    const id = await service.say(ada, `later ${topic}`, topic);
    await service.join(cleo, [`later ${topic}`]);
    const content = await eventsOf(service, () => change(ada, id, { content: 'b' }));
    expect(content.get(cleo)).toEqual([]);
    const events = await eventsOf(service, () => change(ada, id, { topic: 'b' }));
    expect(events.get(cleo)).toMatchObject([{ message_id: id, flags: ['read', 'historical'] }]);
    expect(events.get(ben)).toEqual([]);
  });

  test('the event of an edit goes to whoever holds a historical copy', async () => {
    const id = await service.say(ben, 'engineering', topic, 'a');
    await service.ask(cleo, api.readState.changeFlags, {
      messages: [id],
      op: 'add',
      flag: 'starred',
    });
    const events = await eventsOf(service, () => change(ben, id, { content: 'b' }));
    expect(events.get(cleo)).toMatchObject([
      { content: 'b', flags: expect.arrayContaining(['starred', 'historical']) },
    ]);
    expect(events.get(gus)).toEqual([]);
  });

  test('the event of an edit in a private stream names to each subscriber only what they hold', async () => {
    const name = `closed ${topic}`;
    await service.join(ada, [name], { invite_only: true, principals: [ada, ben] });
    const first = await service.say(ben, name, topic, 'first');
    await service.join(ada, [name], { principals: [cleo] });
    const second = await service.say(ada, name, topic, 'second');
    const events = await eventsOf(service, () =>
      change(ben, first, { topic: 'b', content: 'changed', propagate_mode: 'change_all' }),
    );
    expect(events.get(ada)).toMatchObject([
      { message_id: first, message_ids: [first, second], content: 'changed' },
    ]);
    expect(events.get(cleo)).toMatchObject([
      { message_id: second, message_ids: [second], subject: 'b' },
    ]);
    expect(JSON.stringify(events.get(cleo))).not.toMatch(/first|changed/);
    expect(events.get(gus)).toEqual([]);
  });

  test('the event of an edit carries the flags that the receiver has when it is fetched', async () => {
    const id = await service.say(cleo, 'general', topic, 'a');
    const queue = await service.register(ben);
    await change(cleo, id, { content: '@**Ben Member** and @**all**' });
    await service.ask(ben, api.readState.changeFlags, { messages: [id], op: 'add', flag: 'read' });
    const [event] = await queue.now();
    expect(event).toMatchObject({
      type: 'update_message',
      flags: expect.arrayContaining(['read', 'mentioned', 'wildcard_mentioned']),
    });
  });

  test('an edit that changes nothing makes no event', async () => {
    const id = await service.say(cleo, 'general', topic, 'a');
    const events = await eventsOf(service, () => change(cleo, id, { content: 'a', topic }));
    expect([...events.values()].flat()).toEqual([]);
  });
});

describe('a queue that fetches after an edit', () => {
  test('a fetch after an edit gets the message as it is now, without the keys of an edit', async () => {
    const queue = await service.register(ben);
    const early = await service.register(ada);
    const id = await service.say(cleo, 'general', topic, 'old words');
    // The message is in memory from now on.
    expect(await early.heard()).toEqual([`message ${id}`]);
    await change(cleo, id, { content: 'new words', topic: `${topic} b` });
    const [message, update] = await queue.now();
    expect(message).toMatchObject({
      type: 'message',
      message: { id, content: 'new words', subject: `${topic} b` },
    });
    expect(message).not.toHaveProperty('message.last_edit_timestamp');
    expect(update).toMatchObject({ type: 'update_message', message_id: id });
  });

  test('a fetch after an edit hears the same even after a restart', async () => {
    const queue = await service.register(ben, { apply_markdown: true });
    const id = await service.say(cleo, 'general', topic, 'old words');
    await change(cleo, id, { content: 'new words' });
    await service.restart();
    const events = await queue.now();
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'message', message: { content: '<p>new words</p>' } },
      { type: 'update_message', orig_content: 'old words', content: 'new words' },
    ]);
  });
});
