import { regainAccess } from './access.ts';
import { findOne, insert, list, type Operation, run } from '#service/db/operation.ts';

type Flag = 0 | 1;

export interface StreamRow {
  readonly id: number;
  readonly recipient_id: number;
  readonly name: string;
  readonly name_key: string;
  readonly description: string;
  readonly rendered_description: string;
  readonly is_private: Flag;
  readonly is_announcement_only: Flag;
  readonly is_history_public: Flag;
  readonly is_default: Flag;
  readonly is_archived: Flag;
  /** Whether its history can no longer be opened to whoever was not there. */
  readonly is_history_sealed: Flag;
  readonly first_message_id: number | null;
  /** UNIX seconds. */
  readonly created_at: number;
}

/** What decides who may read the history of a stream. */
export interface HistoryRow extends Pick<
  StreamRow,
  'recipient_id' | 'is_private' | 'is_announcement_only' | 'is_history_public'
> {
  readonly is_subscribed: Flag;
}

/** A current subscription: the stream with one account's settings. */
export interface SubscriptionRow extends StreamRow {
  readonly color: string;
  readonly is_muted: Flag;
  readonly is_pinned: Flag;
  /** The four notification settings are null where the account's own setting holds. */
  readonly desktop_notifications: Flag | null;
  readonly audible_notifications: Flag | null;
  readonly push_notifications: Flag | null;
  readonly email_notifications: Flag | null;
  /** The account's own settings, as it stores them. */
  readonly account_settings: string;
}

export interface PublicTopicRow {
  readonly id: number;
  readonly name: string;
  readonly stream_name: string;
}

export interface NewStream {
  readonly name: string;
  readonly nameKey: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  readonly isHistoryPublic: boolean;
  readonly isDefault: boolean;
  readonly creatorId: number | null;
  /** UNIX seconds. */
  readonly createdAt: number;
}

/** The colour of a new subscription. */
export interface ColorChoice {
  /** Undefined to choose one of the palette. */
  readonly wished: string | undefined;
  readonly palette: readonly string[];
}

export const STREAM_COLUMNS = `s.id, s.recipient_id, s.name, s.name_key, s.description, s.rendered_description, s.is_private,
  s.is_announcement_only, s.is_history_public, s.is_default, s.is_archived, s.is_history_sealed,
  s.first_message_id, s.created_at`;
const SETTING = `t.color, t.is_muted, t.is_pinned, t.desktop_notifications, t.audible_notifications,
  t.push_notifications, t.email_notifications,
  (SELECT a.settings FROM account a WHERE a.id = t.account_id) AS account_settings`;

const FIND = `SELECT ${STREAM_COLUMNS} FROM stream s WHERE s.id = :id`;
const FIND_BY_NAME = `SELECT ${STREAM_COLUMNS} FROM stream s WHERE s.name_key = :nameKey AND s.is_archived = 0`;
const LIST = `SELECT ${STREAM_COLUMNS} FROM stream s WHERE s.is_archived = 0 ORDER BY s.id`;
const LIST_DEFAULT = `SELECT ${STREAM_COLUMNS} FROM stream s
  WHERE s.is_archived = 0 AND s.is_default = 1 ORDER BY s.id`;
const LIST_SUBSCRIPTIONS = `SELECT ${STREAM_COLUMNS}, ${SETTING}
  FROM membership m
  JOIN stream s ON s.recipient_id = m.recipient_id
  JOIN stream_setting t ON t.account_id = m.account_id AND t.stream_id = s.id
  WHERE m.account_id = :userId AND m.until_id IS NULL AND s.is_archived = 0 ORDER BY s.id`;
const LIST_HISTORIES = `SELECT s.recipient_id, s.is_private, s.is_announcement_only, s.is_history_public,
    EXISTS (SELECT 1 FROM membership m WHERE m.recipient_id = s.recipient_id AND m.account_id = :userId
      AND m.until_id IS NULL) AS is_subscribed
  FROM stream s WHERE s.is_archived = 0 ORDER BY s.id`;
const FIND_SUBSCRIPTION = `SELECT ${STREAM_COLUMNS}, ${SETTING}
  FROM stream s JOIN stream_setting t ON t.stream_id = s.id
  WHERE s.id = :streamId AND t.account_id = :userId`;
const FIND_CURRENT = `${FIND_SUBSCRIPTION} AND s.is_archived = 0 AND EXISTS (SELECT 1 FROM membership m
  WHERE m.recipient_id = s.recipient_id AND m.account_id = t.account_id AND m.until_id IS NULL)`;
const LIST_FORMER = `SELECT DISTINCT s.id
  FROM membership m JOIN stream s ON s.recipient_id = m.recipient_id
  WHERE m.account_id = :userId AND m.until_id IS NOT NULL`;
const LIST_MEMBERS = `SELECT m.account_id AS id
  FROM membership m JOIN account a ON a.id = m.account_id
  WHERE m.recipient_id = :recipientId AND m.until_id IS NULL AND a.is_active = 1 ORDER BY m.account_id`;
/** One row for each stream: a row for each member takes several times as long to hand over. */
const LIST_ALL_MEMBERS = `SELECT s.recipient_id, (SELECT group_concat(m.account_id) FROM membership m
    WHERE m.recipient_id = s.recipient_id AND m.until_id IS NULL) AS ids
  FROM stream s WHERE s.is_archived = 0 ORDER BY s.recipient_id`;
const LIST_INACTIVE = 'SELECT id FROM account WHERE is_active = 0';
const FIND_MEMBERSHIP = `SELECT id FROM membership
  WHERE recipient_id = :recipientId AND account_id = :userId AND until_id IS NULL`;
const LIST_UNEVEN_TOPICS = `SELECT t.name FROM topic t JOIN stream s ON s.recipient_id = t.recipient_id
  WHERE s.id = :streamId AND (t.name_key GLOB '*[^ -~]*' OR instr(t.name_key, '  ') > 0)
  ORDER BY t.id DESC LIMIT :most`;
const FIND_TOPIC = `SELECT t.name FROM topic t JOIN stream s ON s.recipient_id = t.recipient_id
  WHERE s.id = :streamId AND t.name_key = :topicKey`;
const INSERT_RECIPIENT = 'INSERT INTO recipient (kind) VALUES (:kind)';
const INSERT = `INSERT INTO stream (recipient_id, name, name_key, description, rendered_description, is_private,
    is_announcement_only, is_history_public, is_default, creator_id, created_at)
  VALUES (:recipientId, :name, :nameKey, :description, :renderedDescription, :isPrivate,
    :isAnnouncementOnly, :isHistoryPublic, :isDefault, :creatorId, :createdAt)`;
const INSERT_MEMBERSHIP = `INSERT INTO membership (recipient_id, account_id, from_id)
  SELECT :recipientId, :userId, id FROM newest_message`;
const USED_COLORS = `SELECT t.color FROM stream_setting t
  JOIN stream s ON s.id = t.stream_id
  JOIN membership m ON m.recipient_id = s.recipient_id AND m.account_id = t.account_id
  WHERE t.account_id = :userId AND m.until_id IS NULL`;
const INSERT_SETTING = `INSERT INTO stream_setting (account_id, stream_id, color)
  VALUES (:userId, :streamId, :color)`;

const LIST_PUBLIC_TOPICS = `SELECT t.id, t.name, s.name AS stream_name FROM topic t
  JOIN stream s ON s.recipient_id = t.recipient_id
  WHERE s.is_private = 0 AND s.is_archived = 0
    AND EXISTS (SELECT 1 FROM message m WHERE m.topic_id = t.id)
  ORDER BY t.id DESC LIMIT :limit`;

export const streamReads = {
  *findStream(id: number): Operation<StreamRow | undefined> {
    return yield* findOne<StreamRow>(FIND, { id });
  },
  /** Archived streams have freed their names and are not found. */
  *findStreamByName(nameKey: string): Operation<StreamRow | undefined> {
    return yield* findOne<StreamRow>(FIND_BY_NAME, { nameKey });
  },
  /** How a topic in which anything was ever written is called. @param topicKey  its name as the service folds it */
  *findTopicName(streamId: number, topicKey: string): Operation<string | undefined> {
    return (yield* findOne<{ name: string }>(FIND_TOPIC, { streamId, topicKey }))?.name;
  },
  /** Names of topics with more than ASCII or several blanks in a row, the newest first. */
  *listUnevenTopics(streamId: number, most: number): Operation<readonly string[]> {
    const rows = yield* list<{ name: string }>(LIST_UNEVEN_TOPICS, { streamId, most });
    return rows.map(({ name }) => name);
  },
  /** The newest topics with messages of public streams that are not archived. */
  *listPublicTopics(limit: number): Operation<readonly PublicTopicRow[]> {
    return yield* list<PublicTopicRow>(LIST_PUBLIC_TOPICS, { limit });
  },
  /** All streams that are not archived, by id. */
  *listStreams(): Operation<readonly StreamRow[]> {
    return yield* list<StreamRow>(LIST);
  },
  *listSubscriptions(userId: number): Operation<readonly SubscriptionRow[]> {
    return yield* list<SubscriptionRow>(LIST_SUBSCRIPTIONS, { userId });
  },
  /** Every stream that is not archived, with what decides whether the account may read all of it. */
  *listHistories(userId: number): Operation<readonly HistoryRow[]> {
    return yield* list<HistoryRow>(LIST_HISTORIES, { userId });
  },
  /** Streams that the account was once subscribed to, whether or not it is now. */
  *listFormerStreamIds(userId: number): Operation<readonly number[]> {
    return (yield* list<{ id: number }>(LIST_FORMER, { userId })).map((row) => row.id);
  },
  /** Active accounts that belong to a stream or conversation now, ascending. */
  *listMemberIds(recipientId: number): Operation<readonly number[]> {
    return yield* memberIds(recipientId);
  },
  /** Active members of every stream that is not archived, ascending, by recipient. */
  *listAllStreamMembers(): Operation<ReadonlyMap<number, readonly number[]>> {
    const inactive = new Set((yield* list<{ id: number }>(LIST_INACTIVE)).map((row) => row.id));
    const rows = yield* list<{ recipient_id: number; ids: string | null }>(LIST_ALL_MEMBERS);
    return new Map(
      rows.map(({ recipient_id: recipientId, ids }) => [
        recipientId,
        (ids?.split(',') ?? [])
          .map(Number)
          .filter((id) => !inactive.has(id))
          .sort((a, b) => a - b),
      ]),
    );
  },
  /** One account's subscription; undefined while it has none. */
  *findSubscription(streamId: number, userId: number): Operation<SubscriptionRow | undefined> {
    return yield* findOne<SubscriptionRow>(FIND_CURRENT, { streamId, userId });
  },
  /** Those that new accounts are subscribed to, by id. */
  *listDefaultStreams(): Operation<readonly StreamRow[]> {
    return yield* list<StreamRow>(LIST_DEFAULT);
  },
  *isMember(recipientId: number, userId: number): Operation<boolean> {
    return (yield* findOne(FIND_MEMBERSHIP, { recipientId, userId })) !== undefined;
  },
};

/** Step: active accounts that belong to a stream or conversation now, ascending. */
export function* memberIds(recipientId: number): Operation<readonly number[]> {
  return (yield* list<{ id: number }>(LIST_MEMBERS, { recipientId })).map((row) => row.id);
}

/** Step: a new stream without subscribers. */
export function* insertStream(stream: NewStream): Operation<StreamRow> {
  const recipientId = yield* insert(INSERT_RECIPIENT, { kind: 'stream' });
  const id = yield* insert(INSERT, {
    ...stream,
    recipientId,
    isPrivate: Number(stream.isPrivate),
    isAnnouncementOnly: Number(stream.isAnnouncementOnly),
    isHistoryPublic: Number(stream.isHistoryPublic),
    isDefault: Number(stream.isDefault),
  });
  const inserted = yield* findLiveStream(id);
  if (inserted === undefined) throw new Error('a stream was created unseen');
  return inserted;
}

/** Step: undefined when there is none, or when it is archived. */
export function* findLiveStream(id: number): Operation<StreamRow | undefined> {
  const stream = yield* findOne<StreamRow>(FIND, { id });
  return stream?.is_archived === 0 ? stream : undefined;
}

function* chooseColor(userId: number, palette: readonly string[]): Operation<string> {
  const rows = yield* list<{ color: string }>(USED_COLORS, { userId });
  const used = new Set(rows.map((row) => row.color));
  return (
    palette.find((color) => !used.has(color)) ?? palette[rows.length % palette.length] ?? '#c2c2c2'
  );
}

/** Step: subscribes one account from the next message on. Settings of an earlier subscription hold again. */
export function* join(stream: StreamRow, userId: number, color: ColorChoice): Operation<boolean> {
  const recipientId = stream.recipient_id;
  if ((yield* findOne(FIND_MEMBERSHIP, { recipientId, userId })) !== undefined) return false;
  yield* run(INSERT_MEMBERSHIP, { recipientId, userId });
  yield* regainAccess(recipientId, userId);
  if ((yield* findOne(FIND_SUBSCRIPTION, { streamId: stream.id, userId })) === undefined) {
    const chosen = color.wished ?? (yield* chooseColor(userId, color.palette));
    yield* run(INSERT_SETTING, { userId, streamId: stream.id, color: chosen });
  }
  return true;
}

export const streamWrites = {
  /** A new stream without subscribers. Nobody may have its name. */
  insertStream,
  /**
   * Subscribes one account from the next message on; answers false where it is subscribed already. Settings of an
   * earlier subscription hold again.
   */
  joinStream: join,
};
