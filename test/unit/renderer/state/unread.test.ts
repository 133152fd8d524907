import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import { createIsQuiet, summarizeUnread } from '#shared/policies/unread-counts.ts';
import { firstRows, inboxGroups, type InboxGroups, rowsOf } from '#renderer/lib/inbox.ts';
import {
  addMarks,
  conversationMark,
  mentionCount,
  noMark,
  unreadByStream,
} from '#renderer/state/places/unread.ts';
import { inTopic, stream, unreadIn, withPeople } from '#test/support/window/bridge-double.ts';
import { officeState } from '#test/support/window/office.ts';

const state: ClientState = {
  ...officeState,
  streams: [stream(1, 'general'), stream(2, 'noise', { isMuted: true })],
  mutedTopics: [{ streamId: 1, topic: 'Builds' }],
};
const isQuiet = createIsQuiet(state);

test('a stream counts its mentions and marks the rest; muted topics stay quiet', () => {
  const unread = unreadIn(
    [inTopic(1, 'lunch'), 5, 2],
    [inTopic(1, 'builds'), 9],
    [inTopic(2, 'memes'), 4],
  );
  const streams = unreadByStream(unread, isQuiet);
  expect(streams.get(1)).toEqual({ mark: { wanted: 2, other: 3 }, topics: ['lunch'] });
  expect(streams.get(2)).toEqual({ mark: noMark, topics: [] });
  expect(mentionCount(unread)).toBe(2);
});

const entry = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 2 }), fc.constantFrom('lunch', 'builds', 'x'))
    .map(([streamId, topic]) => inTopic(streamId, topic)),
  fc.constantFrom(withPeople(9), withPeople(10), withPeople(9, 10)),
);
const entries = fc.array(
  fc
    .tuple(entry, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 3 }))
    .map(([where, count, mentions]) => [where, count, Math.min(mentions, count)] as const),
  { maxLength: 8 },
);

test('what the rows of the left column say adds up to what badge and title say', () => {
  fc.assert(
    fc.property(entries, (given) => {
      const unread = unreadIn(...given);
      const streams = [...unreadByStream(unread, isQuiet).values()].map(({ mark }) => mark);
      const privates = Object.values(unread)
        .filter(({ conversation }) => conversation.kind === 'private')
        .map(({ conversation }) => conversationMark(unread, conversation, isQuiet));
      const { wanted, other } = summarizeUnread(unread, state);
      expect([...streams, ...privates].reduce(addMarks, noMark)).toEqual({ wanted, other });
    }),
  );
});

test('the inbox has every conversation that is not muted, once', () => {
  fc.assert(
    fc.property(entries, (given) => {
      const unread = unreadIn(...given);
      const { privates, mentions, streams } = inboxGroups(unread, isQuiet);
      const shown = [...privates, ...mentions, ...streams.flatMap(({ topics }) => topics)];
      const wanted = Object.values(unread).filter(
        (each) => each.mentions > 0 || !isQuiet(each.conversation),
      );
      expect(new Set(shown)).toEqual(new Set(wanted));
      expect(shown).toHaveLength(wanted.length);
    }),
  );
});

test('the first rows of the inbox are those at its top, with their streams, and all of them in the end', () => {
  const lines = ({ privates, mentions, streams }: InboxGroups): readonly unknown[] => [
    ...privates,
    ...mentions,
    ...streams.flatMap(({ streamId, topics }) => [streamId, ...topics]),
  ];
  fc.assert(
    fc.property(entries, fc.nat(12), (given, rows) => {
      const groups = inboxGroups(unreadIn(...given), isQuiet);
      const first = firstRows(groups, rows);
      const all = lines(groups);
      expect(rowsOf(groups)).toBe(all.length);
      expect(lines(first)).toEqual(all.slice(0, rowsOf(first)));
      // The name of a stream does not stand alone at the end.
      expect([rows, rows - 1]).toContain(rowsOf(first) + Math.max(0, rows - all.length));
      expect(first.streams.every(({ topics }) => topics.length > 0)).toBe(true);
    }),
  );
});
