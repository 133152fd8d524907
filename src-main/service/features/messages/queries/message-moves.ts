/** Moving messages to another topic or stream: the steps of editing that concern more than one message. */
import { keepRevisions, listLostIds } from '#service/features/streams/queries/access.ts';
import { findOne, list, type Operation, run } from '#service/db/operation.ts';
import { bothOf, membersOf, type OwnRow, partsOfRows, withoutAccounts } from './move-holders.ts';
import { listIds, listOver, runOver } from './move-slices.ts';
import { keepInStream } from './moved-read-state.ts';
import { WAIT_AGAIN } from './pending-index.ts';
import {
  changeStream,
  hasAccess,
  type Move,
  MOVED,
  OLD_TOPIC,
  type MoveRange,
  type StreamChange,
} from './stream-moves.ts';

/** Messages of a topic whose ids lie within bounds, both inclusive. */
export interface MoveSource {
  readonly streamId: number;
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

const IDS = `SELECT m.id FROM message m WHERE ${MOVED} ORDER BY m.id LIMIT :limit`;
const COPIES = `SELECT f.account_id, f.message_id FROM message m
  CROSS JOIN message_flag f ON f.message_id = m.id AND f.flag = 'historical' WHERE ${MOVED}`;
const MESSAGES = `SELECT m.id, m.sender_id, a.email AS sender_email, ${OLD_TOPIC} AS topic
  FROM message m JOIN account a ON a.id = m.sender_id WHERE ${MOVED} ORDER BY m.id`;
const INSERT_EDITS = `INSERT INTO message_edit (message_id, editor_id, edited_at, prev_content, prev_rendered,
    prev_topic, prev_topic_id, prev_stream_id, is_named)
  SELECT m.id, :editorId, :editedAt, NULL, NULL,
    CASE WHEN ${OLD_TOPIC} = :topic THEN NULL ELSE ${OLD_TOPIC} END,
    CASE WHEN ${OLD_TOPIC} = :topic THEN NULL ELSE m.topic_id END,
    :fromStreamId, 0
  FROM message m WHERE ${MOVED} AND m.id <> :namedId ORDER BY m.id`;
const LAST_NUMBER = "SELECT seq FROM sqlite_sequence WHERE name = 'message_edit'";
const SKIP_NUMBERS = "UPDATE sqlite_sequence SET seq = :number WHERE name = 'message_edit'";
const SKIP_FIRST = "INSERT INTO sqlite_sequence (name, seq) VALUES ('message_edit', :number)";
const KEEP_VERSIONS = keepRevisions(MOVED);
/** The line of history that was just written numbers the message; that of the named one is written later. */
const UPDATE = `UPDATE message AS m SET recipient_id = :toRecipientId, topic_id = :toTopicId,
    topic_name = :topicName, edit_number = CASE WHEN m.id = :namedId THEN m.edit_number
      ELSE (SELECT MAX(e.id) FROM message_edit e WHERE e.message_id = m.id) END
  WHERE ${MOVED}`;
const INSERT_PENDING = `INSERT INTO search_pending (message_id)
  SELECT m.id FROM message m WHERE ${MOVED} ${WAIT_AGAIN}`;

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

const hasMessages = function* (topicId: number): Operation<boolean> {
  return (yield* findOne<{ found: 1 }>(HAS_MESSAGES, { topicId })) !== undefined;
};

/**
 * Once nothing is left of a topic, its mutes go along with it, for those who may read it where it is now. A topic that has
 * messages of its own keeps the settings that it has.
 * @returns the accounts whose muted topics changed
 */
function* moveMutes(
  { fromTopicId, toTopicId }: MoveRange,
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
export interface LostRow {
  readonly id: number;
  readonly sender_id: number;
  readonly sender_email: string;
  readonly topic: string;
}

/** What a move changed; the named message's edit and its mark as edited are the caller's to write. */
export interface MoveOutcome extends StreamChange {
  /** Ascending; never empty. */
  readonly ids: readonly number[];
  /** The messages, in the same order; empty where nobody loses any. */
  readonly lost: readonly LostRow[];
  /** Accounts that could not read the source any more: of what happens there they are told ids alone. */
  readonly formerIds: ReadonlySet<number>;
  /** Accounts that have muted another topic now than before. */
  readonly mutedBy: readonly number[];
  /** Of the change of the first message; each of the others has the next, but for the named one. */
  readonly firstNumber: number;
}

/** Step: as `findLastEditNumber`. */
export function* lastEditNumber(): Operation<number> {
  return (yield* findOne<{ seq: number }>(LAST_NUMBER))?.seq ?? 0;
}

/** Step: makes the next change of a message have that number, or a higher one where that was given away. */
function* skipNumbers(wanted: number): Operation<number> {
  const next = (yield* lastEditNumber()) + 1;
  if (wanted <= next) return next;
  const values = { number: wanted - 1 };
  if ((yield* run(SKIP_NUMBERS, values)) === 0) yield* run(SKIP_FIRST, values);
  return wanted;
}

function* openMove(source: MoveSource, target: MoveTarget): Operation<Move> {
  const { recipientId, topicId } = source;
  const { recipientId: toRecipientId, topicId: toTopicId, topic } = target;
  const bounds = { firstId: source.firstId, lastId: source.lastId };
  const all: MoveRange = { fromTopicId: topicId, toTopicId, topic, ...bounds };
  const ids = yield* listIds(IDS, { ...all });
  const isNewTopic = toTopicId !== topicId && !(yield* hasMessages(toTopicId));
  return {
    range: { ...all, firstId: ids[0] ?? 0, lastId: ids.at(-1) ?? 0 },
    ids,
    places: { recipientId, topicId, toRecipientId, toTopicId, ids, isNewTopic },
    isOtherStream: toRecipientId !== recipientId,
    formerIds: yield* listLostIds(recipientId),
    members: yield* membersOf(recipientId, ids),
  };
}

function* changeTopic({ range, ids, places, formerIds, members }: Move): Operation<StreamChange> {
  const copies = partsOfRows(ids, yield* listOver<OwnRow>(ids, COPIES, { ...range }));
  if (formerIds.size > 0) {
    const values = { ...range, recipientId: places.recipientId };
    yield* runOver(ids, [[0, ids.length]], [{ sql: KEEP_VERSIONS, values }]);
  }
  yield* keepInStream(places, members.held);
  const before = { ...members, held: bothOf(members.held, copies) };
  return {
    before,
    after: withoutAccounts(before, formerIds),
    barredIds: new Set(),
    readNow: new Map(),
  };
}

interface MoveEdit {
  readonly namedId: number;
  readonly editorId: number;
  /** UNIX seconds. */
  readonly editedAt: number;
  readonly firstNumber: number;
}

/** Step: moves messages, with a line of history for each but the named one. */
export function* moveMessages(
  source: MoveSource,
  target: MoveTarget,
  { firstNumber: wanted, ...edit }: MoveEdit,
): Operation<MoveOutcome> {
  const move = yield* openMove(source, target);
  const { range, places, ids, isOtherStream } = move;
  const change = isOtherStream ? yield* changeStream(move) : yield* changeTopic(move);
  const { recipientId, toRecipientId } = places;
  const fromStreamId = isOtherStream ? source.streamId : null;
  const losers = [...change.before.held.keys(), ...change.before.memberIds];
  const isLost = losers.some((id) => change.barredIds.has(id));
  const lost = isLost ? yield* listOver<LostRow>(ids, MESSAGES, { ...range }) : [];
  const { topicName } = target;
  const values = { ...range, ...edit, fromStreamId, toRecipientId, topicName };
  const firstNumber = yield* skipNumbers(wanted);
  const statements = [INSERT_EDITS, INSERT_PENDING, UPDATE].map((sql) => ({ sql, values }));
  yield* runOver(ids, [[0, ids.length]], statements);
  const mutedBy = yield* moveMutes(range, toRecipientId, !places.isNewTopic);
  if (isOtherStream) {
    yield* refreshFirstMessage(recipientId);
    yield* refreshFirstMessage(toRecipientId);
  }
  return { ids, lost, mutedBy, firstNumber, formerIds: move.formerIds, ...change };
}
