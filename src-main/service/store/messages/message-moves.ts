/** Moving messages to another topic or stream: the steps of editing that concern more than one message. */
import { hideArrivals, keepVersions, listLostIds } from '../streams/access.ts';
import { findOne, list, type Operation, run } from '../operation.ts';
import { hiddenFrom, keepReadState, UNREAD_BY } from '../reading/read-state.ts';
import { countSent } from '../streams/traffic.ts';
import { WAIT_AGAIN } from './search-pending.ts';

/** Messages of a topic whose ids lie within bounds, both inclusive. */
export interface MoveSource {
  readonly recipientId: number;
  readonly topicId: number;
  readonly firstId: number;
  readonly lastId: number;
}

export interface MoveTarget {
  readonly recipientId: number;
  readonly topicId: number;
  readonly topic: string;
  /** Null where the topic's row is spelled the same. */
  readonly topicName: string | null;
}

/** Ids for which an account belonged to a recipient: `from_id` exclusive, `until_id` inclusive, null while it does. */
export interface HoldingRow {
  readonly account_id: number;
  readonly from_id: number;
  readonly until_id: number | null;
}

/** A historical copy. */
export interface CopyRow {
  readonly account_id: number;
  readonly message_id: number;
}

/** Who held the messages of a move at one moment. */
export interface Holders {
  readonly ranges: readonly HoldingRow[];
  readonly copies: readonly CopyRow[];
}

const OLD_TOPIC = `COALESCE(m.topic_name, (SELECT t.name FROM topic t WHERE t.id = m.topic_id))`;
/** What is moved: of the topic only what is not there already, spelled like that. */
const MOVED = `m.topic_id = :fromTopicId AND m.id >= :firstId AND m.id <= :lastId
  AND (m.topic_id <> :toTopicId OR ${OLD_TOPIC} <> :topic)`;
const IN_IDS = `message_id IN (SELECT m.id FROM message m WHERE ${MOVED})`;
const RANGES =
  'SELECT account_id, from_id, until_id FROM membership WHERE recipient_id = :recipientId';
const COPIES = `SELECT f.account_id, f.message_id FROM message m
  JOIN message_flag f ON f.message_id = m.id AND f.flag = 'historical' WHERE ${MOVED}`;
const MESSAGES = `SELECT m.id, m.sender_id, a.email AS sender_email, ${OLD_TOPIC} AS topic
  FROM message m JOIN account a ON a.id = m.sender_id WHERE ${MOVED} ORDER BY m.id`;
const INSERT_EDITS = `INSERT INTO message_edit (message_id, editor_id, edited_at, prev_content, prev_rendered,
    prev_topic, prev_topic_id, prev_stream_id, is_named)
  SELECT m.id, :editorId, :editedAt, NULL, NULL,
    CASE WHEN ${OLD_TOPIC} = :topic THEN NULL ELSE ${OLD_TOPIC} END,
    CASE WHEN ${OLD_TOPIC} = :topic THEN NULL ELSE m.topic_id END,
    (SELECT s.id FROM stream s WHERE s.recipient_id = m.recipient_id AND m.recipient_id <> :toRecipientId), 0
  FROM message m WHERE ${MOVED} AND m.id <> :namedId`;
const KEEP_VERSIONS = keepVersions(MOVED);
const FORGET_VERSIONS = `DELETE FROM kept_version WHERE ${IN_IDS}`;
const HIDE_ARRIVALS = hideArrivals(MOVED);
const UPDATE = `UPDATE message AS m SET recipient_id = :toRecipientId, topic_id = :toTopicId,
    topic_name = :topicName WHERE ${MOVED}`;
const INSERT_PENDING = `INSERT INTO search_pending (message_id)
  SELECT m.id FROM message m WHERE ${MOVED} ${WAIT_AGAIN}`;

/** Whether the account may read what stands in the target: members a public stream, others as subscribers. */
const hasAccess = (account: string): string => `(EXISTS (SELECT 1 FROM membership n
    WHERE n.recipient_id = :toRecipientId AND n.account_id = ${account} AND n.until_id IS NULL)
  OR EXISTS (SELECT 1 FROM account c JOIN stream s ON s.recipient_id = :toRecipientId
    WHERE c.id = ${account} AND c.role <> 'guest' AND s.is_private = 0))`;
const LIST_BARRED = `SELECT b.id FROM account b WHERE NOT ${hasAccess('b.id')}`;
const FORGET_FLAGS = `DELETE FROM message_flag WHERE ${IN_IDS} AND NOT ${hasAccess('message_flag.account_id')}`;
/**
 * Who keeps access but was no member of the target at the time gets a copy, if there is something to lose: a flag, or
 * the message in a stream that the account follows.
 */
const KEEP_COPIES = `INSERT INTO message_flag (account_id, message_id, flag)
  SELECT h.account_id, m.id, 'historical' FROM message m
  JOIN membership h ON h.recipient_id = m.recipient_id AND h.from_id < m.id
    AND (h.until_id IS NULL OR m.id <= h.until_id)
  WHERE ${MOVED} AND ${hasAccess('h.account_id')} AND NOT ${hiddenFrom('h.account_id')}
    AND (EXISTS (SELECT 1 FROM membership n WHERE n.recipient_id = :toRecipientId
        AND n.account_id = h.account_id AND n.until_id IS NULL)
      OR EXISTS (SELECT 1 FROM message_flag f WHERE f.message_id = m.id AND f.account_id = h.account_id))
    AND NOT EXISTS (SELECT 1 FROM membership n WHERE n.recipient_id = :toRecipientId
      AND n.account_id = h.account_id AND n.from_id < m.id AND (n.until_id IS NULL OR m.id <= n.until_id))
  ON CONFLICT DO NOTHING`;

/** To them it becomes history, which is read: a copy is never unread. */
const LIST_READ_NOW = `SELECT a.account_id, m.id AS message_id FROM message m
  JOIN membership a ON a.recipient_id = m.recipient_id AND a.from_id < m.id
    AND (a.until_id IS NULL OR m.id <= a.until_id)
  WHERE ${MOVED} AND ${hasAccess('a.account_id')} AND NOT ${hiddenFrom('a.account_id')} AND ${UNREAD_BY}
    AND NOT EXISTS (SELECT 1 FROM membership n WHERE n.recipient_id = :toRecipientId
      AND n.account_id = a.account_id AND n.from_id < m.id AND (n.until_id IS NULL OR m.id <= n.until_id))
  ORDER BY a.account_id, m.id`;

const HAS_MESSAGES = 'SELECT 1 AS found FROM message WHERE topic_id = :topicId LIMIT 1';
const LIST_MUTERS = `SELECT u.account_id AS id FROM muted_topic u
  WHERE u.topic_id = :fromTopicId AND ${hasAccess('u.account_id')} ORDER BY u.account_id`;
const UNMUTE = 'DELETE FROM muted_topic WHERE account_id = :userId AND topic_id = :fromTopicId';
const MUTE = `INSERT INTO muted_topic (account_id, topic_id) VALUES (:userId, :toTopicId)
  ON CONFLICT DO NOTHING`;

const FIRST = 'SELECT MIN(id) AS id FROM message WHERE recipient_id = :recipientId';
const SET_FIRST = 'UPDATE stream SET first_message_id = :id WHERE recipient_id = :recipientId';

/** Step: brings a stream's first message up to date after messages came or went; nothing for conversations. */
export function* refreshFirstMessage(recipientId: number): Operation<void> {
  const first = yield* findOne<{ id: number | null }>(FIRST, { recipientId });
  yield* run(SET_FIRST, { recipientId, id: first?.id ?? null });
}

type Range = Pick<MoveSource, 'firstId' | 'lastId'> & {
  readonly fromTopicId: number;
  readonly toTopicId: number;
  readonly topic: string;
};

const rangeOf = (source: MoveSource, target: MoveTarget): Range => ({
  fromTopicId: source.topicId,
  firstId: source.firstId,
  lastId: source.lastId,
  toTopicId: target.topicId,
  topic: target.topic,
});

function* listRanges(recipientId: number): Operation<readonly HoldingRow[]> {
  return yield* list<HoldingRow>(RANGES, { recipientId });
}

const hasMessages = function* (topicId: number): Operation<boolean> {
  return (yield* findOne<{ found: 1 }>(HAS_MESSAGES, { topicId })) !== undefined;
};

/**
 * Once nothing is left of a topic, its mutes go along with it, for those who may read it where it is now. A topic that has
 * messages of its own keeps the settings that it has.
 * @returns the accounts whose muted topics changed
 */
function* moveMutes(
  { fromTopicId, toTopicId }: Range,
  toRecipientId: number,
  isJoining: boolean,
): Operation<readonly number[]> {
  if (fromTopicId === toTopicId || (yield* hasMessages(fromTopicId))) return [];
  const muters = yield* list<{ id: number }>(LIST_MUTERS, { fromTopicId, toRecipientId });
  for (const { id: userId } of muters) {
    yield* run(UNMUTE, { userId, fromTopicId });
    if (!isJoining) yield* run(MUTE, { userId, toTopicId });
  }
  return muters.map(({ id }) => id);
}

/** A message as it was before its move. */
export interface MovedRow {
  readonly id: number;
  readonly sender_id: number;
  readonly sender_email: string;
  readonly topic: string;
}

/** What a move changed; the named message's edit and its mark as edited are the caller's to write. */
export interface Moved {
  /** Ascending by id. */
  readonly messages: readonly MovedRow[];
  readonly ids: readonly number[];
  readonly before: Holders;
  readonly after: Holders;
  /** Accounts that could not read the source any more: of what happens there they are told ids alone. */
  readonly formerIds: ReadonlySet<number>;
  /** Accounts that may not read the target. */
  readonly barredIds: ReadonlySet<number>;
  /** Messages that were unread and are read now, by account, ascending. */
  readonly readNow: ReadonlyMap<number, readonly number[]>;
  /** Accounts that have muted another topic now than before. */
  readonly mutedBy: readonly number[];
}

/** Holders who may still read what they hold. */
const without = ({ ranges, copies }: Holders, lostIds: ReadonlySet<number>): Holders => ({
  ranges: ranges.filter((row) => !lostIds.has(row.account_id)),
  copies: copies.filter((row) => !lostIds.has(row.account_id)),
});

type StreamChange = Pick<Moved, 'barredIds' | 'readNow'>;

const sameStream: StreamChange = { barredIds: new Set(), readNow: new Map() };

function byAccount(rows: readonly CopyRow[]): StreamChange['readNow'] {
  const grouped = new Map<number, number[]>();
  for (const { account_id: accountId, message_id: messageId } of rows) {
    const known = grouped.get(accountId);
    if (known === undefined) grouped.set(accountId, [messageId]);
    else known.push(messageId);
  }
  return grouped;
}

function* changeStream(range: Range, target: MoveTarget): Operation<StreamChange> {
  yield* countSent();
  const values = { ...range, toRecipientId: target.recipientId };
  const { recipientId: toRecipientId } = target;
  const barred = yield* list<{ id: number }>(LIST_BARRED, { toRecipientId });
  const readNow = byAccount(yield* list<CopyRow>(LIST_READ_NOW, values));
  yield* run(FORGET_FLAGS, values);
  yield* run(KEEP_COPIES, values);
  return { barredIds: new Set(barred.map((row) => row.id)), readNow };
}

/** Step: moves messages, with a line of history for each but the named one. */
export function* moveMessages(
  source: MoveSource,
  target: MoveTarget,
  edit: { readonly namedId: number; readonly editorId: number; readonly editedAt: number },
): Operation<Moved> {
  const range = rangeOf(source, target);
  const { recipientId: toRecipientId, topicId: toTopicId, topicName } = target;
  const messages = yield* list<MovedRow>(MESSAGES, { ...range });
  const ids = messages.map((row) => row.id);
  const before: Holders = {
    ranges: yield* listRanges(source.recipientId),
    copies: yield* list<CopyRow>(COPIES, { ...range }),
  };
  const isOtherStream = toRecipientId !== source.recipientId;
  const formerIds = yield* listLostIds(source.recipientId);
  if (!isOtherStream) yield* run(KEEP_VERSIONS, { ...range });
  const change = isOtherStream ? yield* changeStream(range, target) : sameStream;
  yield* keepReadState({ messageIds: ids, toRecipientId, toTopicId });
  if (isOtherStream) {
    yield* run(FORGET_VERSIONS, { ...range });
    yield* run(HIDE_ARRIVALS, { ...range, toRecipientId });
  }
  yield* run(INSERT_EDITS, { ...range, ...edit, toRecipientId });
  yield* run(INSERT_PENDING, { ...range });
  const after: Holders = isOtherStream
    ? {
        ranges: yield* listRanges(toRecipientId),
        copies: yield* list<CopyRow>(COPIES, { ...range }),
      }
    : before;
  const isJoining = yield* hasMessages(toTopicId);
  const lostIds = isOtherStream ? yield* listLostIds(toRecipientId) : formerIds;
  yield* run(UPDATE, { ...range, toRecipientId, topicName });
  const mutedBy = yield* moveMutes(range, toRecipientId, isJoining);
  if (isOtherStream) {
    yield* refreshFirstMessage(source.recipientId);
    yield* refreshFirstMessage(toRecipientId);
  }
  return { messages, ids, before, after: without(after, lostIds), formerIds, mutedBy, ...change };
}
