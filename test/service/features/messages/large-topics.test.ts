import { expect, test } from 'vitest';
import { noMarks } from '#shared/api/models/message-marks.ts';
import type { LoggedEvent } from '#service/db/event-log.ts';
import type { Store } from '#service/db/port.ts';
import { callBy, callerOf, startEvents } from '#test/support/service/event-service.ts';

const AT_ONCE = 200;
const plain = {
  ...noMarks,
  ...{ client: 'test', content: 'text', rendered: '<p>text</p>' },
  ...{ mentionedUserIds: [], sentAt: 1, echo: null },
};

const target = { kind: 'stream', streamId: 1, topic: 'large', topicKey: 'large' } as const;

/** By two people in turn. */
const sayMany = (store: Store, messages: number): Promise<void> =>
  store.change(function* (tx) {
    for (let at = 0; at < messages; at += 1) {
      yield* tx.appendMessage({ ...plain, senderId: 1 + (at % 2), target });
    }
  });

test('a large topic is deleted in several commits, between which others have theirs, each author in as few as can be', async () => {
  const { store, service } = await startEvents();
  const messages = 450;
  await sayMany(store, messages);
  const commits: (readonly LoggedEvent[])[] = [];
  store.onCommit((events) => void commits.push(events));
  const params = { streamId: 1, topicName: 'large' };
  await service.handlers.lifecycle.deleteTopic(callBy(callerOf(1, 'admin')), params);
  const told = commits.map((events) => events.filter(({ type }) => type === 'delete_message'));
  expect(told.map((events) => events.length)).toEqual([AT_ONCE, AT_ONCE, messages - 2 * AT_ONCE]);
  const authors = told.map((events) => new Set(events.map(({ payload }) => payload['sender_id'])));
  expect(authors.map((each) => [...each])).toEqual([[1], expect.arrayContaining([1, 2]), [2]]);
  const ids = told.map((events) => events.map(({ payload }) => Number(payload['message_id'])));
  for (const each of ids) expect(each).toEqual(each.toSorted((a, b) => a - b));
  expect(new Set(ids.flat()).size).toBe(messages);
});

test('what is read of a large topic is told in one event, however many messages that are', async () => {
  const { store, service } = await startEvents();
  const messages = 8500;
  await sayMany(store, messages);
  const told: LoggedEvent[] = [];
  store.onCommit((events) => void told.push(...events));
  const params = { streamId: 1, topicName: 'large' };
  await service.handlers.readState.markTopicAsRead(callBy(callerOf(2)), params);
  const ids = Array.from({ length: messages / 2 }, (_, index) => 1 + 2 * index);
  expect(told.map(({ payload }) => payload['messages'])).toEqual([ids]);
});
