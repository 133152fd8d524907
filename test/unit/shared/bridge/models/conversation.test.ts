import { expect, test } from 'vitest';
import { conversationKey, viewKey } from '#shared/bridge/models/conversation.ts';

const inTopic = (topic: string) => ({ kind: 'stream' as const, streamId: 4, topic });

test.each(['Lunch', ' lunch ', 'ＬＵＮＣＨ'])(
  'a topic is the same as %j, as the service compares it',
  (topic) => {
    expect(conversationKey(inTopic(topic))).toBe(conversationKey(inTopic('lunch')));
  },
);

test('a conversation has the key of its view, and a stream another one than its topics', () => {
  expect(viewKey(inTopic('lunch'))).toBe(conversationKey(inTopic('lunch')));
  expect(viewKey({ kind: 'stream', streamId: 4, topic: null })).not.toBe(viewKey(inTopic('')));
  const among = (...userIds: number[]) => viewKey({ kind: 'private', userIds });
  expect(among(3, 2)).toBe(among(2, 3));
  expect(among()).not.toBe(among(2));
});
