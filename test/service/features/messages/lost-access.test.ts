import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { Message } from '#shared/api/models/message.ts';
import {
  ada,
  ben,
  cleo,
  idOf,
  type Params,
  startTestService,
  type TestQueue,
  type TestService,
} from '#test/support/service/api.ts';
import { streamIdOf } from '#test/support/client/cache-world.ts';

let service: TestService;
let stream = '';
let count = 0;
let id = 0;
let queue: TestQueue;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Cleo held a message of a private stream, was removed, and Ben changed it since. */
beforeEach(async () => {
  count += 1;
  stream = `closed ${String(count)}`;
  await service.join(ada, [stream], { invite_only: true, principals: [ada, ben, cleo] });
  id = await service.say(ben, stream, 'plans', 'first words');
  await service.ask(ben, api.lifecycle.edit, { message_id: id, content: 'words of their time' });
  await service.ask(ada, api.reactions.add, { message_id: id, emoji_name: 'heart' });
  queue = await service.register(cleo);
  await leave();
  await queue.now();
});

const leave = () =>
  service.ask(ada, api.subscriptions.unsubscribe, {
    subscriptions: [stream],
    principals: [cleo],
  });
const rejoin = () => service.join(ada, [stream], { principals: [cleo] });

const editLater = async () => {
  const content = 'pineapple https://example.com/x @**Cleo Member**';
  await service.ask(ben, api.lifecycle.edit, { message_id: id, content });
  await service.ask(ben, api.lifecycle.edit, { message_id: id, topic: 'renamed' });
  await service.ask(ada, api.reactions.add, { message_id: id, emoji_name: 'tada' });
};

const found = async (who: string, narrow: unknown): Promise<readonly Message[]> => {
  const around = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false };
  return (await service.ask(who, api.messages.page, { ...around, narrow })).messages;
};

describe('who was removed from a private stream', () => {
  test('a removed subscriber can do nothing to the messages of a private stream any more [lost-access.removed-subscriber-nothing]', async () => {
    const own = await service.say(ben, stream, 'plans', 'by ben');
    const ofCleo = id;
    const requests: readonly [Parameters<TestService['refuse']>[1], Params][] = [
      [api.lifecycle.edit, { message_id: ofCleo, content: 'changed' }],
      [api.lifecycle.edit, { message_id: ofCleo, topic: 'other', propagate_mode: 'change_all' }],
      [api.lifecycle.delete, { message_id: ofCleo }],
      [api.reactions.add, { message_id: ofCleo, emoji_name: 'tada' }],
      [api.reactions.remove, { message_id: ofCleo, emoji_name: 'heart' }],
      [api.submessages.add, { message_id: ofCleo, msg_type: 'w', content: '{}' }],
    ];
    for (const [endpoint, params] of requests) {
      const { code, msg } = await service.refuse(cleo, endpoint, params);
      expect([code, msg]).toEqual(['BAD_REQUEST', 'Invalid message(s)']);
    }
    const [message] = await found(ben, [['id', own]]);
    expect(message?.subject).toBe('plans');
  });

  test('a removed subscriber goes on seeing the name that the stream had, until they are there again [lost-access.removed-subscriber-goes]', async () => {
    const { stream_id: streamId } = await service.ask(ada, api.streams.findId, { stream });
    for (const name of ['closed for good', `closed again ${String(count)}`]) {
      const params = { stream_id: streamId, new_name: JSON.stringify(name) };
      await service.ask(ada, api.streamAdmin.update, params);
    }
    expect((await service.read(cleo, id))?.display_recipient).toBe(stream);
    expect((await service.read(ben, id))?.display_recipient).toBe(`closed again ${String(count)}`);
    stream = `closed again ${String(count)}`;
    await rejoin();
    expect((await service.read(cleo, id))?.display_recipient).toBe(stream);
  });

  test('a removed subscriber finds topics as they were called, as an administrator too', async () => {
    const { stream_id: streamId } = await service.ask(ada, api.streams.findId, { stream });
    await service.ask(ada, api.userAdmin.update, { user_id: idOf[cleo], role: 200 });
    await service.ask(ben, api.lifecycle.edit, { message_id: id, topic: 'renamed' });
    const topicsOf = async (who: string) =>
      (await service.ask(who, api.streams.topics, { stream_id: streamId })).topics;
    expect(await topicsOf(cleo)).toEqual([{ name: 'plans', max_id: id }]);
    expect(await topicsOf(ben)).toEqual([{ name: 'renamed', max_id: id }]);
    await service.ask(ada, api.userAdmin.update, { user_id: idOf[cleo], role: 400 });
  });

  test('a removed subscriber keeps the version of a message from their time, and is told nothing of later ones [lost-access.removed-subscriber-version]', async () => {
    await editLater();
    expect(await queue.now()).toEqual([]);
    const [held] = await found(cleo, [['id', id]]);
    expect(held).toMatchObject({ subject: 'plans', content: 'words of their time', reactions: [] });
    expect(held?.flags).not.toContain('mentioned');
    expect(held?.edit_history).toHaveLength(1);
    const history = await service.ask(cleo, api.lifecycle.history, { message_id: id });
    expect(JSON.stringify(history)).not.toMatch(/pineapple|renamed/);
    const one = await service.ask(cleo, api.lifecycle.get, { message_id: id });
    expect(one.raw_content).toBe('words of their time');
    expect(await found(ben, [['id', id]])).toMatchObject([{ subject: 'renamed' }]);
  });

  test('a removed subscriber finds a message by what it said then, and not by what it says now [lost-access.removed-subscriber-finds]', async () => {
    await editLater();
    for (const [operator, then, now] of [
      ['search', 'words', 'pineapple'],
      ['topic', 'plans', 'renamed'],
    ] as const) {
      const of = (operand: string) => [
        [operator, operand],
        ['sender', ben],
      ];
      expect((await found(cleo, of(then))).map((each) => each.id)).toContain(id);
      expect((await found(cleo, of(now))).map((each) => each.id)).not.toContain(id);
      expect((await found(ben, of(now))).map((each) => each.id)).toContain(id);
    }
    expect((await found(cleo, [['has', 'link']])).map((each) => each.id)).not.toContain(id);
  });

  test('a removed subscriber is told only the id of a deleted message [lost-access.removed-subscriber-id]', async () => {
    await service.ask(ada, api.lifecycle.delete, { message_id: id });
    const [event] = await queue.now();
    expect(event).toEqual({ id: event?.['id'], type: 'delete_message', message_id: id });
  });

  test('a removed subscriber reads a message as it is, and hears of it, once they are there again', async () => {
    await editLater();
    await rejoin();
    await queue.now();
    expect(await found(cleo, [['id', id]])).toMatchObject([
      { subject: 'renamed', reactions: [{ emoji_name: 'heart' }, { emoji_name: 'tada' }] },
    ]);
    await service.ask(cleo, api.reactions.add, { message_id: id, emoji_name: 'smile' });
    expect(await queue.now()).toMatchObject([{ type: 'reaction', message_id: id }]);
  });

  test('a removed subscriber is not shown a message that comes into the stream later from elsewhere [lost-access.removed-subscriber-not]', async () => {
    const other = `other ${String(count)}`;
    await service.join(ada, [other], { invite_only: true, principals: [ada] });
    await rejoin();
    const secret = await service.say(ada, other, 'secret', 'never for cleo');
    await service.say(ada, stream, 'plans', 'after it');
    await leave();
    const stream_id = await streamIdOf(service, stream);
    await service.ask(ada, api.lifecycle.edit, { message_id: secret, stream_id });
    expect(await service.read(cleo, secret)).toBeUndefined();
  });
});

test('what was sent before somebody left reaches their queue as it was then [lost-access.sent-left-reaches]', async () => {
  await rejoin();
  const late = await service.say(ben, stream, 'plans', 'before');
  await leave();
  await service.ask(ben, api.lifecycle.edit, { message_id: late, content: 'after' });
  const told = (await queue.now()).find((event) => event.type === 'message');
  expect(told).toMatchObject({ message: { id: late, content: 'before' } });
});

test('whoever joins is told nothing of a message that was deleted before', async () => {
  const name = `joined ${String(count)}`;
  await service.join(ada, [name], { invite_only: true, principals: [ada] });
  const joining = await service.register(cleo);
  const gone = await service.say(ada, name, 'plans', 'for few');
  await service.ask(ada, api.lifecycle.delete, { message_id: gone });
  await service.join(ada, [name], { principals: [cleo] });
  const told = (await joining.now()).map((event) => event.type);
  expect(told).toContain('subscription');
  expect(told).not.toContain('delete_message');
});

test('whoever hears all public streams is told nothing of what was changed after one became private', async () => {
  const name = `heard ${String(count)}`;
  await service.join(ada, [name], { principals: [ada] });
  const stream_id = await streamIdOf(service, name);
  const hearing = await service.register(cleo, { all_public_streams: true });
  const [kept, changed] = [
    await service.say(ada, name, 'plans', 'for all'),
    await service.say(ada, name, 'plans', 'for all as well'),
  ];
  await service.ask(ada, api.streamAdmin.update, { stream_id, is_private: true });
  await service.ask(ada, api.lifecycle.edit, { message_id: changed, content: 'for few' });
  const told = (await hearing.now()).filter((event) => event.type === 'message');
  expect(told).toMatchObject([{ message: { id: kept } }]);
});

test('who keeps copies of a stream that became private keeps them as they were [lost-access.copies-stream-became]', async () => {
  const open = `open ${String(count)}`;
  await service.join(ada, [open], { principals: [ada] });
  const copied = await service.say(ada, open, 'plans', 'for all');
  const star = { messages: [copied], op: 'add', flag: 'starred' };
  await service.ask(cleo, api.readState.changeFlags, star);
  const stream_id = await streamIdOf(service, open);
  await service.ask(ada, api.streamAdmin.update, { stream_id, is_private: true });
  await service.ask(ada, api.lifecycle.edit, { message_id: copied, content: 'for few' });
  expect(await service.read(cleo, copied, { apply_markdown: false })).toMatchObject({
    content: 'for all',
  });
  await service.refuse(cleo, api.reactions.add, { message_id: copied, emoji_name: 'tada' });
  await service.ask(ada, api.streamAdmin.update, { stream_id, is_private: false });
  expect(await service.read(cleo, copied, { apply_markdown: false })).toMatchObject({
    content: 'for few',
  });
});
