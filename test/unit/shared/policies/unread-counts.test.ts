import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MutedTopic, UnreadConversation } from '#shared/bridge/models/client-state.ts';
import { conversationKey, type Conversation } from '#shared/bridge/models/conversation.ts';
import { joinBadges, summarizeUnread } from '#shared/policies/unread-counts.ts';

const byKey = (list: readonly UnreadConversation[]): Record<string, UnreadConversation> =>
  Object.fromEntries(list.map((unread) => [conversationKey(unread.conversation), unread]));

const unread = (conversation: Conversation, count: number, mentions = 0): UnreadConversation => ({
  conversation,
  count,
  mentions,
  newestId: 1,
});
const topic = (streamId: number, name: string): Conversation => ({
  kind: 'stream',
  streamId,
  topic: name,
});
const ben: Conversation = { kind: 'private', userIds: [2] };

const streams = [
  { streamId: 1, isMuted: false },
  { streamId: 2, isMuted: true },
];
const mutedTopics: readonly MutedTopic[] = [{ streamId: 1, topic: 'Lunch' }];
const context = (display: number) => ({
  streams,
  mutedTopics,
  notifications: { desktop_icon_count_display: display },
});

describe('unread messages count', () => {
  test.each([
    ['private ones are wanted', [unread(ben, 3)], { wanted: 3, other: 0 }],
    ['those of streams are not', [unread(topic(1, 'a'), 3)], { wanted: 0, other: 3 }],
    [
      'mentions are, and are not counted twice',
      [unread(topic(1, 'a'), 3, 2)],
      { wanted: 2, other: 1 },
    ],
    ['a muted stream is quiet', [unread(topic(2, 'a'), 3)], { wanted: 0, other: 0 }],
    [
      'a muted topic is quiet, in any case',
      [unread(topic(1, 'lunch'), 3)],
      { wanted: 0, other: 0 },
    ],
    [
      'the same topic elsewhere is not',
      [unread(topic(1, 'a'), 1), unread(topic(2, 'lunch'), 3)],
      { wanted: 0, other: 1 },
    ],
    ['a mention counts where it is muted', [unread(topic(2, 'a'), 3, 1)], { wanted: 1, other: 0 }],
    ['a stream that was left is quiet', [unread(topic(9, 'a'), 3)], { wanted: 0, other: 0 }],
    ['nothing is nothing', [], { wanted: 0, other: 0 }],
  ])('%s', (_, list, marks) => {
    expect(summarizeUnread(byKey(list), context(1))).toMatchObject(marks);
  });

  test.each([
    [1, 9, '(9) '],
    [2, 5, '(5) '],
    [3, 0, ''],
    [7, 9, '(9) '],
  ])(
    'with the setting %d the badge is %d and the title begins with %j',
    (display, badge, titlePrefix) => {
      const list = [unread(ben, 3), unread(topic(1, 'a'), 6, 2), unread(topic(2, 'b'), 40)];
      expect(summarizeUnread(byKey(list), context(display))).toMatchObject({ badge, titlePrefix });
    },
  );

  test.each([
    [99, '(99) '],
    [100, '(99+) '],
  ])('a title shows %d as %j', (count, titlePrefix) => {
    expect(summarizeUnread(byKey([unread(ben, count)]), context(2)).titlePrefix).toBe(titlePrefix);
  });

  test('unread messages count like a list of single messages that is gone through one by one', () => {
    const place = fc.oneof(
      fc.record({
        kind: fc.constant('private' as const),
        userIds: fc.uniqueArray(fc.integer({ min: 2, max: 4 }), { maxLength: 2 }),
      }),
      fc.record({
        kind: fc.constant('stream' as const),
        streamId: fc.integer({ min: 1, max: 4 }),
        topic: fc.constantFrom('a', 'b', 'Lunch', 'lunch'),
      }),
    );
    const messages = fc.array(fc.record({ place, isMention: fc.boolean() }), { maxLength: 60 });
    const settings = fc.record({
      display: fc.constantFrom(1, 2, 3),
      streams: fc.uniqueArray(
        fc.record({ streamId: fc.integer({ min: 1, max: 4 }), isMuted: fc.boolean() }),
        { selector: (s) => s.streamId },
      ),
      mutedTopics: fc.array(
        fc.record({
          streamId: fc.integer({ min: 1, max: 4 }),
          topic: fc.constantFrom('a', 'LUNCH'),
        }),
      ),
    });
    fc.assert(
      fc.property(messages, settings, (list, { display, ...places }) => {
        const facts = new Map<
          string,
          { conversation: Conversation; count: number; mentions: number; newestId: number }
        >();
        let wanted = 0;
        let other = 0;
        for (const { place: conversation, isMention } of list) {
          const isPrivate = conversation.kind === 'private';
          const fact = facts.get(conversationKey(conversation)) ?? {
            conversation,
            count: 0,
            mentions: 0,
            newestId: 1,
          };
          fact.count += 1;
          fact.mentions += isMention ? 1 : 0;
          facts.set(conversationKey(conversation), fact);
          if (isPrivate || isMention) {
            wanted += 1;
            continue;
          }
          const stream = places.streams.find((s) => s.streamId === conversation.streamId);
          const isTopicMuted = places.mutedTopics.some(
            (t) =>
              t.streamId === conversation.streamId &&
              t.topic.toLowerCase() === conversation.topic.toLowerCase(),
          );
          if (stream?.isMuted === false && !isTopicMuted) other += 1;
        }
        const badge = [wanted + other, wanted, 0][display - 1]!;
        expect(
          summarizeUnread(Object.fromEntries(facts), {
            ...places,
            notifications: { desktop_icon_count_display: display },
          }),
        ).toMatchObject({ wanted, other, badge });
      }),
      { numRuns: 500 },
    );
  });
});

test('the icon shows the sum of all accounts, and the first problem', () => {
  const well = { wanted: 1, other: 2, badge: 3, problem: null };
  const out = { wanted: 4, other: 0, badge: 4, problem: 'Signed out of Office.' };
  expect(joinBadges([well, out, well])).toEqual({
    wanted: 6,
    other: 4,
    badge: 10,
    problem: 'Signed out of Office.',
  });
  expect(joinBadges([])).toEqual({ wanted: 0, other: 0, badge: 0, problem: null });
});
