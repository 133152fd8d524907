/** Muted topics: the service names their streams, here they have ids, so that nothing has to follow a renaming. */
import type { MutedTopic } from '#shared/bridge/models/client-state.ts';
import type { MutedPlace } from './session-state.ts';

interface NamedStream {
  readonly streamId: number;
  readonly name: string;
}

export function mutedPlacesFrom(
  topics: readonly (readonly [streamName: string, topic: string, ...unknown[]])[],
  streams: readonly NamedStream[],
): readonly MutedPlace[] {
  const idOf = new Map(streams.map(({ name, streamId }) => [name, streamId]));
  return topics.map(([streamName, topic]) => {
    const streamId = idOf.get(streamName);
    return streamId === undefined ? { streamName, topic } : { streamId, topic };
  });
}

/** Places in streams that became known by now. */
export function knownPlaces(
  places: readonly MutedPlace[],
  streams: readonly NamedStream[],
): readonly MutedPlace[] {
  if (places.every((place) => 'streamId' in place)) return places;
  const idOf = new Map(streams.map(({ name, streamId }) => [name, streamId]));
  return places.map((place) => {
    const streamId = 'streamId' in place ? place.streamId : idOf.get(place.streamName);
    return streamId === undefined ? place : { streamId, topic: place.topic };
  });
}

/** Those in streams that the account sees. */
export function resolvedTopics(
  places: readonly MutedPlace[],
  streams: readonly NamedStream[],
): readonly MutedTopic[] {
  const known = new Set(streams.map(({ streamId }) => streamId));
  return places
    .flatMap((place) => ('streamId' in place && known.has(place.streamId) ? [place] : []))
    .sort((a, b) => a.streamId - b.streamId || (a.topic < b.topic ? -1 : 1));
}
