import { expect, test } from 'vitest';
import { scopeOf } from '#client/sync/state/scope.ts';
import { Snapshot, stateFrom } from '#client/sync/state/snapshot.ts';
import { ada, ben, realmUser, subscription } from '#test/support/service/wire-builders.ts';

const state = stateFrom(
  Snapshot.parse({
    queue_id: '1:1',
    last_event_id: 0,
    user_id: ben.id,
    realm_users: [realmUser(ada), realmUser(ben, { is_guest: true })],
    subscriptions: [subscription(4, 'Ops', { is_muted: true, invite_only: true })],
    never_subscribed: [subscription(6, 'music')],
    muted_topics: [['music', 'Noise']],
  }),
);
const scope = scopeOf(state);

test('streams are found by id and, in any case and width, by name', () => {
  const ops = {
    streamId: 4,
    isSubscribed: true,
    isPrivate: true,
    isMuted: true,
    hasSharedHistory: true,
  };
  expect(scope.findStream(4)).toEqual(ops);
  expect(scope.findStream(' ＯＰＳ')).toEqual(ops);
  expect(scope.findStream('music')).toMatchObject({ streamId: 6, isSubscribed: false });
  expect(scope.findStream('leads')).toBeUndefined();
  expect(scope.streams.map(({ streamId }) => streamId)).toEqual([4, 6]);
});

test('people are found by id and by address', () => {
  expect(scope.findUserId(ada.id)).toBe(ada.id);
  expect(scope.findUserId('ADA@example.com')).toBe(ada.id);
  expect(scope.findUserId('nobody@example.com')).toBeUndefined();
  expect([scope.ownUserId, scope.actor.role]).toEqual([ben.id, 'guest']);
});

test('topics are muted in any case, in their stream alone', () => {
  expect(scope.isTopicMuted(6, 'noise')).toBe(true);
  expect(scope.isTopicMuted(4, 'noise')).toBe(false);
});
