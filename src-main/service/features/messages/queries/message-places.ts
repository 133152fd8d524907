/** Where messages stand: a topic of a stream, or a conversation. */
import { streamDoesNotExist } from '#shared/api/errors.ts';
import { findOne, insert, cached, type Operation, run } from '#service/db/operation.ts';

type Flag = 0 | 1;

/** Where a message is to stand. */
export type MessageTarget =
  | {
      readonly kind: 'stream';
      readonly streamId: number;
      readonly topic: string;
      readonly topicKey: string;
    }
  | { readonly kind: 'private'; readonly userIds: readonly number[] };

const FIND_CONVERSATION = 'SELECT recipient_id FROM conversation WHERE participants_key = :key';
const INSERT_RECIPIENT = 'INSERT INTO recipient (kind) VALUES (:kind)';
const INSERT_CONVERSATION =
  'INSERT INTO conversation (recipient_id, participants_key) VALUES (:recipientId, :key)';
const INSERT_PARTICIPANT =
  'INSERT INTO membership (recipient_id, account_id, from_id) VALUES (:recipientId, :userId, 0)';
const FIND_STREAM = `SELECT recipient_id, name, is_archived, is_private, first_message_id FROM stream
  WHERE id = :streamId`;
const FIND_TOPIC =
  'SELECT id, name FROM topic WHERE recipient_id = :recipientId AND name_key = :topicKey';
const INSERT_TOPIC = `INSERT INTO topic (recipient_id, name, name_key)
  VALUES (:recipientId, :topic, :topicKey)`;

export interface MessagePlace {
  readonly recipientId: number;
  readonly topicId: number | null;
  /** Null where the topic's row is spelled the same. */
  readonly topicName: string | null;
  /** The participants of a conversation; null for a stream. */
  readonly userIds: readonly number[] | null;
  readonly publicStreamId: number | null;
  readonly stream: { readonly id: number; readonly name: string; readonly isEmpty: boolean } | null;
}

/** Step: the row of a topic, made when there is none. @param topicKey  its name as the service folds it */
export function* openTopic(
  recipientId: number,
  topic: string,
  topicKey: string,
): Operation<{ id: number; name: string }> {
  const known = yield* cached('names', `topic ${String(recipientId)} ${topicKey}`, () =>
    findOne<{ id: number; name: string }>(FIND_TOPIC, { recipientId, topicKey }),
  );
  if (known !== undefined) return known;
  return { id: yield* insert(INSERT_TOPIC, { recipientId, topic, topicKey }), name: topic };
}

interface StreamOfPlace {
  readonly recipient_id: number;
  readonly name: string;
  readonly is_archived: Flag;
  readonly is_private: Flag;
  readonly first_message_id: number | null;
}

function* openStreamPlace(
  streamId: number,
  topic: string,
  topicKey: string,
): Operation<MessagePlace> {
  const stream = yield* cached('directory', `place ${String(streamId)}`, () =>
    findOne<StreamOfPlace>(FIND_STREAM, { streamId }),
  );
  if (stream === undefined || stream.is_archived === 1) throw streamDoesNotExist(streamId);
  const { id, name } = yield* openTopic(stream.recipient_id, topic, topicKey);
  return {
    recipientId: stream.recipient_id,
    topicId: id,
    topicName: name === topic ? null : topic,
    userIds: null,
    publicStreamId: stream.is_private === 0 ? streamId : null,
    stream: { id: streamId, name: stream.name, isEmpty: stream.first_message_id === null },
  };
}

function* openConversation(userIds: readonly number[]): Operation<MessagePlace> {
  const key = [...userIds].sort((a, b) => a - b).join(',');
  const known = yield* findOne<{ recipient_id: number }>(FIND_CONVERSATION, { key });
  const place = { topicId: null, topicName: null, userIds, publicStreamId: null, stream: null };
  if (known !== undefined) return { ...place, recipientId: known.recipient_id };
  const recipientId = yield* insert(INSERT_RECIPIENT, { kind: 'private' });
  yield* run(INSERT_CONVERSATION, { recipientId, key });
  for (const userId of userIds) yield* run(INSERT_PARTICIPANT, { recipientId, userId });
  return { ...place, recipientId };
}

/** Step: the place of a message, whose topic or conversation is made when there is none. */
export const openPlace = (target: MessageTarget): Operation<MessagePlace> =>
  target.kind === 'stream'
    ? openStreamPlace(target.streamId, target.topic, target.topicKey)
    : openConversation(target.userIds);
