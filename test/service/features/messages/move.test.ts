/** Moving messages to another stream (API decisions 7.2, `stream_id`). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { edit, get } = api.lifecycle;
const GENERAL = 1;
const ENGINEERING = 2;
const LEADS = 3;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let topic = '';
let count = 0;
beforeEach(() => {
  count += 1;
  topic = `topic ${count}`;
});

const move = (id: number, streamId: number, more: Params = {}) =>
  service.ask(ada, edit, { message_id: id, stream_id: streamId, ...more });
const refuse = async (who: string, id: number, params: Params) =>
  (await service.refuse(who, edit, { message_id: id, ...params })).msg;
const find = async (who: string, id: number) => {
  const { status, body } = await service.answer(who, get, { message_id: id });
  return status === 200
    ? (body['message'] as { flags: string[]; display_recipient: string })
    : null;
};
const streamOf = async (name: string) => {
  const { streams } = await service.ask(ada, api.streams.list, { include_all_active: true });
  const found = streams.find((stream) => stream.name === name);
  if (found === undefined) throw new Error(`no stream ${name}`);
  return found;
};

describe('a message', () => {
  test('a message is moved to another stream with its topic, or to another topic [move.message-moved-another]', async () => {
    const id = await service.say(cleo, 'general', topic);
    await move(id, ENGINEERING);
    expect(await find(ben, id)).toMatchObject({
      display_recipient: 'engineering',
      stream_id: ENGINEERING,
      subject: topic,
    });
    await move(id, GENERAL, { topic: `${topic} b` });
    expect(await find(ben, id)).toMatchObject({ stream_id: GENERAL, subject: `${topic} b` });
    await service.restart();
    expect(await find(ben, id)).toMatchObject({ stream_id: GENERAL, subject: `${topic} b` });
  });

  test('a moved message takes others of its topic along, and the first message of both streams follows', async () => {
    await service.join(ada, [`from ${topic}`, `to ${topic}`]);
    const [from, to] = [await streamOf(`from ${topic}`), await streamOf(`to ${topic}`)];
    const ids = [];
    for (const name of ['x', 'a', 'a', 'a']) ids.push(await service.say(ada, from.name, name));
    const last = await service.say(ada, to.name, 'a');
    const [, , named = 0] = ids;
    await move(named, to.stream_id, { propagate_mode: 'change_later' });
    expect(await streamOf(from.name)).toMatchObject({ first_message_id: ids[0] });
    expect(await streamOf(to.name)).toMatchObject({ first_message_id: named });
    await move(ids[0] ?? 0, to.stream_id);
    await move(ids[1] ?? 0, to.stream_id, { propagate_mode: 'change_all' });
    expect(await streamOf(from.name)).toMatchObject({ first_message_id: null });
    const { topics } = await service.ask(ada, api.streams.topics, { stream_id: to.stream_id });
    expect(topics).toEqual([
      { name: 'a', max_id: last },
      { name: 'x', max_id: ids[0] },
    ]);
  });

  test('a moved message is found in its new place by a search, and no longer in the old one', async () => {
    const word = `findable${count}`;
    const id = await service.say(cleo, 'general', topic, word);
    const search = (stream: string) =>
      service.read(ada, id, {
        narrow: [
          ['stream', stream],
          ['search', word],
        ],
      });
    expect(await search('general')).toMatchObject({ id });
    await move(id, ENGINEERING);
    expect(await search('general')).toBeUndefined();
    expect(await search('engineering')).toMatchObject({ id });
  });

  test('a muted topic stays muted when it is renamed, resolved or moved, for those who may read it there', async () => {
    const mute = (who: string, name: string) =>
      service.ask(who, api.subscriptions.muteTopic, { stream_id: GENERAL, topic: name, op: 'add' });
    const mutesOf = async (who: string) => {
      const state = await service.ask(who, api.events.register, { event_types: ['muted_topics'] });
      const muted = state['muted_topics'] as readonly (readonly [string, string])[];
      return muted.filter(([, name]) => name.includes(topic));
    };
    const [first, second] = [
      await service.say(ada, 'general', topic),
      await service.say(ada, 'general', topic),
    ];
    for (const who of [ben, gus]) await mute(who, topic);
    const change = (id: number, params: Params) =>
      service.ask(ada, edit, { message_id: id, ...params });
    // As long as something is left there, it is the same topic.
    await change(first, { topic: `${topic} part` });
    expect(await mutesOf(ben)).toEqual([['general', topic]]);
    await change(first, { topic });
    const heard = await eventsOf(service, () =>
      change(first, { topic: `✔ ${topic}`, propagate_mode: 'change_all' }),
    );
    const told = [...heard].filter(([, events]) =>
      events.some(({ type }) => type === 'muted_topics'),
    );
    expect(told.map(([who]) => who)).toEqual([ben, gus]);
    expect(await mutesOf(ben)).toEqual([['general', `✔ ${topic}`]]);
    await move(second, LEADS, { propagate_mode: 'change_all' });
    expect(await mutesOf(ben)).toEqual([['leads', `✔ ${topic}`]]);
    // Of a stream that gus cannot see he is told nothing.
    expect(await mutesOf(gus)).toEqual([['general', `✔ ${topic}`]]);
    // Among messages that are there already, their own setting stays.
    await service.say(ada, 'leads', `${topic} read`);
    await move(second, LEADS, { topic: `${topic} read`, propagate_mode: 'change_all' });
    expect(await mutesOf(ben)).toEqual([]);
  });

  test('a message that is moved to where it already is stays there', async () => {
    const id = await service.say(cleo, 'general', topic);
    const before = service.dump();
    await move(id, GENERAL);
    await service.ask(ben, edit, { message_id: id, stream_id: GENERAL, topic });
    expect(service.dump()).toEqual(before);
    await service.ask(ben, edit, { message_id: id, stream_id: GENERAL, topic: `${topic} b` });
    expect(await find(ben, id)).toMatchObject({ subject: `${topic} b` });
  });
});

describe('a move is refused', () => {
  test('a move to another stream is refused to everybody but administrators [move.another-stream-refused]', async () => {
    const id = await service.say(cleo, 'general', topic);
    for (const who of [cleo, ben, gus, echoBot]) {
      expect(await refuse(who, id, { stream_id: ENGINEERING })).toMatch(/administrators/);
    }
  });

  test('a move together with other content is refused', async () => {
    const id = await service.say(ada, 'general', topic);
    expect(await refuse(ada, id, { stream_id: ENGINEERING, content: 'x' })).toMatch(/content/);
  });

  test('a move of a private message is refused', async () => {
    const id = await service.tell(ada, [ben]);
    expect(await refuse(ada, id, { stream_id: GENERAL })).toMatch(/private/);
  });

  test('a move to a stream that is missing or archived is refused in the same words', async () => {
    const id = await service.say(ada, 'general', topic);
    await service.join(ada, [`old ${topic}`]);
    const { stream_id: archived } = await streamOf(`old ${topic}`);
    service.change('UPDATE stream SET is_archived = 1 WHERE id = ?', archived);
    const texts = [
      await refuse(ada, id, { stream_id: archived }),
      await refuse(ada, id, { stream_id: 99_999 }),
      await refuse(ada, id, { stream_id: -1 }),
    ];
    expect(new Set(texts)).toEqual(new Set(['Invalid stream id']));
  });

  test('a move to a topic that cannot be one is refused', async () => {
    const id = await service.say(ada, 'general', topic);
    expect(await refuse(ada, id, { stream_id: ENGINEERING, topic: ' ' })).toMatch(/Topic/);
  });
});

describe('whoever has no access to the new stream', () => {
  test('an account without access loses a moved message with every trace, and is told that it was deleted [move.account-without-access]', async () => {
    const first = await service.say(ben, 'general', topic, '@**Cleo Member** look');
    const second = await service.say(cleo, 'general', topic);
    await service.ask(cleo, api.readState.changeFlags, {
      messages: [first],
      op: 'add',
      flag: 'starred',
    });
    await service.ask(cleo, api.readState.markTopicAsRead, { stream_id: 1, topic_name: topic });
    const events = await eventsOf(service, () =>
      move(first, LEADS, { propagate_mode: 'change_all' }),
    );
    const lost = (id: number, sender: string) => ({
      id: expect.any(Number),
      type: 'delete_message',
      message_id: id,
      message_type: 'stream',
      sender,
      sender_id: idOf[sender],
      stream_id: GENERAL,
      topic,
    });
    for (const who of [cleo, gus, echoBot]) {
      expect(events.get(who), who).toEqual([lost(first, ben), lost(second, cleo)]);
      expect(await find(who, first)).toBeNull();
    }
    const moved = {
      type: 'update_message',
      message_id: first,
      message_ids: [first, second],
      stream_id: GENERAL,
      stream_name: 'general',
      new_stream_id: LEADS,
      orig_subject: topic,
    };
    expect(events.get(ada)).toMatchObject([moved]);
    expect(events.get(ben)).toMatchObject([moved]);
    expect(events.get(ada)?.[0]).not.toHaveProperty('subject');
    const { message_flag: flags, read_exception: exceptions } = service.dump();
    for (const rows of [flags, exceptions]) {
      expect(
        rows?.filter((row) => row['account_id'] === idOf[cleo] && row['message_id'] === first),
      ).toEqual([]);
    }
  });

  test('a guest who does not follow a public stream has no access to messages moved there', async () => {
    const id = await service.say(ben, 'general', topic);
    const events = await eventsOf(service, () => move(id, ENGINEERING));
    expect(events.get(gus)).toMatchObject([{ type: 'delete_message', message_id: id }]);
    expect(await find(gus, id)).toBeNull();
    expect(events.get(cleo)?.[0]).toMatchObject({ type: 'update_message', message_id: id });
    expect(await find(cleo, id)).not.toBeNull();
  });

  test('the administrator who moves a message may have no access to it afterwards', async () => {
    await service.join(ben, [`closed ${topic}`], { invite_only: true });
    const { stream_id: closed } = await streamOf(`closed ${topic}`);
    const id = await service.say(ben, 'general', topic);
    const events = await eventsOf(service, () => move(id, closed));
    expect(events.get(ada)).toMatchObject([{ type: 'delete_message', message_id: id }]);
    expect(await find(ada, id)).toBeNull();
    expect(events.get(ben)).toMatchObject([{ type: 'update_message', new_stream_id: closed }]);
    expect(await find(ben, id)).toMatchObject({ stream_id: closed });
  });

  test('an account without access does not get a moved message from a queue that had not been fetched', async () => {
    const queue = await service.register(cleo);
    const early = await service.register(ada);
    const id = await service.say(ben, 'general', topic, 'a secret by mistake');
    await early.heard();
    await move(id, LEADS);
    const events = await queue.now();
    expect(events).toMatchObject([{ type: 'delete_message', message_id: id }]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  test('an account without access does not get the text of a moved message from an earlier edit either', async () => {
    const id = await service.say(ben, 'general', topic, 'a secret by mistake');
    const queue = await service.register(cleo);
    await service.ask(ben, edit, { message_id: id, content: 'a worse secret' });
    await move(id, LEADS);
    const events = await queue.now();
    expect(events).toMatchObject([{ type: 'delete_message', message_id: id }]);
  });
});

describe('whoever has access to the new stream', () => {
  test('an account with access gets a moved message from a queue that had not been fetched', async () => {
    const queue = await service.register(ben);
    const id = await service.say(cleo, 'general', topic);
    await move(id, ENGINEERING);
    expect(await queue.now()).toMatchObject([
      { type: 'message', message: { id, stream_id: ENGINEERING } },
      { type: 'update_message', new_stream_id: ENGINEERING },
    ]);
  });

  test('an account with access is not told the present name of a stream that it had lost access to [move.account-access-not]', async () => {
    await service.join(ada, [`closed ${topic}`], { invite_only: true, principals: [ada, cleo] });
    const { stream_id: closed } = await streamOf(`closed ${topic}`);
    const id = await service.say(ada, `closed ${topic}`, topic);
    const subscriptions = [`closed ${topic}`];
    await service.ask(ada, api.subscriptions.unsubscribe, { subscriptions, principals: [cleo] });
    const renamed = { stream_id: closed, new_name: JSON.stringify(`secret ${topic}`) };
    await service.ask(ada, api.streamAdmin.update, renamed);
    const events = await eventsOf(service, () => move(id, ENGINEERING));
    const moved = { type: 'update_message', message_id: id, new_stream_id: ENGINEERING };
    expect(events.get(cleo)?.[0]).toMatchObject(moved);
    expect(JSON.stringify(events.get(cleo))).not.toContain('secret');
    expect(events.get(ada)?.[0]).toMatchObject({ ...moved, stream_name: `secret ${topic}` });
  });

  test('an account is told of a message that waits for it by the name that its stream had for it last', async () => {
    await service.join(ada, [`closed ${topic}`], { invite_only: true, principals: [ada, cleo] });
    const { stream_id: closed } = await streamOf(`closed ${topic}`);
    const queue = await service.register(cleo, {});
    const id = await service.say(ada, `closed ${topic}`, topic);
    // What it was told as is forgotten with a change of it.
    await service.ask(ada, edit, { message_id: id, topic: `other ${topic}` });
    const subscriptions = [`closed ${topic}`];
    await service.ask(ada, api.subscriptions.unsubscribe, { subscriptions, principals: [cleo] });
    const renamed = { stream_id: closed, new_name: JSON.stringify(`secret ${topic}`) };
    await service.ask(ada, api.streamAdmin.update, renamed);
    const { body } = await service.answer(cleo, api.events.poll, {
      ...{ queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true },
    });
    const events = body['events'] as readonly Params[];
    expect(events.find(({ type }) => type === 'message')).toMatchObject({
      message: { id, display_recipient: `closed ${topic}` },
    });
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  test('an account with access keeps a moved message unread or read, as it was', async () => {
    const read = await service.say(cleo, 'general', topic);
    await service.ask(ben, api.readState.markTopicAsRead, { stream_id: 1, topic_name: topic });
    const unread = await service.say(cleo, 'general', topic);
    await move(read, ENGINEERING, { propagate_mode: 'change_all' });
    expect((await find(ben, read))?.flags).toEqual(['read']);
    expect((await find(ben, unread))?.flags).toEqual([]);
  });

  test('an account with access keeps a star and a mention, although it does not follow the stream', async () => {
    const id = await service.say(ben, 'general', topic, '@**Cleo Member** look');
    await service.ask(cleo, api.readState.changeFlags, {
      messages: [id],
      op: 'add',
      flag: 'starred',
    });
    await move(id, ENGINEERING);
    expect((await find(cleo, id))?.flags).toEqual(
      expect.arrayContaining(['starred', 'mentioned', 'historical']),
    );
    expect(await service.read(cleo, id, { narrow: [['is', 'starred']] })).toMatchObject({ id });
  });

  test('an account with access keeps a message that was sent before it followed the new stream', async () => {
    const name = `late ${topic}`;
    const id = await service.say(ben, 'general', topic);
    await service.join(ada, [name], { invite_only: true, principals: [ada, cleo] });
    const { stream_id: late } = await streamOf(name);
    const events = await eventsOf(service, () => move(id, late));
    expect(events.get(cleo)?.[0]).toMatchObject({ type: 'update_message', new_stream_id: late });
    expect(await find(cleo, id)).toMatchObject({ stream_id: late });
    expect(events.get(ben)).toMatchObject([{ type: 'delete_message' }]);
  });

  test('an account with access is told which moved messages it has read now that they become history to it', async () => {
    const name = `late ${topic}`;
    const known = await service.say(ben, 'general', topic);
    await service.ask(cleo, api.readState.markTopicAsRead, { stream_id: 1, topic_name: topic });
    const unread = [
      await service.say(ben, 'general', topic),
      await service.say(ben, 'general', topic),
      await service.say(cleo, 'general', topic),
    ];
    // Their own message, too, where they want to come back to it.
    const own = { messages: [unread[2]], op: 'remove', flag: 'read' };
    await service.ask(cleo, api.readState.changeFlags, own);
    await service.join(ada, [name], { principals: [ada, cleo] });
    const { stream_id: late } = await streamOf(name);
    const events = await eventsOf(service, () =>
      move(known, late, { propagate_mode: 'change_all' }),
    );
    const readNow = (messages: readonly number[]) => ({
      id: expect.any(Number),
      type: 'update_message_flags',
      op: 'add',
      operation: 'add',
      flag: 'read',
      messages,
      all: false,
    });
    const moved = { type: 'update_message', message_ids: [known, ...unread] };
    expect(events.get(cleo)).toMatchObject([moved, readNow(unread)]);
    expect(events.get(ada)).toMatchObject([moved, readNow([known, ...unread])]);
    // One event for all who are told the same.
    expect(events.get(echoBot)?.[1]).toEqual(events.get(ada)?.[1]);
    expect(events.get(echoBot)).toMatchObject([moved, readNow([known, ...unread])]);
    expect(events.get(ben)).toMatchObject([moved, readNow(unread.slice(2))]);
    expect(events.get(gus)?.map((event) => event.type)).toEqual(Array(4).fill('delete_message'));
    expect((await find(cleo, unread[0] ?? 0))?.flags).toContain('read');
    expect(
      await service.read(cleo, unread[0] ?? 0, { narrow: [['is', 'unread']] }),
    ).toBeUndefined();
  });
});
