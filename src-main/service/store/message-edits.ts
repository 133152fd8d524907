/** Editing messages, and what they said before. */
import { invalidMessage } from '../../contract/errors.ts';
import type { Audience } from '../../contract/log.ts';
import { linkAttachments } from './attachments.ts';
import { HELD, HISTORICAL } from './selection.ts';
import { listCopies, type Moved, moveMessages, type MoveTarget } from './message-moves.ts';
import { messageReads, type MessageRow, type NewMessage, openTopic } from './messages.ts';
import { findOne, list, type NewEvent, type Operation, record, run } from './operation.ts';
import { recordFlags } from './read-marks.ts';
import { findLiveStream, type StreamRow } from './streams.ts';

/** One change of a message; what did not change is null. */
export interface MessageEditRow {
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
  | 'content'
  | 'rendered'
  | 'isMeMessage'
  | 'hasWildcardMention'
  | 'hasLink'
  | 'hasImage'
  | 'hasAttachment'
  | 'mentionedUserIds'
  | 'attachmentPaths'
  | 'alertedUserIds'
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
  /** Where the caller saw the message: its permissions were decided there. */
  readonly seen: Pick<MessageRow, 'recipient_id' | 'topic'>;
  readonly content: NewContent | null;
  readonly move: MovePlan | null;
}

export interface EditFacts {
  readonly before: MessageRow;
  readonly after: MessageRow;
  /** Who may be told of a change of the content alone. */
  readonly audience: Audience;
  /** Null when only the content changed. */
  readonly moved: (Moved & { readonly from: StreamRow; readonly to: StreamRow }) | null;
}

/** How the domain puts an edit into events. */
export type EditEvents = (facts: EditFacts) => readonly NewEvent[];

/** The message was moved since the caller looked: it has to look again. */
export class MessageMoved extends Error {
  override readonly name = 'MessageMoved';
}

const LIST_EDITS = `SELECT message_id, editor_id, edited_at, prev_content, prev_rendered, prev_topic, prev_stream_id,
  is_named FROM message_edit WHERE message_id = :id ORDER BY id`;
const FIND_TOPIC_ID = 'SELECT topic_id AS id FROM message WHERE id = :id';
const INSERT_EDIT = `INSERT INTO message_edit (message_id, editor_id, edited_at, prev_content, prev_rendered,
    prev_topic, prev_stream_id, is_named)
  VALUES (:messageId, :editorId, :editedAt, :prevContent, :prevRendered, :prevTopic, :prevStreamId, 1)`;
const SET_EDITED = 'UPDATE message SET edited_at = :editedAt WHERE id = :messageId';
const SET_CONTENT = `UPDATE message SET content = :content, rendered = :rendered, is_me_message = :isMeMessage,
    has_wildcard_mention = :hasWildcardMention, has_link = :hasLink, has_image = :hasImage,
    has_attachment = :hasAttachment
  WHERE id = :messageId`;
const LIST_FLAGGED =
  'SELECT account_id AS id FROM message_flag WHERE message_id = :messageId AND flag = :flag';
const DELETE_FLAG =
  'DELETE FROM message_flag WHERE message_id = :messageId AND account_id = :userId AND flag = :flag';
const INSERT_FLAG = `INSERT INTO message_flag (account_id, message_id, flag)
  SELECT :userId, m.id, :flag FROM message m WHERE m.id = :messageId AND (${HELD} OR ${HISTORICAL})`;
const INSERT_PENDING =
  'INSERT INTO search_pending (message_id) VALUES (:messageId) ON CONFLICT DO NOTHING';

export const messageEditReads = {
  /** All changes of the given messages, each message's oldest first. */
  *listMessageEdits(ids: readonly number[]): Operation<readonly MessageEditRow[]> {
    const edits: MessageEditRow[] = [];
    for (const id of ids) edits.push(...(yield* list<MessageEditRow>(LIST_EDITS, { id })));
    return edits;
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

function* setContent(messageId: number, content: NewContent): Operation<void> {
  yield* run(SET_CONTENT, {
    messageId,
    content: content.content,
    rendered: content.rendered,
    isMeMessage: Number(content.isMeMessage),
    hasWildcardMention: Number(content.hasWildcardMention),
    hasLink: Number(content.hasLink),
    hasImage: Number(content.hasImage),
    hasAttachment: Number(content.hasAttachment),
  });
  yield* setFlagged(messageId, 'mentioned', content.mentionedUserIds);
  yield* setFlagged(messageId, 'has_alert_word', content.alertedUserIds ?? []);
  yield* linkAttachments(messageId, content.attachmentPaths ?? []);
  yield* run(INSERT_PENDING, { messageId });
}

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
  const from = yield* findLiveStreamOf(before.stream_id);
  const to = move.streamId === from.id ? from : yield* findLiveStreamOf(move.streamId);
  const topicId = (yield* findOne<{ id: number }>(FIND_TOPIC_ID, { id: before.id }))?.id ?? 0;
  const { propagate } = move;
  const moved = yield* moveMessages(
    {
      recipientId: before.recipient_id,
      topicId,
      firstId: propagate === 'change_all' ? 0 : before.id,
      lastId: propagate === 'change_one' ? before.id : Number.MAX_SAFE_INTEGER,
    },
    yield* openTarget(to, move),
    { namedId: before.id, editorId: plan.editorId, editedAt: plan.editedAt },
  );
  return { ...moved, from, to };
}

function* findLiveStreamOf(id: number | null): Operation<StreamRow> {
  const stream = id === null ? undefined : yield* findLiveStream(id);
  if (stream === undefined) throw new MessageMoved('the stream was archived');
  return stream;
}

/** Step: who is told of what happens to one message, copies included. */
export function* audienceOf(row: MessageRow): Operation<Audience> {
  if (row.stream_id === null) {
    return { kind: 'users', userIds: yield* messageReads.listParticipantIds(row.recipient_id) };
  }
  const alsoUserIds = (yield* listCopies(row.id)).map((copy) => copy.account_id);
  return {
    kind: 'holders',
    recipientId: row.recipient_id,
    messageId: row.id,
    publicStreamId: null,
    ...(alsoUserIds.length === 0 ? {} : { alsoUserIds }),
  };
}

function* getMessage(id: number): Operation<MessageRow> {
  const row = yield* messageReads.findMessage(id);
  if (row === undefined) throw invalidMessage();
  return row;
}

function* recordAll(events: readonly NewEvent[], moved: Moved | null): Operation<void> {
  for (const event of events) yield* record(event);
  for (const [userId, messageIds] of moved?.readNow ?? []) {
    yield* recordFlags(userId, { op: 'add', flag: 'read', messageIds });
  }
}

export const messageEditWrites = {
  /**
   * Changes a message's content, its place or both, and with the place that of others of its topic. What was there
   * before is kept in a line of history for each message.
   * @throws BAD_REQUEST when the message was deleted since the caller looked
   * @throws MessageMoved when it stands elsewhere by now, or a stream was archived
   */
  *editMessage(plan: EditPlan, events: EditEvents): Operation<void> {
    const { messageId, editorId, editedAt, seen, content, move } = plan;
    const before = yield* getMessage(messageId);
    if (before.recipient_id !== seen.recipient_id || before.topic !== seen.topic) {
      throw new MessageMoved(`message ${String(messageId)} was moved`);
    }
    const audience = yield* audienceOf(before);
    const moved = move === null ? null : yield* carryOut(before, plan, move);
    if (content !== null) yield* setContent(messageId, content);
    yield* run(INSERT_EDIT, {
      messageId,
      editorId,
      editedAt,
      prevContent: content === null ? null : before.content,
      prevRendered: content === null ? null : before.rendered,
      prevTopic: move === null || move.topic === before.topic ? null : before.topic,
      prevStreamId: move === null || move.streamId === before.stream_id ? null : before.stream_id,
    });
    yield* run(SET_EDITED, { messageId, editedAt });
    const after = yield* getMessage(messageId);
    yield* recordAll(events({ before, after, audience, moved }), moved);
  },
};
