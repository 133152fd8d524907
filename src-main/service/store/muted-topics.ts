/** Topics that accounts have muted; a topic that nobody wrote to has a row of its own for it. */
import { badRequest, ServiceError } from '../../contract/errors.ts';
import { openTopic } from './messages.ts';
import { findOne, list, type Operation, record, run } from './operation.ts';
import { findSubscription } from './streams.ts';

export interface MutedTopicRow {
  readonly stream_id: number;
  readonly stream_name: string;
  /** As it was first spelled. */
  readonly topic: string;
}

export interface TopicReference {
  readonly streamId: number;
  readonly topic: string;
  readonly topicKey: string;
}

const LIST = `SELECT s.id AS stream_id, s.name AS stream_name, t.name AS topic
  FROM muted_topic u JOIN topic t ON t.id = u.topic_id JOIN stream s ON s.recipient_id = t.recipient_id
  WHERE u.account_id = :userId AND s.is_archived = 0 ORDER BY s.id, t.id`;
const FIND = `SELECT u.topic_id FROM muted_topic u
  JOIN topic t ON t.id = u.topic_id JOIN stream s ON s.recipient_id = t.recipient_id
  WHERE u.account_id = :userId AND s.id = :streamId AND s.is_archived = 0 AND t.name_key = :topicKey`;
const INSERT = 'INSERT INTO muted_topic (account_id, topic_id) VALUES (:userId, :topicId)';
const DELETE = 'DELETE FROM muted_topic WHERE account_id = :userId AND topic_id = :topicId';

interface FoundRow {
  readonly topic_id: number;
}

function* findMuted(
  userId: number,
  { streamId, topicKey }: TopicReference,
): Operation<number | undefined> {
  return (yield* findOne<FoundRow>(FIND, { userId, streamId, topicKey }))?.topic_id;
}

function* announce(userId: number): Operation<void> {
  const rows = yield* list<MutedTopicRow>(LIST, { userId });
  yield* record({
    type: 'muted_topics',
    audience: { kind: 'users', userIds: [userId] },
    payload: { muted_topics: rows.map((row) => [row.stream_name, row.topic]) },
  });
}

export const mutedTopicReads = {
  /** Without those of archived streams, whose names may belong to others by now. */
  *listMutedTopics(userId: number): Operation<readonly MutedTopicRow[]> {
    return yield* list<MutedTopicRow>(LIST, { userId });
  },
  /** Whether the account has muted the topic, in a stream that is not archived. */
  *isTopicMuted(userId: number, reference: TopicReference): Operation<boolean> {
    return (yield* findMuted(userId, reference)) !== undefined;
  },
};

export const mutedTopicWrites = {
  /**
   * @throws NONE when the topic is muted already (specification, section 3)
   * @throws BAD_REQUEST when the account is not subscribed to the stream
   */
  *muteTopic(userId: number, reference: TopicReference): Operation<void> {
    const stream = yield* findSubscription(reference.streamId, userId);
    if (stream === undefined) throw badRequest('Not subscribed to the stream of this topic');
    if ((yield* findMuted(userId, reference)) !== undefined) {
      throw new ServiceError('NONE', 'Topic already muted');
    }
    const topic = yield* openTopic(stream.recipient_id, reference.topic, reference.topicKey);
    yield* run(INSERT, { userId, topicId: topic.id });
    yield* announce(userId);
  },
  /** @throws NONE when the topic is not muted (specification, section 3) */
  *unmuteTopic(userId: number, reference: TopicReference): Operation<void> {
    const topicId = yield* findMuted(userId, reference);
    if (topicId === undefined) throw new ServiceError('NONE', 'Topic is not muted');
    yield* run(DELETE, { userId, topicId });
    yield* announce(userId);
  },
};
