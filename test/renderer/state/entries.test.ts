import { expect, test } from 'vitest';
import type { Conversation, ShownMessage } from '../../../src-main/contract/models/client.ts';
import { entriesOf, mergeMessages } from '../../../src-renderer/state/entries.ts';
import { inTopic, withPeople } from '../../support/bridge-double.ts';

const noon = new Date(2025, 10, 20, 12).getTime() / 1000;
const minute = 60;

const message = (
  id: number,
  senderId: number,
  sentAtSeconds: number,
  conversation: Conversation = withPeople(9),
): ShownMessage => ({
  id,
  conversation,
  senderId,
  senderName: `Person ${senderId}`,
  rendered: `<p>${id}</p>`,
  sentAtSeconds,
  isOwn: false,
  isRead: true,
});

const kinds = (messages: readonly ShownMessage[], showsTopics = false): readonly string[] =>
  entriesOf(messages, showsTopics).map((entry) => {
    if (entry.kind === 'message') return entry.startsGroup ? 'sender' : 'more';
    return entry.kind === 'topic' ? `topic ${entry.topic}` : 'date';
  });

test('messages of one sender within ten minutes stand in one group', () => {
  expect(
    kinds([
      message(1, 9, noon),
      message(2, 9, noon + 9 * minute),
      message(3, 9, noon + 10 * minute),
      message(4, 9, noon + 12 * minute),
    ]),
  ).toEqual(['date', 'sender', 'more', 'sender', 'more']);
});

test('another sender starts another group', () => {
  expect(kinds([message(1, 9, noon), message(2, 10, noon + 1), message(3, 9, noon + 2)])).toEqual([
    'date',
    'sender',
    'sender',
    'sender',
  ]);
});

test('a new day has a date line and starts a group', () => {
  const midnight = new Date(2025, 10, 21).getTime() / 1000;
  expect(kinds([message(1, 9, midnight - 30), message(2, 9, midnight + 30)])).toEqual([
    'date',
    'sender',
    'date',
    'sender',
  ]);
});

test('a whole stream names the topic where it changes, without regard to case', () => {
  expect(
    kinds(
      [
        message(1, 9, noon, inTopic(1, 'lunch')),
        message(2, 9, noon + 1, inTopic(1, 'Lunch')),
        message(3, 9, noon + 2, inTopic(1, 'deploys')),
      ],
      true,
    ),
  ).toEqual(['date', 'topic lunch', 'sender', 'more', 'topic deploys', 'sender']);
});

test('one topic alone is not named in the list', () => {
  expect(kinds([message(1, 9, noon, inTopic(1, 'lunch'))])).toEqual(['date', 'sender']);
});

test('merging keeps every message once, in order, in its newest form', () => {
  const old = message(2, 9, noon);
  const fresh = { ...old, rendered: '<p>edited</p>' };
  const merged = mergeMessages([message(1, 9, noon), old], [message(3, 9, noon), fresh]);
  expect(merged.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(merged[1]?.rendered).toBe('<p>edited</p>');
});
