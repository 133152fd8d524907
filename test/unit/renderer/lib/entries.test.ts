import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Conversation, ShownMessage } from '#shared/bridge/models/client.ts';
import { entriesOf, isShifted, mergeMessages, type EntrySource } from '#renderer/lib/entries.ts';
import { inTopic, withPeople } from '#test/support/window/bridge-double.ts';

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
  avatarUrl: null,
  is_me_message: false,
  editedAtSeconds: null,
  isStarred: false,
  isMentioned: false,
  hasAlertWord: false,
  reactions: [],
  match: null,
  localId: null,
});

const entries = (messages: readonly ShownMessage[], more: Partial<EntrySource> = {}) =>
  entriesOf({ messages, outbox: [], isMixed: false, unreadFromId: null, ownUserId: 8, ...more });

/** What stands below each other, after what is above the first message. */
const kinds = (messages: readonly ShownMessage[], isMixed = false, more = {}): readonly string[] =>
  entries(messages, { isMixed, ...more })
    .slice(1)
    .map((entry) => {
      if (entry.kind === 'message') return entry.startsGroup ? 'sender' : 'more';
      if (entry.kind !== 'bar') return entry.kind;
      return entry.conversation.kind === 'stream' ? `topic ${entry.conversation.topic}` : 'people';
    });

test('ranked messages are named one by one, each below the day and the conversation that it is of', () => {
  const lunch = inTopic(1, 'lunch');
  const ranked = [
    message(7, 9, noon, lunch),
    message(6, 9, noon - minute, lunch),
    message(2, 9, noon - 24 * 60 * minute, lunch),
    message(8, 9, noon + minute, withPeople(9)),
  ];
  expect(kinds(ranked, true, { isRanked: true })).toEqual([
    ...['date', 'topic lunch', 'sender', 'sender'],
    ...['date', 'topic lunch', 'sender'],
    ...['date', 'people', 'sender'],
  ]);
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

test('the line of what is new stands above its first message and starts a group', () => {
  const messages = [message(1, 9, noon), message(2, 9, noon + 1), message(3, 9, noon + 2)];
  expect(kinds(messages, false, { unreadFromId: 2 })).toEqual([
    ...['date', 'sender', 'unread', 'sender', 'more'],
  ]);
  // Its first message may have gone since.
  expect(kinds([message(1, 9, noon), message(3, 9, noon + 2)], false, { unreadFromId: 2 })).toEqual(
    [...['date', 'sender', 'unread', 'sender']],
  );
});

test('the line of what is new stands below its day and its conversation', () => {
  expect(kinds([message(1, 9, noon)], true, { unreadFromId: 1 })).toEqual([
    ...['date', 'people', 'unread', 'sender'],
  ]);
});

test('people are named in a mixed list, and again after a new day', () => {
  const midnight = new Date(2025, 10, 21).getTime() / 1000;
  expect(kinds([message(1, 9, midnight - 30), message(2, 9, midnight + 30)], true)).toEqual([
    ...['date', 'people', 'sender', 'date', 'people', 'sender'],
  ]);
});

test('what is unsent follows in the group of what was sent, under the key that it will keep', () => {
  const item = {
    localId: 'x1',
    conversation: withPeople(9),
    content: 'text',
    writtenAtSeconds: noon + 60,
    state: 'sending' as const,
    failure: '',
  };
  const [last] = entries([message(1, 8, noon)], { outbox: [item] }).slice(-1);
  expect(last).toMatchObject({ kind: 'outbox', key: 'local-x1', startsGroup: false });
  const [sent] = entries([{ ...message(2, 8, noon + 60), localId: 'x1' }]).slice(-1);
  expect(sent).toMatchObject({ kind: 'message', key: 'local-x1' });
});

test('a row that did not change is the same object', () => {
  const messages = [message(1, 9, noon), message(2, 9, noon + 1)];
  const [before, after] = [entries(messages), entries([...messages, message(3, 9, noon + 2)])];
  expect(after[2]).toBe(before[2]);
  expect(after[3]).toBe(before[3]);
});

test('a list that grows or shrinks above what is read keeps its distance from the end', () => {
  const list = (...ids: number[]) => entries(ids.map((id) => message(id, 9, noon + id)));
  const some = list(5, 6, 7);
  expect(isShifted(some, list(3, 4, 5, 6, 7), '6')).toBe(true);
  expect(isShifted(some, list(5, 6, 7, 8), '6')).toBe(false);
  expect(isShifted(some, list(6, 7), '6')).toBe(true);
  expect(isShifted(some, list(5, 6), '6')).toBe(false);
  expect(isShifted(some, list(3, 4, 5, 6, 7), null)).toBe(false);
});

test('merging is the same whichever way it is done', () => {
  const make = (ids: readonly number[]) => ids.map((id) => message(id, 9, noon));
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(40)), fc.uniqueArray(fc.nat(40)), (a, b) => {
      const known = make([...a].sort((x, y) => x - y));
      const merged = mergeMessages(known, make(b)).map(({ id }) => id);
      expect(merged).toEqual([...new Set([...a, ...b])].sort((x, y) => x - y));
    }),
  );
});
