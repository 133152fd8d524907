/** Editing messages, and what they said before. */
import { markBit, markNames, type MessageMark } from '#shared/api/models/message-marks.ts';
import type { Audience } from '#service/db/event-log.ts';
import { keepRevision, presentHolders } from '#service/features/streams/queries/access.ts';
import { linkAttachments } from '#service/features/files/queries/attachments.ts';
import { HELD, HISTORICAL } from '#service/features/reading/queries/narrow-sql.ts';
import {
  lastEditNumber,
  type MoveOutcome,
  moveMessages,
  type MoveTarget,
} from './message-moves.ts';
import { openTopic } from './message-places.ts';
import { messageReads, type NewMessage } from './messages.ts';
import { type MessageRow, SET_TEXT, textColumns } from './message-rows.ts';
import { INSERT_PENDING } from './pending-index.ts';
import {
  findOne,
  list,
  listColumn,
  type Operation,
  run,
  type Values,
} from '#service/db/operation.ts';
import { findLiveStream, type StreamRow } from '#service/features/streams/queries/streams.ts';

/** One change of a message; what did not change is null. */
export interface MessageEditRow {
  /** Grows with time. */
  readonly id: number;
  readonly message_id: number;
  readonly editor_id: number;
  /** UNIX seconds. */
  readonly edited_at: number;
  readonly prev_content: string | null;
  readonly prev_rendered: string | null;
  readonly prev_topic: string | null;
  readonly prev_stream_id: number | null;
  /** 0 where the message moved along with the one that the request named. */
  readonly is_named: 0 | 1;
}

export type NewContent = Pick<
  NewMessage,
  'content' | 'rendered' | MessageMark | 'mentionedUserIds' | 'attachmentPaths' | 'alertedUserIds'
>;

export interface MovePlan {
  readonly propagate: 'change_one' | 'change_later' | 'change_all';
  /** The stream to move to, or the one where the message stands. */
  readonly streamId: number;
  readonly topic: string;
  readonly topicKey: string;
}

export interface EditPlan {
  readonly messageId: number;
  readonly editorId: number;
  /** UNIX seconds. */
  readonly editedAt: number;
  readonly content: NewContent | null;
  readonly move: MovePlan | null;
  /** The number that the change of the first message is to have that moves along, unless that was given away. */
  readonly firstNumber?: number | undefined;
}

export interface EditFacts {
  readonly before: MessageRow;
  readonly after: MessageRow;
  /** Who may be told of a change of the content alone. */
  readonly audience: Audience;
  /** Null when only the content changed. */
  readonly moved: (MoveOutcome & { readonly from: StreamRow; readonly to: StreamRow }) | null;
}

const LIST_EDITS = `SELECT id, message_id, editor_id, edited_at, prev_content, prev_rendered, prev_topic, prev_stream_id,
  is_named FROM message_edit WHERE message_id = :id ORDER BY id`;
const CHANGED_BETWEEN =
  'SELECT message_id FROM message_edit WHERE id > :fromNumber AND id < :untilNumber';
const FIND_TOPIC_ID = 'SELECT topic_id AS id FROM message WHERE id = :id';
const INSERT_EDIT = `INSERT INTO message_edit (message_id, editor_id, edited_at, prev_content, prev_rendered,
    prev_topic, prev_topic_id, prev_marks, prev_stream_id, is_named)
  VALUES (:messageId, :editorId, :editedAt, :prevContent, :prevRendered, :prevTopic, :prevTopicId, :prevMarks,
    :prevStreamId, 1)`;
const SET_EDITED = 'UPDATE message SET edited_at = :editedAt WHERE id = :messageId';
const NUMBER = `UPDATE message SET edit_number = (SELECT MAX(e.id) FROM message_edit e
    WHERE e.message_id = message.id)
  WHERE id = :messageId`;
const SET_CONTENT = `UPDATE message SET ${SET_TEXT} WHERE id = :messageId`;
/** The flags of those who lost access belong to the version that they see. */
const isLost = (account: string): string => `EXISTS (SELECT 1 FROM lost_access l
  JOIN message p ON p.recipient_id = l.recipient_id WHERE p.id = :messageId AND l.account_id = ${account})`;
const LIST_FLAGGED = `SELECT f.account_id AS id FROM message_flag f
  WHERE f.message_id = :messageId AND f.flag = :flag AND NOT ${isLost('f.account_id')}`;
const DELETE_FLAG =
  'DELETE FROM message_flag WHERE message_id = :messageId AND account_id = :userId AND flag = :flag';
const INSERT_FLAG = `INSERT INTO message_flag (account_id, message_id, flag)
  SELECT :userId, m.id, :flag FROM message m WHERE m.id = :messageId AND (${HELD} OR ${HISTORICAL})
    AND NOT ${isLost(':userId')}`;

export const messageEditReads = {
  /** Who is told of what happens to a message: those who may read it, copies included. */
  *findAudience(row: Pick<MessageRow, 'id' | 'stream_id' | 'recipient_id'>): Operation<Audience> {
    return yield* audienceOf(row);
  },
  /** All changes of the given messages, each message's oldest first. */
  *listMessageEdits(ids: readonly number[]): Operation<readonly MessageEditRow[]> {
    const edits: MessageEditRow[] = [];
    for (const id of ids) edits.push(...(yield* list<MessageEditRow>(LIST_EDITS, { id })));
    return edits;
  },
  /** The number of the newest change of any message, which may be gone; 0 before the first. */
  *findLastEditNumber(): Operation<number> {
    return yield* lastEditNumber();
  },
  /** The messages whose changes have numbers between the two. */
  *listChangedBetween(fromNumber: number, untilNumber: number): Operation<readonly number[]> {
    return yield* listColumn<number>(CHANGED_BETWEEN, { fromNumber, untilNumber });
  },
};

/** Step: exactly the given holders of a message carry the flag. */
function* setFlagged(messageId: number, flag: string, userIds: readonly number[]): Operation<void> {
  const flagged = yield* list<{ id: number }>(LIST_FLAGGED, { messageId, flag });
  const known = new Set(flagged.map((row) => row.id));
  for (const userId of known) {
    if (!userIds.includes(userId)) yield* run(DELETE_FLAG, { messageId, userId, flag });
  }
  for (const userId of userIds) {
    if (!known.has(userId)) yield* run(INSERT_FLAG, { messageId, userId, flag });
  }
}

/** Step: gives a message that text, with all that depends on it. Its history is the caller's to see to. */
export function* setContent(messageId: number, content: NewContent): Operation<void> {
  yield* run(SET_CONTENT, { messageId, ...textColumns(content) });
  yield* setFlagged(messageId, 'mentioned', content.mentionedUserIds);
  yield* setFlagged(messageId, 'has_alert_word', content.alertedUserIds ?? []);
  yield* linkAttachments(messageId, content.attachmentPaths ?? []);
  yield* run(INSERT_PENDING, { id: messageId });
}

function historyLine(
  { messageId, editorId, editedAt, content, move }: EditPlan,
  before: MessageRow,
  topicId: number | null,
): Values {
  const isRenamed = move !== null && move.topic !== before.topic;
  const was = content === null ? null : before;
  return {
    messageId,
    editorId,
    editedAt,
    prevContent: was?.content ?? null,
    prevRendered: was?.rendered ?? null,
    prevMarks: was === null ? null : marksOf(was),
    prevTopic: isRenamed ? before.topic : null,
    prevTopicId: isRenamed ? topicId : null,
    prevStreamId: move === null || move.streamId === before.stream_id ? null : before.stream_id,
  };
}

/** As `prev_marks` of the history keeps them. */
const marksOf = (row: MessageRow): number =>
  markNames.reduce((bits, name) => bits + markBit(name) * row[name], 0);

function* openTarget(stream: StreamRow, move: MovePlan): Operation<MoveTarget> {
  const { id, name } = yield* openTopic(stream.recipient_id, move.topic, move.topicKey);
  return {
    recipientId: stream.recipient_id,
    topicId: id,
    topic: move.topic,
    topicName: name === move.topic ? null : move.topic,
  };
}

function* carryOut(
  before: MessageRow,
  plan: EditPlan,
  move: MovePlan,
): Operation<NonNullable<EditFacts['moved']>> {
  const from = yield* getStream(before.stream_id);
  const to = move.streamId === from.id ? from : yield* getStream(move.streamId);
  const topicId = (yield* findOne<{ id: number }>(FIND_TOPIC_ID, { id: before.id }))?.id ?? 0;
  const { propagate } = move;
  const moved = yield* moveMessages(
    {
      streamId: from.id,
      recipientId: before.recipient_id,
      topicId,
      firstId: propagate === 'change_all' ? 0 : before.id,
      lastId: propagate === 'change_one' ? before.id : Number.MAX_SAFE_INTEGER,
    },
    yield* openTarget(to, move),
    {
      namedId: before.id,
      editorId: plan.editorId,
      editedAt: plan.editedAt,
      firstNumber: plan.firstNumber ?? 0,
    },
  );
  return { ...moved, from, to };
}

function* getStream(id: number | null): Operation<StreamRow> {
  const stream = id === null ? undefined : yield* findLiveStream(id);
  if (stream === undefined) throw new Error(`there is no stream ${String(id)} to move in`);
  return stream;
}

/** Step: as `findAudience`. */
export function* audienceOf(
  row: Pick<MessageRow, 'id' | 'stream_id' | 'recipient_id'>,
): Operation<Audience> {
  if (row.stream_id === null) {
    return { kind: 'users', userIds: yield* messageReads.listParticipantIds(row.recipient_id) };
  }
  return yield* presentHolders(row.recipient_id, row.id);
}

function* getMessage(id: number): Operation<MessageRow> {
  const row = yield* messageReads.findMessage(id);
  if (row === undefined) throw new Error(`there is no message ${String(id)}`);
  return row;
}

export const messageEditWrites = {
  /**
   * Changes a message's content, its place or both, and with the place that of others of its topic. What was there
   * before is kept in a line of history for each message.
   * @returns what the events are made of
   */
  *editMessage(plan: EditPlan): Operation<EditFacts> {
    const { messageId, editedAt, content, move } = plan;
    const before = yield* getMessage(messageId);
    const audience = yield* audienceOf(before);
    const topicId = (yield* findOne<{ id: number }>(FIND_TOPIC_ID, { id: messageId }))?.id;
    if (content !== null) yield* keepRevision(messageId);
    const moved = move === null ? null : yield* carryOut(before, plan, move);
    if (content !== null) yield* setContent(messageId, content);
    yield* run(INSERT_EDIT, historyLine(plan, before, topicId ?? null));
    yield* run(SET_EDITED, { messageId, editedAt });
    yield* run(NUMBER, { messageId });
    return { before, after: yield* getMessage(messageId), audience, moved };
  },
};
