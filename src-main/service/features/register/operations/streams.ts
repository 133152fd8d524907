/** Streams and subscriptions in the initial state. */
import { DESCRIPTION_CHARACTERS, STREAM_NAME_CHARACTERS } from '#shared/api/bounds.ts';
import type { Facts, StreamRow } from '#service/db/port.ts';
import { canSeeStream } from '#shared/policies/streams.ts';
import { factsOf } from '#service/core/rules/permissions.ts';
import {
  streamShape,
  streamWithTrafficShape,
  subscriptionShape,
} from '#service/core/rules/shapes.ts';
import { part, type StateRequest, trafficOf } from './section.ts';

const isVisible = (
  request: StateRequest,
  { subscriptions }: Pick<Facts, 'subscriptions'>,
  stream: StreamRow,
): boolean =>
  canSeeStream(
    request.caller,
    factsOf(stream),
    subscriptions.some((row) => row.id === stream.id),
  );

const subscriptionPart = part(
  ['streams', 'subscriptions', 'formerStreamIds', 'members', 'weeklyMessages'],
  (request, facts) => {
    const traffic = trafficOf(request, facts);
    const current = new Set(facts.subscriptions.map((row) => row.id));
    const former = new Set(facts.formerStreamIds);
    const others = facts.streams.filter(
      (row) => !current.has(row.id) && isVisible(request, facts, row),
    );
    const subscribersOf = (row: StreamRow): object =>
      request.includeSubscribers ? { subscribers: facts.members.get(row.recipient_id) ?? [] } : {};
    const shape = (row: StreamRow): object => ({
      ...streamWithTrafficShape(row, traffic),
      ...subscribersOf(row),
    });
    return {
      subscriptions: facts.subscriptions.map((row) => ({
        ...subscriptionShape(row, traffic),
        ...subscribersOf(row),
      })),
      unsubscribed: others.filter((row) => former.has(row.id)).map(shape),
      never_subscribed: others.filter((row) => !former.has(row.id)).map(shape),
    };
  },
);

const streamPart = part(['streams', 'subscriptions'], (request, facts) => ({
  streams: facts.streams.filter((row) => isVisible(request, facts, row)).map(streamShape),
  stream_name_max_length: STREAM_NAME_CHARACTERS,
  stream_description_max_length: DESCRIPTION_CHARACTERS,
}));

const defaultStreamPart = part(['streams'], ({ caller }, { streams }) => ({
  realm_default_streams:
    caller.role === 'guest' ? [] : streams.filter((row) => row.is_default === 1).map(streamShape),
}));

const mutedTopicPart = part(['mutedTopics'], (_request, { mutedTopics }) => ({
  muted_topics: mutedTopics.map((row) => [row.stream_name, row.topic]),
}));

/** By the type of the events that go on from it. */
export const streamParts = {
  subscription: subscriptionPart,
  stream: streamPart,
  default_streams: defaultStreamPart,
  muted_topics: mutedTopicPart,
};
