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
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { edit, get, delete: remove, deleteTopic } = api.lifecycle;

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

const set = (settings: Params): void => {
  service.change('UPDATE realm SET settings = ?', JSON.stringify(settings));
};

const age = (id: number, seconds: number): void => {
  service.change('UPDATE message SET sent_at = sent_at - ? WHERE id = ?', seconds, id);
};

const erase = (who: string, id: number) => service.ask(who, remove, { message_id: id });
const refuse = async (who: string, id: number) => {
  const { code, msg } = await service.refuse(who, remove, { message_id: id });
  expect(code).toBe('BAD_REQUEST');
  return msg;
};

const firstMessage = async (name: string) => {
  const { streams } = await service.ask(ada, api.streams.list, { include_all_active: true });
  return streams.find((stream) => stream.name === name)?.first_message_id;
};

describe('a message', () => {
  test('a message may be deleted by an administrator at any time, and then is nowhere [delete.message-deleted-administrator]', async () => {
    const id = await service.say(cleo, 'general', topic, '@**Ben Member** old words');
    age(id, 1_000_000);
    await service.ask(ben, api.readState.changeFlags, {
      messages: [id],
      op: 'add',
      flag: 'starred',
    });
    await service.ask(ada, api.reactions.add, { message_id: id, emoji_name: 'tada' });
    await service.ask(ada, edit, { message_id: id, topic: `${topic} b` });
    expect(await erase(ada, id)).toEqual({});
    await service.restart();
    expect(await service.read(ben, id)).toBeUndefined();
    const search = [
      ['search', 'words'],
      ['topic', `${topic} b`],
    ];
    expect(await service.read(ben, id, { narrow: search })).toBeUndefined();
    // Its number is kept, so that nobody gives it back after a restore.
    const kept = ['event', 'deleted_message'];
    const rows = Object.entries(service.dump())
      .filter(([table]) => !kept.includes(table))
      .flatMap(([table, all]) =>
        all
          .filter((row) => row['message_id'] === id || (table === 'message' && row['id'] === id))
          .map(() => table),
      );
    expect(rows).toEqual([]);
  });

  test('authors delete their messages only where the organization lets them, and only for a time', async () => {
    const id = await service.say(cleo, 'general', topic);
    expect(await refuse(cleo, id)).toMatch(/permission/);
    set({ allow_message_deleting: true });
    age(id, 590);
    const other = await service.say(cleo, 'general', topic);
    age(other, 610);
    await erase(cleo, id);
    expect(await refuse(cleo, other)).toMatch(/time limit/);
    set({ allow_message_deleting: true, message_content_delete_limit_seconds: 0 });
    await erase(cleo, other);
  });

  test('nobody but its author and administrators may delete a message [delete.nobody-author-administrators]', async () => {
    set({ allow_message_deleting: true });
    const id = await service.say(cleo, 'general', topic);
    for (const who of [ben, gus, echoBot]) expect(await refuse(who, id)).toMatch(/permission/);
  });

  test('the refusal to delete a message is in the same words whether it is missing, gone or hidden [delete.refusal-message-words]', async () => {
    await service.join(ben, [`closed ${topic}`], { invite_only: true });
    const hidden = await service.say(ben, `closed ${topic}`, topic);
    const secret = await service.tell(ben, [cleo]);
    const gone = await service.say(cleo, 'general', topic);
    await erase(ada, gone);
    const texts = [];
    for (const id of [hidden, secret, gone, 999_999]) texts.push(await refuse(ada, id));
    expect(new Set(texts)).toEqual(new Set(['Invalid message(s)']));
  });

  test('a deleted message that was the first of its stream is the first no longer', async () => {
    const name = `first ${topic}`;
    await service.join(ada, [name]);
    const first = await service.say(ada, name, topic);
    const second = await service.say(ada, name, topic);
    await erase(ada, first);
    expect(await firstMessage(name)).toBe(second);
    await erase(ada, second);
    expect(await firstMessage(name)).toBeNull();
  });

  test('a message is deleted only once, whoever asks at the same time', async () => {
    const id = await service.say(cleo, 'general', topic);
    const answers = await Promise.all(
      [1, 2, 3].map(() => service.answer(ada, remove, { message_id: id })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });
});

describe('the event of a deletion', () => {
  test('the event of a deletion in a stream goes to whoever holds the message [delete.event-deletion-stream]', async () => {
    const id = await service.say(ben, 'engineering', topic);
    const starred = { messages: [id], op: 'add', flag: 'starred' };
    await service.ask(cleo, api.readState.changeFlags, starred);
    const events = await eventsOf(service, () => erase(ada, id));
    const expected = {
      id: expect.any(Number),
      type: 'delete_message',
      message_id: id,
      message_type: 'stream',
      sender: ben,
      sender_id: idOf[ben],
      stream_id: 2,
      topic,
    };
    for (const who of everybody) {
      const isHolder = who === ada || who === ben || who === cleo;
      expect(events.get(who), who).toEqual(isHolder ? [expected] : []);
    }
  });

  test('the deletion of a private message is told to its participants [delete.deletion-private-message]', async () => {
    const id = await service.tell(cleo, [ada]);
    const recipient = (await service.read(cleo, id))?.recipient_id;
    const events = await eventsOf(service, () => erase(ada, id));
    for (const who of [ada, cleo]) {
      expect(events.get(who)).toEqual([
        {
          id: expect.any(Number),
          type: 'delete_message',
          message_id: id,
          message_type: 'private',
          sender: cleo,
          sender_id: idOf[cleo],
          recipient_id: recipient,
        },
      ]);
    }
    expect([ben, gus, echoBot].map((who) => events.get(who))).toEqual([[], [], []]);
  });

  test('a deletion reaches a queue that had not been fetched, and the message no longer does', async () => {
    const queue = await service.register(ben);
    const early = await service.register(ada);
    const id = await service.say(cleo, 'general', topic, 'a secret');
    await early.heard();
    await service.ask(cleo, edit, { message_id: id, content: 'another secret' });
    await erase(ada, id);
    const events = await queue.now();
    expect(events).toMatchObject([{ type: 'delete_message', message_id: id }]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });
});

test('a fetch waits for something to tell when all that was there was deleted', async () => {
  const queue = await service.register(cleo, { all_public_streams: true });
  const { lastEventId } = queue;
  const id = await service.say(ben, 'engineering', topic);
  expect(await queue.heard()).toEqual([`message ${id}`]);
  // The answer got lost: nothing was acknowledged.
  queue.lastEventId = lastEventId;
  await erase(ada, id);
  const waiting = queue.poll();
  await service.arrived();
  const next = await service.say(ben, 'engineering', topic);
  expect(await waiting).toMatchObject([{ type: 'message', message: { id: next } }]);
});

describe('a topic', () => {
  test('a topic is deleted with all its messages, one event for each', async () => {
    const ids = [
      await service.say(ben, 'general', topic),
      await service.say(cleo, 'general', topic.toUpperCase()),
    ];
    const other = await service.say(cleo, 'general', `${topic} other`);
    const events = await eventsOf(service, () =>
      service.ask(ada, deleteTopic, { stream_id: 1, topic_name: ` ${topic}` }),
    );
    for (const who of everybody) {
      expect(events.get(who), who).toMatchObject(
        ids.map((id) => ({ type: 'delete_message', message_id: id })),
      );
    }
    expect(await service.read(ben, ids[0] ?? 0)).toBeUndefined();
    expect(await service.read(ben, other)).toBeDefined();
    const { topics } = await service.ask(ben, api.streams.topics, { stream_id: 1 });
    expect(topics.map(({ name }) => name)).not.toContain(topic);
  });

  test('a topic may be deleted by administrators alone', async () => {
    await service.say(cleo, 'general', topic);
    for (const who of [ben, cleo, gus, echoBot]) {
      const params = { stream_id: 1, topic_name: topic };
      expect(await service.refuse(who, deleteTopic, params)).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('a topic of a private stream is deleted as far as the administrator may see it', async () => {
    const name = `closed ${topic}`;
    await service.join(ben, [name], { invite_only: true });
    const first = await service.say(ben, name, topic);
    const { streams } = await service.ask(ada, api.streams.list, { include_all_active: true });
    const params = {
      stream_id: streams.find((stream) => stream.name === name)?.stream_id,
      topic_name: topic,
    };
    expect((await service.refuse(ada, deleteTopic, params)).msg).toMatch(/no messages/);
    await service.join(ben, [name], { principals: [ada] });
    const second = await service.say(ben, name, topic);
    await service.ask(ada, deleteTopic, params);
    expect(await service.read(ben, first)).toBeDefined();
    expect(await service.read(ben, second)).toBeUndefined();
  });

  test.each<[string, Params, Params]>([
    ['is missing', { stream_id: 1, topic_name: 'nowhere' }, { code: 'BAD_REQUEST' }],
    ['is in a missing stream', { stream_id: 999, topic_name: 'x' }, { code: 'BAD_REQUEST' }],
    [
      'is not named',
      { stream_id: 1 },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'topic_name' },
    ],
  ])('a topic that %s cannot be deleted', async (_, params, expected) => {
    expect(await service.refuse(ada, deleteTopic, params)).toMatchObject(expected);
  });
});

test('a deleted message cannot be fetched', async () => {
  const id = await service.say(cleo, 'general', topic);
  await erase(ada, id);
  expect(await service.refuse(cleo, get, { message_id: id })).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'Invalid message(s)',
  });
});
