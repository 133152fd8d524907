import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  noUnread,
  oldestUnreadId,
  type UnreadEntry,
  unreadIds,
  unreadIdsOf,
  unreadOf,
  type UnreadStore,
  withoutUnread,
  withUnread,
} from '#client/sync/state/unread.ts';
import type { UnreadConversation } from '#shared/bridge/models/client-state.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import type { Conversation } from '#shared/bridge/models/conversation.ts';

const subscribed = new Set([1, 2]);

const conversation: fc.Arbitrary<Conversation> = fc.oneof(
  fc.record({
    kind: fc.constant('stream' as const),
    streamId: fc.constantFrom(1, 2, 3),
    topic: fc.constantFrom('lunch', 'Lunch', 'deploy'),
  }),
  fc.record({ kind: fc.constant('private' as const), userIds: fc.constantFrom([], [2], [2, 3]) }),
);
const id = fc.integer({ min: 1, max: 40 }).map((number) => number * 100);
const entries = fc.array(fc.record({ id, conversation, isMention: fc.boolean() }), {
  maxLength: 8,
});
const steps = fc.array(
  fc.oneof(fc.record({ added: entries }), fc.record({ removed: fc.array(id, { maxLength: 8 }) })),
  { maxLength: 30 },
);

/** What the messages add up to, counted one by one. */
function counted(messages: ReadonlyMap<number, UnreadEntry>): Record<string, UnreadConversation> {
  const totals: Record<string, UnreadConversation> = {};
  for (const each of [...messages.values()].sort((a, b) => a.id - b.id)) {
    if (each.conversation.kind === 'stream' && !subscribed.has(each.conversation.streamId))
      continue;
    const key = conversationKey(each.conversation);
    totals[key] = {
      conversation: each.conversation,
      count: (totals[key]?.count ?? 0) + 1,
      mentions: (totals[key]?.mentions ?? 0) + (each.isMention ? 1 : 0),
      newestId: each.id,
    };
  }
  return totals;
}

const many = (count: number): UnreadStore =>
  withUnread(
    noUnread,
    Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      conversation: { kind: 'stream' as const, streamId: 1, topic: `topic ${String(index % 50)}` },
      isMention: false,
    })),
  );

describe('unread messages', () => {
  test('unread messages add up in each conversation to what is unread there', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        let store = noUnread;
        const model = new Map<number, UnreadEntry>();
        for (const step of taken) {
          if ('added' in step) {
            const distinct = [...new Map(step.added.map((each) => [each.id, each])).values()];
            store = withUnread(store, distinct);
            for (const each of distinct) model.set(each.id, each);
          } else {
            store = withoutUnread(store, step.removed);
            for (const each of step.removed) model.delete(each);
          }
          expect(unreadOf(store.totals, subscribed)).toEqual(counted(model));
          const ids = [...model.keys()].sort((a, b) => a - b);
          expect(unreadIds(store, () => true)).toEqual(ids);
          expect(oldestUnreadId(store)).toBe(ids[0] ?? null);
        }
      }),
    );
  });

  test('the oldest of as many unread messages as a service lists is not known', () => {
    expect(oldestUnreadId(many(49_999))).toBe(1);
    expect(oldestUnreadId(many(50_000))).toBeUndefined();
  });

  test('unread messages are the same object after a change that changes nothing', () => {
    const store = many(10);
    const known = { id: 3, conversation: inTopic(2), isMention: false };
    expect(withUnread(store, [known])).toBe(store);
    expect(withoutUnread(store, [11, 12])).toBe(store);
    expect(withUnread(store, [])).toBe(store);
  });

  test('a store of 50,000 unread messages changes in one part when one more comes', () => {
    const store = many(50_000);
    const after = withUnread(store, [{ id: 50_001, conversation: inTopic(7), isMention: true }]);
    const changed = after.parts.filter((part, index) => part !== store.parts[index]);
    expect(changed).toHaveLength(1);
    const totals = unreadOf(store.totals, subscribed);
    const totalsAfter = unreadOf(after.totals, subscribed);
    const keys = Object.keys(totals).filter((key) => totals[key] !== totalsAfter[key]);
    expect(keys).toEqual([conversationKey(inTopic(7))]);
    expect(totalsAfter[conversationKey(inTopic(7))]).toEqual({
      conversation: inTopic(7),
      count: 1001,
      mentions: 1,
      newestId: 50_001,
    });
  });

  test('unread messages of a view are chosen by where they are and whether they mention the account', () => {
    const store = withUnread(many(100), [{ id: 3, conversation: inTopic(2), isMention: true }]);
    expect(unreadIds(store, (_, isMention) => isMention)).toEqual([3]);
    const isThere = (place: Conversation): boolean =>
      conversationKey(place) === conversationKey(inTopic(1));
    expect(unreadIds(store, isThere)).toEqual([2, 52]);
    expect(unreadIdsOf(store, inTopic(1))).toEqual([2, 52]);
    expect(unreadIdsOf(store, inTopic(99))).toEqual([]);
  });
});

function inTopic(number: number): Conversation {
  return { kind: 'stream', streamId: 1, topic: `topic ${String(number)}` };
}
