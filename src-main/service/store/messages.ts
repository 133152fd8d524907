import { streamDoesNotExist } from '../../contract/errors.ts';
import type { Audience } from '../../contract/log.ts';
import { findOne, insert, list, type Operation, record, run } from './operation.ts';
import { HELD, HISTORICAL, type PageSelection, READ, whereOf } from './selection.ts';

type Flag = 0 | 1;

/** A message with its topic and the requesting account's flags. */
export interface MessageRow {
  readonly id: number;
  readonly recipient_id: number;
  readonly stream_id: number | null;
  readonly stream_name: string | null;
  /** Null for a private message. */
  readonly topic: string | null;
  readonly sender_id: number;
  readonly client: string;
  readonly content: string;
  readonly rendered: string;
  readonly is_me_message: Flag;
  readonly has_wildcard_mention: Flag;
  /** UNIX seconds. */
  readonly sent_at: number;
  readonly edited_at: number | null;
}

export interface PersonalMessageRow extends MessageRow {
  readonly is_held: Flag;
  readonly is_read: Flag;
  /** Flags beside `read`, joined by blanks; null where none is set. */
  readonly flags: string | null;
}

/** An unread message as the unread summary needs it. */
export interface UnreadRow {
  readonly id: number;
  readonly sender_id: number;
  readonly stream_id: number | null;
  readonly topic: string | null;
  /** Ids of a private conversation's participants, ascending, joined by commas; null for a stream. */
  readonly participants_key: string | null;
  readonly is_mention: Flag;
  readonly is_topic_muted: Flag;
}

export interface PrivateConversationRow {
  readonly participants_key: string;
  readonly max_id: number | null;
}

export interface NewMessage {
  readonly senderId: number;
  readonly client: string;
  readonly content: string;
  readonly rendered: string;
  readonly isMeMessage: boolean;
  readonly hasWildcardMention: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  /** They get the flag `mentioned` if they hold the message. */
  readonly mentionedUserIds: readonly number[];
  /** UNIX seconds. */
  readonly sentAt: number;
  /** Where the sender wants its own local id echoed. */
  readonly echo: { readonly queueId: string; readonly localId: string } | null;
  readonly target:
    | {
        readonly kind: 'stream';
        readonly streamId: number;
        readonly topic: string;
        readonly topicKey: string;
      }
    | { readonly kind: 'private'; readonly userIds: readonly number[] };
}

export interface Page {
  readonly rows: readonly PersonalMessageRow[];
  readonly hasAnchor: boolean;
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

const COLUMNS = `m.id, m.recipient_id, s.id AS stream_id, s.name AS stream_name,
  COALESCE(m.topic_name, t.name) AS topic, m.sender_id, c.name AS client, m.content, m.rendered,
  m.is_me_message, m.has_wildcard_mention, m.sent_at, m.edited_at`;
const FROM = `FROM message m
  JOIN client c ON c.id = m.client_id
  LEFT JOIN stream s ON s.recipient_id = m.recipient_id
  LEFT JOIN topic t ON t.id = m.topic_id`;
const PERSONAL = `SELECT ${COLUMNS}, (${HELD} OR ${HISTORICAL}) AS is_held, ${READ} AS is_read,
  (SELECT group_concat(f.flag, ' ') FROM message_flag f
    WHERE f.account_id = :userId AND f.message_id = m.id) AS flags ${FROM}`;

const FIND = `SELECT ${COLUMNS} ${FROM} WHERE m.id = :id`;
const MAX_HELD = `SELECT m.id FROM message m WHERE (${HELD} OR ${HISTORICAL}) ORDER BY m.id DESC LIMIT 1`;
const FLAGGED = 'SELECT account_id, flag FROM message_flag WHERE message_id = :id AND flag = :flag';
const FIND_CONVERSATION = 'SELECT recipient_id FROM conversation WHERE participants_key = :key';
const INSERT_RECIPIENT = 'INSERT INTO recipient (kind) VALUES (:kind)';
const INSERT_CONVERSATION =
  'INSERT INTO conversation (recipient_id, participants_key) VALUES (:recipientId, :key)';
const INSERT_PARTICIPANT =
  'INSERT INTO membership (recipient_id, account_id, from_id) VALUES (:recipientId, :userId, 0)';
const PARTICIPANTS = 'SELECT participants_key FROM conversation WHERE recipient_id = :recipientId';
const FIND_STREAM = `SELECT recipient_id, is_archived, is_private, first_message_id FROM stream
  WHERE id = :streamId`;
const SET_FIRST = `UPDATE stream SET first_message_id = :id
  WHERE id = :streamId AND first_message_id IS NULL`;
const FIND_TOPIC =
  'SELECT id, name FROM topic WHERE recipient_id = :recipientId AND name_key = :topicKey';
const INSERT_TOPIC = `INSERT INTO topic (recipient_id, name, name_key)
  VALUES (:recipientId, :topic, :topicKey)`;
const FIND_CLIENT = 'SELECT id FROM client WHERE name = :name';
const INSERT_CLIENT = 'INSERT INTO client (name) VALUES (:name)';
const INSERT = `INSERT INTO message (recipient_id, topic_id, topic_name, sender_id, client_id, content, rendered,
    is_me_message, has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
  VALUES (:recipientId, :topicId, :topicName, :senderId, :clientId, :content, :rendered,
    :isMeMessage, :hasWildcardMention, :hasLink, :hasImage, :hasAttachment, :sentAt)`;
const INSERT_FLAG = `INSERT INTO message_flag (account_id, message_id, flag)
  SELECT account_id, :messageId, :flag FROM membership
  WHERE recipient_id = :recipientId AND account_id = :userId AND until_id IS NULL`;
const TOPICS = `SELECT t.id, MAX(m.id) AS max_id FROM message m JOIN topic t ON t.id = m.topic_id
  WHERE m.recipient_id = :recipientId AND (:isOpen = 1 OR ${HELD} OR ${HISTORICAL})
  GROUP BY t.id ORDER BY max_id DESC`;
const TOPIC_NAME = `SELECT COALESCE(m.topic_name, t.name) AS name FROM message m
  JOIN topic t ON t.id = m.topic_id WHERE m.id = :id`;

const UNREAD_LIMIT = 50_000;
const LIST_UNREAD = `SELECT m.id, m.sender_id, m.recipient_id, s.id AS stream_id,
    COALESCE(m.topic_name, t.name) AS topic, d.participants_key,
    (m.has_wildcard_mention = 1 OR EXISTS (SELECT 1 FROM message_flag f WHERE f.account_id = :userId
      AND f.message_id = m.id AND f.flag IN ('mentioned', 'wildcard_mentioned'))) AS is_mention,
    EXISTS (SELECT 1 FROM muted_topic u WHERE u.account_id = :userId AND u.topic_id = m.topic_id)
      AS is_topic_muted
  FROM message m
  LEFT JOIN stream s ON s.recipient_id = m.recipient_id
  LEFT JOIN topic t ON t.id = m.topic_id
  LEFT JOIN conversation d ON d.recipient_id = m.recipient_id
  WHERE ${HELD} AND ${READ} = 0 ORDER BY m.id DESC LIMIT ${String(UNREAD_LIMIT)}`;
const LIST_PRIVATE = `SELECT d.participants_key,
    (SELECT MAX(m.id) FROM message m WHERE m.recipient_id = d.recipient_id) AS max_id
  FROM membership h JOIN conversation d ON d.recipient_id = h.recipient_id
  WHERE h.account_id = :userId ORDER BY max_id DESC LIMIT 1000`;

const participantsOf = (key: string): readonly number[] => key.split(',').map(Number);

export const messageReads = {
  *findMessage(id: number): Operation<MessageRow | undefined> {
    return yield* findOne<MessageRow>(FIND, { id });
  },
  /** Accounts for which the message carries a flag; for `read` see `pageMessages`. */
  *listFlaggedUserIds(id: number, flag: string): Operation<readonly number[]> {
    return (yield* list<{ account_id: number }>(FLAGGED, { id, flag })).map(
      (row) => row.account_id,
    );
  },
  /** The newest message that the account holds. */
  *findNewestHeldId(userId: number): Operation<number | undefined> {
    return (yield* findOne<{ id: number }>(MAX_HELD, { userId }))?.id;
  },
  /** The newest 50,000 unread messages that the account holds, newest first. */
  *listUnread(userId: number): Operation<readonly UnreadRow[]> {
    return yield* list<UnreadRow>(LIST_UNREAD, { userId });
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
   * A page around an anchor (API decisions, section 4), ascending by id: `before` ids below it, the anchor
   * itself if it is selected, `after` ids above it, with one row of look-ahead for each side.
   */
  *pageMessages(
    selection: PageSelection,
    anchor: number,
    counts: { readonly before: number; readonly after: number },
  ): Operation<Page> {
    const where = whereOf(selection);
    const side = function* (
      comparison: string,
      limit: number,
    ): Operation<readonly PersonalMessageRow[]> {
      const direction = comparison === '<' ? 'DESC' : 'ASC';
      return yield* list<PersonalMessageRow>(
        `${PERSONAL} WHERE m.id ${comparison} :anchor AND ${where.sql} ORDER BY m.id ${direction} LIMIT :limit`,
        { ...where.values, anchor, limit },
      );
    };
    const before = yield* side('<', counts.before + 1);
    const exact = yield* side('=', 1);
    const after = yield* side('>', counts.after + 1);
    return {
      rows: [
        ...before.slice(0, counts.before).reverse(),
        ...exact,
        ...after.slice(0, counts.after),
      ],
      hasAnchor: exact.length > 0,
      hasOlder: before.length > counts.before,
      hasNewer: after.length > counts.after,
    };
  },
  /** The smallest selected id. */
  *findFirstId(selection: PageSelection): Operation<number | undefined> {
    const where = whereOf(selection);
    const row = yield* findOne<{ id: number }>(
      `SELECT m.id FROM message m WHERE ${where.sql} ORDER BY m.id LIMIT 1`,
      where.values,
    );
    return row?.id;
  },
  /** Selected ids with what tells where each belongs, newest first. */
  *listSelected(selection: PageSelection, limit: number): Operation<readonly PersonalMessageRow[]> {
    const where = whereOf(selection);
    return yield* list<PersonalMessageRow>(
      `${PERSONAL} WHERE ${where.sql} ORDER BY m.id DESC LIMIT :limit`,
      { ...where.values, limit },
    );
  },
  /**
   * Topics of a stream, newest first, each spelled as in its newest message.
   * @param isOpen  true when the account may read messages that it does not hold
   */
  *listTopics(
    recipientId: number,
    userId: number,
    isOpen: boolean,
  ): Operation<readonly { readonly name: string; readonly max_id: number }[]> {
    const rows = yield* list<{ max_id: number }>(TOPICS, {
      recipientId,
      userId,
      isOpen: Number(isOpen),
    });
    const topics: { name: string; max_id: number }[] = [];
    for (const { max_id } of rows) {
      const row = yield* findOne<{ name: string }>(TOPIC_NAME, { id: max_id });
      topics.push({ name: row?.name ?? '', max_id });
    }
    return topics;
  },
};

interface Place {
  readonly recipientId: number;
  readonly topicId: number | null;
  /** Null where the topic's row is spelled the same. */
  readonly topicName: string | null;
  /** The participants of a conversation; null for a stream. */
  readonly userIds: readonly number[] | null;
  readonly publicStreamId: number | null;
}

function* openTopic(
  recipientId: number,
  topic: string,
  topicKey: string,
): Operation<{ id: number; name: string }> {
  const known = yield* findOne<{ id: number; name: string }>(FIND_TOPIC, { recipientId, topicKey });
  if (known !== undefined) return known;
  return { id: yield* insert(INSERT_TOPIC, { recipientId, topic, topicKey }), name: topic };
}

function* openStreamPlace(streamId: number, topic: string, topicKey: string): Operation<Place> {
  const stream = yield* findOne<{ recipient_id: number; is_archived: Flag; is_private: Flag }>(
    FIND_STREAM,
    { streamId },
  );
  if (stream === undefined || stream.is_archived === 1) throw streamDoesNotExist(streamId);
  const { id, name } = yield* openTopic(stream.recipient_id, topic, topicKey);
  return {
    recipientId: stream.recipient_id,
    topicId: id,
    topicName: name === topic ? null : topic,
    userIds: null,
    publicStreamId: stream.is_private === 0 ? streamId : null,
  };
}

function* openConversation(userIds: readonly number[]): Operation<Place> {
  const key = [...userIds].sort((a, b) => a - b).join(',');
  const known = yield* findOne<{ recipient_id: number }>(FIND_CONVERSATION, { key });
  const place = { topicId: null, topicName: null, userIds, publicStreamId: null };
  if (known !== undefined) return { ...place, recipientId: known.recipient_id };
  const recipientId = yield* insert(INSERT_RECIPIENT, { kind: 'private' });
  yield* run(INSERT_CONVERSATION, { recipientId, key });
  for (const userId of userIds) yield* run(INSERT_PARTICIPANT, { recipientId, userId });
  return { ...place, recipientId };
}

function* clientId(name: string): Operation<number> {
  const known = yield* findOne<{ id: number }>(FIND_CLIENT, { name });
  return known?.id ?? (yield* insert(INSERT_CLIENT, { name }));
}

function* insertMessage(message: NewMessage, place: Place): Operation<number> {
  return yield* insert(INSERT, {
    recipientId: place.recipientId,
    topicId: place.topicId,
    topicName: place.topicName,
    senderId: message.senderId,
    clientId: yield* clientId(message.client),
    content: message.content,
    rendered: message.rendered,
    isMeMessage: Number(message.isMeMessage),
    hasWildcardMention: Number(message.hasWildcardMention),
    hasLink: Number(message.hasLink),
    hasImage: Number(message.hasImage),
    hasAttachment: Number(message.hasAttachment),
    sentAt: message.sentAt,
  });
}

export const messageWrites = {
  /**
   * Stores a message, its flags and its event; answers its id.
   * @throws STREAM_DOES_NOT_EXIST when the stream was archived since the caller looked
   */
  *appendMessage(message: NewMessage): Operation<number> {
    const { target } = message;
    const place =
      target.kind === 'stream'
        ? yield* openStreamPlace(target.streamId, target.topic, target.topicKey)
        : yield* openConversation(target.userIds);
    const id = yield* insertMessage(message, place);
    if (target.kind === 'stream') yield* run(SET_FIRST, { id, streamId: target.streamId });
    const { recipientId } = place;
    for (const userId of message.mentionedUserIds) {
      yield* run(INSERT_FLAG, { messageId: id, flag: 'mentioned', recipientId, userId });
    }
    const { userIds, publicStreamId } = place;
    const audience: Audience =
      userIds === null
        ? { kind: 'holders', recipientId, messageId: id, publicStreamId }
        : { kind: 'users', userIds };
    yield* record({ type: 'message', audience, payload: { message_id: id, echo: message.echo } });
    return id;
  },
};
