/** A stream that is archived and brought back is again what it was, in a client that runs on and in one that starts later. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { valueOf } from '#test/support/client/client.ts';
import { Computer, quickService, type Running } from '#test/support/client/computer.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';
import { Mate } from '#test/support/window/office-mates.ts';

let service: RunningService;
let ada: Mate;
beforeAll(async () => {
  service = await startService({ dev: true, args: quickService });
  ada = await Mate.of(() => service.origin, 'ada');
});
afterAll(async () => {
  await service.stop();
  await rm(service.dataDir, { recursive: true, force: true });
});

async function idOf(name: string): Promise<number> {
  return Number((await ada.ask('GET', '/get_stream_id', { stream: name }))['stream_id']);
}

const archive = (id: number) => ada.ask('DELETE', `/streams/${String(id)}`);
const restore = (id: number, more: Readonly<Record<string, unknown>> = {}) =>
  ada.ask('PATCH', `/streams/${String(id)}`, { is_archived: false, ...more });

async function namesIn(running: Running): Promise<readonly string[]> {
  const { streams, otherStreams } = await running.state();
  return [...streams, ...otherStreams].map(({ name }) => name);
}

/** What a person has of a stream, with the names that it goes by. */
async function known(running: Running, streamId: number): Promise<object> {
  const state = await running.state();
  const view = { kind: 'stream', streamId, topic: null } as const;
  const { messages, isComplete, hasOldest } = await running.page(view);
  return {
    stream: state.streams.find((stream) => stream.streamId === streamId),
    muted: state.mutedTopics.filter((topic) => topic.streamId === streamId),
    unread: Object.values(state.unread).filter(
      ({ conversation }) => conversation.kind === 'stream' && conversation.streamId === streamId,
    ),
    messages: messages.map(({ id, conversation }) => [id, conversation]),
    topics: valueOf(await running.client.topics(running.account.id, streamId)),
    isComplete,
    hasOldest,
  };
}

async function openWith(computer: Computer, stream: string): Promise<readonly [Running, number]> {
  const principals = ['ada@example.com', 'ben@example.com'];
  await ada.ask('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: stream }],
    principals,
  });
  const id = await idOf(stream);
  for (const text of ['one', 'two']) await ada.say(stream, 'quiet', text);
  await ada.say(stream, 'loud', 'three');
  const running = await computer.join({ origin: service.origin, email: 'ben@example.com' });
  const muted = { streamId: id, topic: 'quiet', op: 'add' } as const;
  valueOf(await running.client.request(running.account.id, 'subscriptions.muteTopic', muted));
  await running.filled();
  // Another test of this file has muted a topic of another stream.
  const isMuted = async (): Promise<boolean> =>
    (await running.state()).mutedTopics.some((topic) => topic.streamId === id);
  await expect.poll(isMuted).toBe(true);
  return [running, id];
}

test('a client that runs takes it up again, with what is unread, muted and kept of it', async () => {
  const computer = await Computer.buy();
  const [running, id] = await openWith(computer, 'comes back');
  const before = await known(running, id);
  expect(before).toMatchObject({
    unread: [{ count: 2 }, { count: 1 }],
    muted: [{ topic: 'quiet' }],
  });
  await archive(id);
  await expect.poll(() => namesIn(running)).not.toContain('comes back');
  await restore(id);
  await expect.poll(() => namesIn(running)).toContain('comes back');
  await expect.poll(() => known(running, id)).toEqual(before);
  await running.filled();
  expect(await known(running, id)).toEqual(before);
  const next = await ada.say('comes back', 'loud', 'four');
  await running.until(() => running.arrived().some((message) => message.id === next));
  await running.client.stop();
});

test('a client that was away finds it under its new name', async () => {
  const computer = await Computer.buy();
  const [first, id] = await openWith(computer, 'goes away');
  const { stream: _, ...before } = (await known(first, id)) as { stream: object };
  await first.client.stop();
  await archive(id);
  await restore(id, { new_name: 'goes on' });
  const later = await computer.start();
  await later.live();
  await expect.poll(() => namesIn(later)).toContain('goes on');
  expect(await namesIn(later)).not.toContain('goes away');
  await later.filled();
  await expect.poll(() => known(later, id)).toMatchObject(before);
  await later.client.stop();
});

test('a client that started while it was archived sees it come', async () => {
  const computer = await Computer.buy();
  const [first, id] = await openWith(computer, 'comes later');
  const before = await known(first, id);
  await first.client.stop();
  await archive(id);
  const later = await computer.start();
  await later.live();
  await expect.poll(() => namesIn(later)).not.toContain('comes later');
  await restore(id);
  await expect.poll(() => namesIn(later)).toContain('comes later');
  await later.filled();
  await expect.poll(() => known(later, id)).toEqual(before);
  await later.client.stop();
});

test('what one no longer sees keeps its name, what was received there, and what happened to it', async () => {
  const computer = await Computer.buy();
  const [running, archivedId] = await openWith(computer, 'is archived');
  const principals = ['ada@example.com', 'ben@example.com'];
  const subscriptions = [{ name: 'is closed' }];
  await ada.ask('POST', '/users/me/subscriptions', {
    subscriptions,
    principals,
    invite_only: true,
  });
  const closedId = await idOf('is closed');
  const kept = await ada.say('is closed', 'quiet', 'received');
  await running.until(() => running.arrived().some(({ id }) => id === kept));
  await archive(archivedId);
  await ada.ask('DELETE', '/users/me/subscriptions', {
    subscriptions: ['is closed'],
    principals: ['ben@example.com'],
  });
  const gone = async (each: Running): Promise<readonly unknown[]> =>
    (await each.state()).goneStreams
      .filter(({ streamId }) => streamId === archivedId || streamId === closedId)
      .map(({ name, how, sinceSeconds }) => [name, how, sinceSeconds === null]);
  const expected = [
    ['is archived', 'archived', false],
    ['is closed', 'left', false],
  ];
  await expect.poll(() => gone(running)).toEqual(expected);
  const inside = { kind: 'stream', streamId: closedId, topic: null } as const;
  expect((await running.page(inside)).messages.map(({ id }) => id)).toEqual([kept]);
  const sent = valueOf(
    await running.client.sendMessage(
      running.account.id,
      { conversation: { ...inside, topic: 'quiet' }, content: 'too late' },
      null,
    ),
  );
  const own = async () =>
    (await running.state()).outbox.find(({ localId }) => localId === sent.localId);
  await expect.poll(async () => (await own())?.state).toBe('failed');
  expect((await own())?.content).toBe('too late');
  await running.client.stop();

  const again = await computer.start();
  await again.live();
  expect(await gone(again)).toEqual(expected);
  await again.client.stop();

  // Of what happened before, another computer knows the names that the messages have.
  const other = await (
    await Computer.buy()
  ).join({ origin: service.origin, email: principals[1]! });
  await other.filled();
  await expect
    .poll(() => gone(other))
    .toEqual([
      ['is archived', 'hidden', true],
      ['is closed', 'hidden', true],
    ]);
  expect((await other.page(inside)).messages.map(({ id }) => id)).toEqual([kept]);
  await other.client.stop();
});

test('a stream that is made in the window is told of where the organization wants that', async () => {
  const running = await (
    await Computer.buy()
  ).join({
    origin: service.origin,
    email: 'ben@example.com',
  });
  const news = await idOf('general');
  await ada.ask('PATCH', '/realm', { notifications_stream_id: news });
  const stream = { name: 'brand new', description: '', isPrivate: false, userIds: [] };
  valueOf(await running.client.createStream(running.account.id, stream));
  await running.until(() =>
    running.arrived().some(({ conversation, rendered }) => {
      return (
        conversation.kind === 'stream' &&
        conversation.streamId === news &&
        rendered.includes('brand new')
      );
    }),
  );
  await running.client.stop();
});
