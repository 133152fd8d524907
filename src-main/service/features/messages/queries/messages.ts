import type { MessageMark, MessageMarks } from '#shared/api/models/message-marks.ts';
import type { Audience } from '#service/db/event-log.ts';
import { linkAttachments } from '#service/features/files/queries/attachments.ts';
import {
  type DeliveryPlace,
  insertDelivery,
  type NewDelivery,
} from '#service/features/bots/queries/bots.ts';
import { type LocalId, localIdReads, rememberLocalId } from './local-ids.ts';
import { ANY_REVISION, SEEN_TOPIC_NAME, SEEN_TOPICS } from './personal-rows.ts';
import { type MessageTarget, openPlace, type MessagePlace } from './message-places.ts';
import {
  COLUMNS,
  type FirstValues,
  FROM,
  insertMessage,
  type MessageRow,
  textColumns,
} from './message-rows.ts';
import { noteHour } from '#service/features/reading/queries/message-hours.ts';
import {
  findOne,
  insert,
  cached,
  list,
  type Operation,
  record,
  run,
} from '#service/db/operation.ts';
import { IS_SHOWN } from '#service/features/reading/queries/narrow-sql.ts';
import { countAtTimes } from '#service/features/streams/queries/traffic.ts';

/** A message as it was just stored, with the holders whom it was flagged for. */
export interface AppendedMessage {
  readonly row: MessageRow;
  readonly mentionedUserIds: readonly number[];
  readonly alertedUserIds: readonly number[];
}

export interface PrivateConversationRow {
  readonly participants_key: string;
  readonly max_id: number | null;
}

export interface NewMessage extends MessageMarks {
  readonly senderId: number;
  readonly client: string;
  readonly content: string;
  readonly rendered: string;
  /** Uploaded files that it shows to its readers, as `linkAttachments` takes them. */
  readonly attachmentPaths?: readonly string[];
  /** They get the flag `mentioned` if they hold the message. */
  readonly mentionedUserIds: readonly number[];
  /** They get the flag `has_alert_word` if they hold the message. */
  readonly alertedUserIds?: readonly number[];
  /** UNIX seconds. */
  readonly sentAt: number;
  /** Outgoing webhook bots to tell of it; those in a private stream only if they are in it. */
  readonly deliveries?: readonly NewDelivery[];
  /** Where the sender wants its own local id echoed. */
  readonly echo: { readonly queueId: string; readonly localId: string } | null;
  /** Under which the sender sends this message and never another one. */
  readonly localId?: LocalId | undefined;
  readonly target: MessageTarget;
}

export interface TopicRow {
  /** As its newest message spells it. */
  readonly name: string;
  readonly max_id: number;
}

const FIND = `SELECT ${COLUMNS}, (EXISTS (SELECT 1 FROM kept_version v WHERE v.message_id = m.id)
    OR EXISTS (SELECT 1 FROM lost_access la WHERE la.recipient_id = m.recipient_id)) AS has_versions
  ${FROM} WHERE m.id = :id`;
const LIST = `SELECT ${COLUMNS} ${FROM} WHERE m.id IN (SELECT value FROM json_each(:ids))`;
const LIST_MOVING = `SELECT ${COLUMNS} ${FROM}
  WHERE m.topic_id = (SELECT topic_id FROM message WHERE id = :id) AND m.id > :afterId
  ORDER BY m.id LIMIT :limit`;
const FLAGGED = 'SELECT account_id, flag FROM message_flag WHERE message_id = :id AND flag = :flag';
const FIND_CONVERSATION = 'SELECT recipient_id FROM conversation WHERE participants_key = :key';
const PARTICIPANTS = 'SELECT participants_key FROM conversation WHERE recipient_id = :recipientId';
const SET_FIRST = `UPDATE stream SET first_message_id = :id
  WHERE id = :streamId AND first_message_id IS NULL`;
const FIND_CLIENT = 'SELECT id FROM client WHERE name = :name';
const INSERT_CLIENT = 'INSERT INTO client (name) VALUES (:name)';
const INSERT = insertMessage();
const INSERT_FLAG = `INSERT INTO message_flag (account_id, message_id, flag)
  SELECT account_id, :messageId, :flag FROM membership
  WHERE recipient_id = :recipientId AND account_id = :userId AND until_id IS NULL`;
/** Each topic by its newest message, `newest`. */
const topicsBy = (
  newest: string,
): string => `SELECT COALESCE(m.topic_name, t.name) AS name, m.id AS max_id
  FROM (${newest}) n JOIN message m ON m.id = n.id JOIN topic t ON t.id = m.topic_id ORDER BY m.id DESC`;
const TOPICS = topicsBy(`SELECT (SELECT MAX(x.id) FROM message x WHERE x.topic_id = o.id) AS id
  FROM topic o WHERE o.recipient_id = :recipientId`);
/** Of what an account holds of a topic, the newest message is looked for in each time of its membership. */
const HELD_TOPICS = topicsBy(`SELECT MAX(e.id) AS id FROM (
    SELECT o.id AS topic_id, (SELECT m.id FROM message m WHERE m.topic_id = o.id AND m.id > h.from_id
        AND m.id <= COALESCE(h.until_id, ${String(Number.MAX_SAFE_INTEGER)}) AND (h.until_id IS NULL OR ${IS_SHOWN})
        ORDER BY m.id DESC LIMIT 1) AS id
      FROM membership h JOIN topic o ON o.recipient_id = h.recipient_id
      WHERE h.account_id = :userId AND h.recipient_id = :recipientId
    UNION ALL SELECT m.topic_id, m.id FROM message_flag f JOIN message m ON m.id = f.message_id
      WHERE f.account_id = :userId AND f.flag = 'historical' AND m.recipient_id = :recipientId) e
  GROUP BY e.topic_id`);

const LIST_PRIVATE = `SELECT d.participants_key,
    (SELECT MAX(m.id) FROM message m WHERE m.recipient_id = d.recipient_id) AS max_id
  FROM membership h JOIN conversation d ON d.recipient_id = h.recipient_id
  WHERE h.account_id = :userId ORDER BY max_id DESC LIMIT 1000`;

const participantsOf = (key: string): readonly number[] => key.split(',').map(Number);

export const messageReads = {
  *findMessage(id: number): Operation<MessageRow | undefined> {
    return yield* findOne<MessageRow>(FIND, { id });
  },
  /** Those of the messages that are there. */
  *listMessages(ids: readonly number[]): Operation<readonly MessageRow[]> {
    return yield* list<MessageRow>(LIST, { ids: JSON.stringify(ids) });
  },
  /** Messages of the topic in which the given one is, ascending. */
  *listMoving(
    id: number,
    { afterId, limit }: { readonly afterId: number; readonly limit: number },
  ): Operation<readonly MessageRow[]> {
    return yield* list<MessageRow>(LIST_MOVING, { id, afterId, limit });
  },
  /** Accounts for which the message carries a flag; for `read` see `pageMessages`. */
  *listFlaggedUserIds(id: number, flag: string): Operation<readonly number[]> {
    return (yield* list<{ account_id: number }>(FLAGGED, { id, flag })).map(
      (row) => row.account_id,
    );
  },
  /** The account's private conversations, the one with the newest message first. */
  *listPrivateConversations(userId: number): Operation<readonly PrivateConversationRow[]> {
    return yield* list<PrivateConversationRow>(LIST_PRIVATE, { userId });
  },
  /** @param key  participants' ids, ascending, joined by commas */
  *findConversation(key: string): Operation<number | undefined> {
    return (yield* findOne<{ recipient_id: number }>(FIND_CONVERSATION, { key }))?.recipient_id;
  },
  /** Participants of a private conversation, ascending; none for a stream. */
  *listParticipantIds(recipientId: number): Operation<readonly number[]> {
    const row = yield* findOne<{ participants_key: string }>(PARTICIPANTS, { recipientId });
    return row === undefined ? [] : participantsOf(row.participants_key);
  },
  /**
   * Topics of a stream, newest first, each spelled as in its newest message.
   * @param isOpen  true when the account may read messages that it does not hold
   */
  *listTopics(
    recipientId: number,
    userId: number,
    isOpen: boolean,
  ): Operation<readonly TopicRow[]> {
    if (isOpen) return yield* list<TopicRow>(TOPICS, { recipientId });
    if ((yield* findOne(ANY_REVISION, { userId })) === undefined) {
      return yield* list<TopicRow>(HELD_TOPICS, { recipientId, userId });
    }
    const topics: TopicRow[] = [];
    for (const { max_id } of yield* list<TopicRow>(SEEN_TOPICS, { recipientId, userId })) {
      const row = yield* findOne<TopicRow>(SEEN_TOPIC_NAME, { id: max_id, userId });
      topics.push({ name: row?.name ?? '', max_id });
    }
    return topics;
  },
};

function* clientId(name: string): Operation<number> {
  const known = yield* cached('names', `client ${name}`, () =>
    findOne<{ id: number }>(FIND_CLIENT, { name }),
  );
  return known?.id ?? (yield* insert(INSERT_CLIENT, { name }));
}

type Insertable = Pick<
  NewMessage,
  'senderId' | 'client' | 'content' | 'rendered' | 'sentAt' | MessageMark
>;

/** Step: the columns of a message in its place. */
export function* placedMessage(message: Insertable, place: MessagePlace): Operation<FirstValues> {
  return {
    ...textColumns(message),
    recipient_id: place.recipientId,
    topic_id: place.topicId,
    topic_name: place.topicName,
    sender_id: message.senderId,
    client_id: yield* clientId(message.client),
    sent_at: message.sentAt,
  };
}

/** Answers those of the accounts who hold the message: nobody else is flagged. */
export function* flagFor(
  userIds: readonly number[],
  flag: string,
  message: { readonly messageId: number; readonly recipientId: number },
): Operation<readonly number[]> {
  const flagged: number[] = [];
  for (const userId of userIds) {
    if ((yield* run(INSERT_FLAG, { ...message, flag, userId })) > 0) flagged.push(userId);
  }
  return flagged;
}

const rowOf = (id: number, message: NewMessage, place: MessagePlace): MessageRow => ({
  ...textColumns(message),
  id,
  recipient_id: place.recipientId,
  stream_id: place.stream?.id ?? null,
  stream_name: place.stream?.name ?? null,
  topic: message.target.kind === 'stream' ? message.target.topic : null,
  sender_id: message.senderId,
  client: message.client,
  sent_at: message.sentAt,
  edited_at: null,
  edit_number: 0,
  recovered_at: null,
});

function* noteDeliveries(message: NewMessage, place: DeliveryPlace): Operation<number> {
  let count = 0;
  for (const delivery of message.deliveries ?? []) count += yield* insertDelivery(delivery, place);
  return count;
}

/** Step: a message with its flags and its event. */
function* storeMessage(message: NewMessage): Operation<number> {
  const { target } = message;
  const place = yield* openPlace(target);
  const id = yield* insert(INSERT, yield* placedMessage(message, place));
  yield* noteHour(id, message.sentAt);
  const { recipientId } = place;
  if (place.stream?.isEmpty === true) yield* run(SET_FIRST, { id, streamId: place.stream.id });
  yield* countAtTimes(id);
  const holder = { messageId: id, recipientId };
  const mentionedUserIds = yield* flagFor(message.mentionedUserIds, 'mentioned', holder);
  const alerted = message.alertedUserIds ?? [];
  const alertedUserIds = yield* flagFor(alerted, 'has_alert_word', holder);
  const { attachmentPaths = [] } = message;
  if (attachmentPaths.length > 0) yield* linkAttachments(id, attachmentPaths);
  const { userIds, publicStreamId } = place;
  const isOpen = userIds !== null || publicStreamId !== null;
  const deliveries = yield* noteDeliveries(message, { messageId: id, recipientId, isOpen });
  const audience: Audience =
    userIds === null
      ? { kind: 'holders', recipientId, messageId: id, publicStreamId }
      : { kind: 'users', userIds };
  const told = deliveries > 0 ? { has_deliveries: true } : {};
  yield* record({
    type: 'message',
    audience,
    payload: { message_id: id, echo: message.echo, ...told },
    attached: { row: rowOf(id, message, place), mentionedUserIds, alertedUserIds },
  });
  return id;
}

export const messageWrites = {
  /**
   * Stores a message, its flags and its event; answers its id. Where the local id was used before it stores nothing,
   * and answers the first message's id.
   * @throws STREAM_DOES_NOT_EXIST when the stream was archived since the caller looked
   * @throws BAD_REQUEST when the local id was used for another message
   */
  *appendMessage(message: NewMessage): Operation<number> {
    const { localId, senderId, sentAt } = message;
    if (localId === undefined) return yield* storeMessage(message);
    const sentId = yield* localIdReads.findSentMessage(senderId, localId);
    if (sentId !== undefined) return sentId;
    const messageId = yield* storeMessage(message);
    yield* rememberLocalId(localId, { messageId, senderId, sentAt });
    return messageId;
  },
};
