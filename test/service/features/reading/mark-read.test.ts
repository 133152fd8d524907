import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { FlagQueues, flagEvent, flagsFor } from '#test/support/service/flag-queues.ts';

const { markAllAsRead, markStreamAsRead, markTopicAsRead } = api.readState;

let service: TestService;
let queues: FlagQueues;
beforeAll(async () => {
  service = await startTestService();
  queues = await FlagQueues.open(service, ['update_message_flags']);
});
afterAll(() => service.stop());
beforeEach(async () => {
  for (const who of [ada, ben, cleo, gus, echoBot]) await service.ask(who, markAllAsRead);
  await queues.heard();
});

async function streamId(name: string): Promise<number> {
  const { streams } = await service.ask(ada, api.streams.list, { include_all_active: true });
  const found = streams.find((stream) => stream.name === name);
  if (found === undefined) throw new Error(`no stream ${name}`);
  return found.stream_id;
}

interface UnreadMessages {
  readonly count: number;
  readonly mentions: readonly number[];
  readonly pms: readonly { readonly unread_message_ids: readonly number[] }[];
  readonly huddles: readonly { readonly unread_message_ids: readonly number[] }[];
  readonly streams: readonly { readonly unread_message_ids: readonly number[] }[];
}

async function summaryOf(who: string): Promise<UnreadMessages> {
  const state: Readonly<Record<string, unknown>> = await service.ask(who, api.events.register, {
    fetch_event_types: ['message', 'update_message_flags'],
  });
  return state['unread_msgs'] as UnreadMessages;
}

/** Ids that the summary names, ascending. */
async function unreadOf(who: string): Promise<readonly number[]> {
  const { pms, huddles, streams } = await summaryOf(who);
  return [...pms, ...huddles, ...streams]
    .flatMap((group) => group.unread_message_ids)
    .sort((a, b) => a - b);
}

async function narrowed(who: string, narrow: readonly unknown[]): Promise<readonly number[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
  return (await service.ask(who, api.messages.page, page)).messages.map((message) => message.id);
}

async function firstUnread(who: string, narrow: readonly unknown[] = []): Promise<number> {
  const page = { use_first_unread_anchor: true, num_before: 0, num_after: 0, narrow };
  return (await service.ask(who, api.messages.page, page)).anchor;
}

const flags = (who: string, ids: readonly number[]) => flagsFor((id) => service.read(who, id), ids);

describe('marking everything as read', () => {
  test('everything unread anywhere becomes read, for the caller alone, and that is told once [mark-read.everything-unread-anywhere]', async () => {
    const ids = [
      await service.say(ada, 'general', 'one'),
      await service.say(ada, 'engineering', 'two'),
      await service.tell(ada, [ben]),
      await service.tell(ada, [ben, cleo]),
    ];
    expect(await unreadOf(ben)).toEqual(ids);
    await service.ask(ben, markAllAsRead);
    expect(await queues.heard()).toEqual({ [ben]: [flagEvent('add', 'read', [], true)] });
    expect(await unreadOf(ben)).toEqual([]);
    expect(await flags(ben, ids)).toEqual(ids.map(() => ['read']));
    expect(await unreadOf(cleo)).toEqual([ids[0], ids[3]]);
    await service.restart();
    expect(await unreadOf(ben)).toEqual([]);
    expect(await unreadOf(cleo)).toEqual([ids[0], ids[3]]);
  });

  test('marking all as read says nothing and changes nothing where nothing is unread', async () => {
    const before = service.dump();
    await service.ask(ben, markAllAsRead);
    expect(service.dump()).toEqual(before);
    expect(await queues.heard()).toEqual({});
  });

  test('marking all as read writes the same rows for one message as for many, and clears exceptions', async () => {
    const count = async (messages: number): Promise<Record<string, number>> => {
      const ids: number[] = [];
      for (let i = 0; i < messages; i++) ids.push(await service.say(ada, 'general', 'many'));
      const params = { messages: ids.slice(-1), op: 'add', flag: 'read' };
      await service.ask(cleo, api.readState.changeFlags, params);
      return service.rowsAdded(() => service.ask(cleo, markAllAsRead));
    };
    await count(2);
    expect(await count(2)).toEqual({ read_exception: -1, event: 1 });
    expect(await count(30)).toEqual({ read_exception: -1, event: 1 });
    expect(service.dump()['read_exception']?.filter((row) => row['account_id'] === 3)).toEqual([]);
  });

  test('marking all as read does not mark what is sent later', async () => {
    await service.say(ada, 'general', 'before');
    await service.ask(ben, markAllAsRead);
    const later = await service.say(ada, 'general', 'before');
    expect(await unreadOf(ben)).toEqual([later]);
  });

  test.each([ada, ben, cleo, gus, echoBot])('%s may', async (who) => {
    const sender = who === ada ? ben : ada;
    await service.say(sender, 'general', 'for all');
    await service.ask(who, markAllAsRead);
    expect(await unreadOf(who)).toEqual([]);
  });

  test('an incoming webhook bot may not', async () => {
    expect(await service.refuse(hookBot, markAllAsRead)).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('marking a stream as read', () => {
  test('a stream marked as read becomes read and no other does, and the caller is told which messages [mark-read.stream-marked-no]', async () => {
    const here = [
      await service.say(ada, 'engineering', 'one'),
      await service.say(ada, 'engineering', 'two'),
    ];
    const there = await service.say(ada, 'general', 'one');
    await service.ask(ben, markStreamAsRead, { stream_id: await streamId('engineering') });
    expect(await queues.heard()).toEqual({ [ben]: [flagEvent('add', 'read', here)] });
    expect(await unreadOf(ben)).toEqual([there]);
    expect(await flags(ben, here)).toEqual([['read'], ['read']]);
  });

  test('marking a stream as read again does nothing', async () => {
    await service.say(ada, 'engineering', 'one');
    const params = { stream_id: await streamId('engineering') };
    await service.ask(ben, markStreamAsRead, params);
    await queues.heard();
    const before = service.dump();
    await service.ask(ben, markStreamAsRead, params);
    expect(service.dump()).toEqual(before);
    expect(await queues.heard()).toEqual({});
  });

  test('a stream marked as read also takes back what was marked unread below the mark', async () => {
    const id = await service.say(ada, 'engineering', 'back');
    const params = { stream_id: await streamId('engineering') };
    await service.ask(ben, markStreamAsRead, params);
    await service.ask(ben, api.readState.changeFlags, {
      messages: [id],
      op: 'remove',
      flag: 'read',
    });
    expect(await unreadOf(ben)).toEqual([id]);
    await service.ask(ben, markStreamAsRead, params);
    expect(await unreadOf(ben)).toEqual([]);
  });

  test('a stream marked as read says nothing of messages that come after joining again', async () => {
    const subscriptions = [{ name: 'comings' }];
    await service.ask(ada, api.streams.subscribe, { subscriptions, principals: [ada, cleo] });
    const id = await streamId('comings');
    // Read after each step: what an account belongs to is kept in memory.
    const flags = async (): Promise<readonly (readonly [number, readonly string[]])[]> => {
      const narrow = [['stream', 'comings']];
      const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
      const { messages } = await service.ask(cleo, api.messages.page, page);
      return messages.map((message) => [message.id, message.flags]);
    };
    const first = await service.say(ada, 'comings', 't');
    await service.ask(cleo, markStreamAsRead, { stream_id: id });
    expect(await flags()).toEqual([[first, ['read']]]);
    await service.ask(cleo, api.subscriptions.unsubscribe, { subscriptions: ['comings'] });
    const missed = await service.say(ada, 'comings', 't');
    const before = [
      [first, ['read']],
      [missed, ['read', 'historical']],
    ];
    expect(await flags()).toEqual(before);
    await service.ask(cleo, api.streams.subscribe, { subscriptions });
    const last = await service.say(ada, 'comings', 't');
    expect(await unreadOf(cleo)).toEqual([last]);
    expect(await flags()).toEqual([...before, [last, []]]);
  });

  test.each<[string, string, Params]>([
    ['a stream that does not exist', ben, { stream_id: 9999 }],
    ['a private stream of others', cleo, { stream_id: 3 }],
    ['a public stream that a guest is not in', gus, { stream_id: 2 }],
  ])('%s is refused [mark-read.stream-hidden-refused]', async (_, who, params) => {
    expect(await service.refuse(who, markStreamAsRead, params)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Invalid stream id',
    });
  });

  test.each<[Params, string]>([
    [{}, 'REQUEST_VARIABLE_MISSING'],
    [{ stream_id: 'x' }, 'REQUEST_VARIABLE_INVALID'],
    [{ stream_id: -1 }, 'REQUEST_VARIABLE_INVALID'],
  ])('%j is refused [mark-read.stream-id-refused]', async (params, code) => {
    expect(await service.refuse(ben, markStreamAsRead, params)).toMatchObject({
      code,
      var_name: 'stream_id',
    });
  });

  test('an archived stream is refused', async () => {
    await service.join(ben, ['short-lived']);
    const id = await streamId('short-lived');
    service.change('UPDATE stream SET is_archived = 1 WHERE id = ?', id);
    await service.restart();
    const refusal = await service.refuse(ben, markStreamAsRead, { stream_id: id });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', msg: 'Invalid stream id' });
  });
});

describe('marking a topic as read', () => {
  test('marking a topic as read compares the topic without case, and reads nothing else [mark-read.marking-topic-compares]', async () => {
    const here = [
      await service.say(ada, 'general', 'Lunch'),
      await service.say(ada, 'general', 'LUNCH'),
    ];
    const there = await service.say(ada, 'general', 'dinner');
    const elsewhere = await service.say(ada, 'engineering', 'lunch');
    const params = { stream_id: await streamId('general'), topic_name: ' lunch ' };
    await service.ask(ben, markTopicAsRead, params);
    expect(await queues.heard()).toEqual({ [ben]: [flagEvent('add', 'read', here)] });
    expect(await unreadOf(ben)).toEqual([there, elsewhere]);
    await queues.heard();
    await service.ask(ben, markTopicAsRead, params);
    expect(await queues.heard()).toEqual({});
  });

  test('a topic in which the caller holds nothing is refused [mark-read.topic-not-held-refused]', async () => {
    const id = await streamId('engineering');
    await service.say(ada, 'engineering', 'unseen');
    for (const [who, topic] of [
      [ben, 'never used'],
      [cleo, 'unseen'],
    ] as const) {
      const params = { stream_id: id, topic_name: topic };
      expect(await service.refuse(who, markTopicAsRead, params)).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'No such topic',
      });
    }
  });

  test.each<[Params, string, string]>([
    [{ topic_name: 't' }, 'REQUEST_VARIABLE_MISSING', 'stream_id'],
    [{ stream_id: 1 }, 'REQUEST_VARIABLE_MISSING', 'topic_name'],
    [{ stream_id: 'one', topic_name: 't' }, 'REQUEST_VARIABLE_INVALID', 'stream_id'],
  ])('%j is refused [mark-read.topic-argument-refused]', async (params, code, name) => {
    expect(await service.refuse(ben, markTopicAsRead, params)).toMatchObject({
      code,
      var_name: name,
    });
  });

  test('a stream that the caller cannot see is refused like one that is not there', async () => {
    const params = { stream_id: 3, topic_name: 't' };
    expect(await service.refuse(cleo, markTopicAsRead, params)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Invalid stream id',
    });
  });
});

describe('what is unread', () => {
  test('unread messages are found by the narrow and by the first unread anchor, muted places aside', async () => {
    await service.join(ada, ['loud', 'dull'], { principals: [ada, ben] });
    const ids = [
      await service.say(ada, 'dull', 'any'),
      await service.say(ada, 'loud', 'boring'),
      await service.say(ada, 'loud', 'exciting'),
      await service.tell(ada, [ben]),
    ];
    expect(await narrowed(ben, [['is', 'unread']])).toEqual(ids);
    expect(await firstUnread(ben)).toBe(ids[0]);
    const dull = await streamId('dull');
    service.change('UPDATE stream_setting SET is_muted = 1 WHERE stream_id = ?', dull);
    service.change("INSERT INTO muted_topic SELECT 2, id FROM topic WHERE name = 'boring'");
    expect(await firstUnread(ben)).toBe(ids[2]);
    expect(await firstUnread(ben, [['stream', 'dull']])).toBe(ids[0]);
    expect(await firstUnread(ben, [['stream', 'loud']])).toBe(ids[2]);
    expect(await firstUnread(ben, [['is', 'private']])).toBe(ids[3]);
    const unread = ['is', 'unread'];
    expect(await narrowed(ben, [unread, ['in', 'home']])).toEqual([ids[2], ids[3]]);
    expect(await narrowed(ben, [unread, ['stream', 'loud']])).toEqual([ids[1], ids[2]]);
    expect((await summaryOf(ben)).count).toBe(2);
    await service.ask(ben, markAllAsRead);
    expect(await firstUnread(ben)).toBe(10_000_000_000_000_000);
    expect(await narrowed(ben, [unread])).toEqual([]);
  });

  test('unread messages of a stream that was left are in no summary, and are there again with the stream', async () => {
    await service.join(ada, ['leaving'], { principals: [ada, cleo] });
    const id = await service.say(ada, 'leaving', 't');
    await service.ask(cleo, api.subscriptions.unsubscribe, { subscriptions: ['leaving'] });
    expect(await unreadOf(cleo)).toEqual([]);
    expect(await narrowed(cleo, [['is', 'unread']])).toEqual([id]);
    await service.join(cleo, ['leaving']);
    expect(await unreadOf(cleo)).toEqual([id]);
  });

  test('the summary of unread messages names those that mention the reader, by name or all together', async () => {
    const ids = [
      await service.say(ada, 'general', 't', 'hello @**Ben Member**'),
      await service.say(ada, 'general', 't', 'hello @**all**'),
      await service.say(ada, 'general', 't', 'hello @**Cleo Member**'),
    ];
    expect((await summaryOf(ben)).mentions).toEqual(ids.slice(0, 2));
    expect(
      await narrowed(ben, [
        ['is', 'mentioned'],
        ['is', 'unread'],
      ]),
    ).toEqual(ids.slice(0, 2));
  });
});
