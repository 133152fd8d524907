/** Topics that accounts have muted; a topic that nobody wrote to has a row of its own for it. */
import { openTopic } from '#service/features/messages/queries/message-places.ts';
import { findOne, list, type Operation, run } from '#service/db/operation.ts';

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

export const mutedTopicReads = {
  /** Without those of archived streams, whose names may belong to others by now. */
  *listMutedTopics(userId: number): Operation<readonly MutedTopicRow[]> {
    return yield* list<MutedTopicRow>(LIST, { userId });
  },
  /** The id of a topic that the account has muted, in a stream that is not archived. */
  *findMutedTopicId(
    userId: number,
    { streamId, topicKey }: TopicReference,
  ): Operation<number | undefined> {
    return (yield* findOne<FoundRow>(FIND, { userId, streamId, topicKey }))?.topic_id;
  },
};

export const mutedTopicWrites = {
  /** @param recipientId  of the topic's stream */
  *muteTopic(
    userId: number,
    recipientId: number,
    { topic, topicKey }: Omit<TopicReference, 'streamId'>,
  ): Operation<void> {
    const { id: topicId } = yield* openTopic(recipientId, topic, topicKey);
    yield* run(INSERT, { userId, topicId });
  },
  *unmuteTopic(userId: number, topicId: number): Operation<void> {
    yield* run(DELETE, { userId, topicId });
  },
};
