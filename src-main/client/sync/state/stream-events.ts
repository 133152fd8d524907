/** Streams and the account's subscriptions. */
import { z } from 'zod';
import type {
  GoneStream,
  ListedStream,
  SubscribedStream,
} from '#shared/bridge/models/client-state.ts';
import { byOp, type Changes, onEvent } from './event.ts';
import { knownPlaces, mutedPlacesFrom, resolvedTopics } from './muted-topics.ts';
import { membersChanged } from './member-changes.ts';
import { canSeeStream } from '#shared/policies/streams.ts';
import { ownActor } from './permissions.ts';
import type { SessionState } from './session-state.ts';
import { goneStream, listed, withGone } from './gone-streams.ts';
import { isEqual, withChanged, withItems, withoutItems } from './collections/sorted.ts';
import { listOf, WireMutedTopics, WireStream, WireSubscription } from './wire.ts';

type StreamLists = Pick<SessionState, 'streams' | 'otherStreams'>;

/** With other lists; muted topics follow what is seen of them. */
function withStreams(state: SessionState, lists: Partial<StreamLists>): SessionState {
  const changed = { ...state, ...lists };
  const isSame = changed.streams === state.streams && changed.otherStreams === state.otherStreams;
  return isSame ? state : withMutedPlaces(changed, state.mutedPlaces);
}

function withMutedPlaces(state: SessionState, told: SessionState['mutedPlaces']): SessionState {
  const seen = [...state.streams, ...state.otherStreams];
  const places = knownPlaces(told, seen);
  const topics = resolvedTopics(places, seen);
  return {
    ...state,
    mutedPlaces: isEqual(places, state.mutedPlaces) ? state.mutedPlaces : places,
    mutedTopics: isEqual(topics, state.mutedTopics) ? state.mutedTopics : topics,
  };
}

const Added = z.object({ subscriptions: listOf(WireSubscription) });

function subscribed(state: SessionState, added: readonly SubscribedStream[]): SessionState {
  const known = new Map(
    [...state.streams, ...state.otherStreams].map((each) => [each.streamId, each]),
  );
  // The event says nothing of the traffic.
  const streams = added.map((stream) => ({
    ...stream,
    weeklyTraffic: stream.weeklyTraffic ?? known.get(stream.streamId)?.weeklyTraffic ?? null,
  }));
  const ids = added.map(({ streamId }) => streamId);
  const former = state.formerStreamIds.filter((id) => !ids.includes(id));
  return withStreams(
    former.length === state.formerStreamIds.length ? state : { ...state, formerStreamIds: former },
    {
      streams: withItems(state.streams, streams, 'streamId'),
      otherStreams: withoutItems(state.otherStreams, ids, 'streamId'),
    },
  );
}

/** Says only which stream it is. */
const NamedStream = z.object({ stream_id: z.int() });

const Removed = z.object({ subscriptions: listOf(NamedStream) });

function unsubscribed(
  state: SessionState,
  ids: readonly number[],
  nowSeconds: number,
): SessionState {
  const left = state.streams.filter(({ streamId }) => ids.includes(streamId));
  if (left.length === 0) return state;
  const actor = ownActor(state);
  const seen = left.filter((stream) => canSeeStream(actor, stream, false)).map(listed);
  const former = [...new Set([...state.formerStreamIds, ...left.map(({ streamId }) => streamId)])];
  const gone = left.map((stream) => goneStream(stream, 'left', nowSeconds));
  return withStreams(
    { ...withGone(state, gone), formerStreamIds: former.sort((a, b) => a - b) },
    {
      streams: withoutItems(state.streams, ids, 'streamId'),
      otherStreams: withItems(state.otherStreams, seen, 'streamId'),
    },
  );
}

const update = { stream_id: z.int(), property: z.string(), value: z.unknown() };

type Fields = Readonly<Record<string, (value: unknown) => Partial<SubscribedStream> | undefined>>;

function changeOf<T>(
  codec: z.ZodType<T>,
  change: (value: T) => Partial<SubscribedStream>,
): Fields[string] {
  return (value) => {
    const read = codec.safeParse(value);
    return read.success ? change(read.data) : undefined;
  };
}

const personalFields: Fields = {
  in_home_view: changeOf(z.boolean(), (isShown) => ({ isMuted: !isShown })),
  is_muted: changeOf(z.boolean(), (isMuted) => ({ isMuted })),
  pin_to_top: changeOf(z.boolean(), (isPinned) => ({ isPinned })),
  color: changeOf(z.string().regex(/^#[0-9a-f]{6}$/i), (color) => ({ color })),
  desktop_notifications: changeOf(z.boolean(), (isOn) => ({ desktopNotifications: isOn })),
  audible_notifications: changeOf(z.boolean(), (isOn) => ({ audibleNotifications: isOn })),
  push_notifications: changeOf(z.boolean(), (isOn) => ({ pushNotifications: isOn })),
  email_notifications: changeOf(z.boolean(), (isOn) => ({ emailNotifications: isOn })),
};

const SubscriptionUpdate = z.object(update);

function subscriptionChanged(
  state: SessionState,
  { stream_id: id, property, value }: z.output<typeof SubscriptionUpdate>,
): SessionState {
  const change = Object.hasOwn(personalFields, property)
    ? personalFields[property]?.(value)
    : undefined;
  if (change === undefined) return state;
  return withStreams(state, { streams: withChanged(state.streams, 'streamId', id, change) });
}

const streamFields: Fields = {
  name: changeOf(z.string(), (name) => ({ name })),
  description: changeOf(z.string(), (description) => ({ description })),
  invite_only: changeOf(z.boolean(), (isPrivate) => ({ isPrivate })),
  is_announcement_only: changeOf(z.boolean(), (isOnly) => ({ isAnnouncementOnly: isOnly })),
  history_public_to_subscribers: changeOf(z.boolean(), (isShared) => ({
    hasSharedHistory: isShared,
  })),
};

const StreamUpdate = z.object({
  ...update,
  /** Beside `invite_only`. */
  history_public_to_subscribers: z.boolean().optional(),
});

function streamChanged(state: SessionState, event: z.output<typeof StreamUpdate>): SessionState {
  const { stream_id: id, property, value, history_public_to_subscribers: isShared } = event;
  const change = Object.hasOwn(streamFields, property)
    ? streamFields[property]?.(value)
    : undefined;
  if (change === undefined) return state;
  const all = isShared === undefined ? change : { ...change, hasSharedHistory: isShared };
  return withStreams(state, {
    streams: withChanged(state.streams, 'streamId', id, all),
    otherStreams: withChanged<'streamId', ListedStream>(state.otherStreams, 'streamId', id, all),
  });
}

const Streams = z.object({ streams: listOf(WireStream) });

function streamsCreated(state: SessionState, created: readonly ListedStream[]): SessionState {
  const own = new Set(state.streams.map(({ streamId }) => streamId));
  const others = created.filter(({ streamId }) => !own.has(streamId));
  return withStreams(state, { otherStreams: withItems(state.otherStreams, others, 'streamId') });
}

function streamsDeleted(
  state: SessionState,
  ids: readonly number[],
  nowSeconds: number,
): SessionState {
  return withStreams(withGone(state, deletedFrom(state, ids, nowSeconds)), {
    streams: withoutItems(state.streams, ids, 'streamId'),
    otherStreams: withoutItems(state.otherStreams, ids, 'streamId'),
  });
}

/** Who was in a stream that is archived is taken out in the same moment; nothing else tells that from a stream that is closed. */
const TOGETHER_SECONDS = 1;

function deletedFrom(
  state: SessionState,
  ids: readonly number[],
  nowSeconds: number,
): readonly GoneStream[] {
  const seen: readonly ListedStream[] = [...state.otherStreams, ...state.streams];
  return ids.flatMap((id) => {
    const before = state.goneStreams.find(({ streamId }) => streamId === id);
    // What was told before is not told anew.
    const stream =
      seen.find(({ streamId }) => streamId === id) ?? (before?.how === 'left' ? before : undefined);
    if (stream === undefined) return [];
    const isTakenOut = nowSeconds - (before?.sinceSeconds ?? 0) <= TOGETHER_SECONDS;
    return [goneStream(stream, stream.isPrivate || isTakenOut ? 'archived' : 'hidden', nowSeconds)];
  });
}

const DefaultStreams = z.object({ default_streams: listOf(NamedStream) });
const MutedTopics = z.object({ muted_topics: WireMutedTopics });

const subscriptionEvent = byOp<'subscription'>({
  add: onEvent(Added, (state, { subscriptions }) => subscribed(state, subscriptions)),
  remove: onEvent(Removed, (state, { subscriptions }, { nowSeconds }) =>
    unsubscribed(
      state,
      subscriptions.map((each) => each.stream_id),
      nowSeconds,
    ),
  ),
  update: onEvent(SubscriptionUpdate, subscriptionChanged),
});

export const streamChanges: Changes = {
  subscription: (state, event, context) =>
    membersChanged(subscriptionEvent(state, event, context), event),
  stream: byOp<'stream'>({
    create: onEvent(Streams, (state, { streams }) => streamsCreated(state, streams)),
    delete: onEvent(Streams, (state, { streams }, { nowSeconds }) =>
      streamsDeleted(
        state,
        streams.map(({ streamId }) => streamId),
        nowSeconds,
      ),
    ),
    update: onEvent(StreamUpdate, streamChanged),
  }),
  default_streams: onEvent(DefaultStreams, (state, { default_streams: streams }) => {
    const defaultStreamIds = streams.map((each) => each.stream_id);
    const isSame = isEqual(defaultStreamIds, state.defaultStreamIds);
    return isSame ? state : { ...state, defaultStreamIds };
  }),
  muted_topics: onEvent(MutedTopics, (state, { muted_topics: topics }) => {
    const places = mutedPlacesFrom(topics, [...state.streams, ...state.otherStreams]);
    return isEqual(places, state.mutedPlaces) ? state : withMutedPlaces(state, places);
  }),
};
