/** What narrows that are answered here resolve names by. */
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import { fold } from '#shared/text/fold.ts';
import type { NarrowScope, ScopeStream } from '#client/cache/narrow-scope.ts';
import { ownActor } from './permissions.ts';
import type { SessionState } from './session-state.ts';
import { oldestUnreadId } from './unread.ts';

/** An index that is built when it is first asked, and for one list once. */
function indexed<T extends object, V>(
  build: (list: T) => ReadonlyMap<string | number, V>,
): (list: T) => (operand: string | number) => V | undefined {
  const known = new WeakMap<T, ReadonlyMap<string | number, V>>();
  return (list) => (operand) => {
    const index = known.get(list) ?? build(list);
    known.set(list, index);
    return index.get(typeof operand === 'string' ? fold(operand) : operand);
  };
}

const userIn = indexed(
  (people: SessionState['people']) =>
    new Map<string | number, number>(
      people.flatMap(({ userId, email }) => [
        [userId, userId] as const,
        [fold(email), userId] as const,
      ]),
    ),
);

const subscribedIn = indexed(
  (streams: SessionState['streams']) =>
    new Map<string | number, ScopeStream>(
      streams.flatMap((stream) => {
        const { streamId, isPrivate, isMuted, hasSharedHistory } = stream;
        const scoped = { streamId, isPrivate, isMuted, hasSharedHistory, isSubscribed: true };
        return [[streamId, scoped] as const, [fold(stream.name), scoped] as const];
      }),
    ),
);

const otherIn = indexed(
  (streams: SessionState['otherStreams']) =>
    new Map<string | number, ScopeStream>(
      streams.flatMap(({ streamId, name, isPrivate, hasSharedHistory }) => {
        const scoped = {
          streamId,
          isPrivate,
          hasSharedHistory,
          isMuted: false,
          isSubscribed: false,
        };
        return [[streamId, scoped] as const, [fold(name), scoped] as const];
      }),
    ),
);

const mutedIn = indexed(
  (topics: SessionState['mutedTopics']) =>
    new Map<string | number, true>(
      topics.map((topic) => [fold(conversationKey({ kind: 'stream', ...topic })), true] as const),
    ),
);

export function scopeOf(state: SessionState): NarrowScope {
  const { streams, otherStreams, people, mutedTopics } = state;
  const findStream = (operand: string | number): ScopeStream | undefined =>
    subscribedIn(streams)(operand) ?? otherIn(otherStreams)(operand);
  return {
    ownUserId: state.ownUserId,
    actor: ownActor(state),
    findStream,
    findUserId: userIn(people),
    isTopicMuted: (streamId, topic) =>
      mutedIn(mutedTopics)(conversationKey({ kind: 'stream', streamId, topic })) === true,
    get oldestUnreadId() {
      return oldestUnreadId(state.unreadStore);
    },
    get streams() {
      return [...streams, ...otherStreams].flatMap(({ streamId }) => findStream(streamId) ?? []);
    },
  };
}
