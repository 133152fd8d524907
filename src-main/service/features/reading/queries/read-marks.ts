/** Marking everything, a stream or a topic as read (architecture 5): one row, however many messages. */
import { refusal } from '#shared/api/refusal.ts';
import { findOne, type Operation, record, run } from '#service/db/operation.ts';
import { compact, PUT_MARK } from './read-compaction.ts';
import type { StreamRow } from '#service/features/streams/queries/streams.ts';
import { streamReads } from '#service/features/streams/queries/streams.ts';
import { HELD, HISTORICAL } from './narrow-sql.ts';
import { isAnythingUnread, walkUnread } from './unread.ts';
import { UNREAD_LIMIT } from './unread-list.ts';

const NEWEST = 'SELECT COALESCE(MAX(id), 0) AS id FROM message';
const FORGET_ALL = 'DELETE FROM read_exception WHERE account_id = :userId';
const FORGET_IN = (column: string): string => `DELETE FROM read_exception
  WHERE account_id = :userId AND EXISTS (SELECT 1 FROM message m
    WHERE m.id = read_exception.message_id AND m.${column} = :placeId)`;
const FORGET_TOPIC_MARKS = `DELETE FROM read_mark
  WHERE account_id = :userId AND recipient_id = :recipientId AND topic_id <> 0`;
const FIND_TOPIC =
  'SELECT id FROM topic WHERE recipient_id = :recipientId AND name_key = :topicKey';
/** The newest is held by whoever is a member now; looking on only matters for those who have left. */
const IS_ANY_HELD = `SELECT m.id FROM message m WHERE m.topic_id = :topicId
  AND (${HELD} OR ${HISTORICAL}) ORDER BY m.id DESC LIMIT 1`;

/** Whether the account may act on the stream. */
export type MayUse = (stream: StreamRow, isSubscribed: boolean) => boolean;

export interface MarkPlace {
  readonly userId: number;
  readonly streamId: number;
  /** Null for the whole stream; otherwise the topic's name as the service folds it. */
  readonly topicKey: string | null;
}

function* newestId(): Operation<number> {
  return (yield* findOne<{ id: number }>(NEWEST))?.id ?? 0;
}

/** Step: tells the accounts which of their messages carry a flag now, or no longer do. */
export function* recordFlags(
  userIds: readonly number[],
  change: {
    readonly op: 'add' | 'remove';
    readonly flag: string;
    /** Ascending; null for all. */
    readonly messageIds: readonly number[] | null;
  },
): Operation<void> {
  const { op, flag, messageIds } = change;
  yield* record({
    type: 'update_message_flags',
    audience: { kind: 'users', userIds },
    payload: { op, operation: op, flag, messages: messageIds ?? [], all: messageIds === null },
  });
}

const invalidStream = (): Error => refusal('no_such_stream_id');

function* openPlace(
  { userId, streamId, topicKey }: MarkPlace,
  mayUse: MayUse,
): Operation<{ readonly recipientId: number; readonly topicId: number }> {
  const stream = yield* streamReads.findStream(streamId);
  if (stream === undefined || stream.is_archived === 1) throw invalidStream();
  const { recipient_id: recipientId } = stream;
  if (!mayUse(stream, yield* streamReads.isMember(recipientId, userId))) throw invalidStream();
  if (topicKey === null) return { recipientId, topicId: 0 };
  const topic = yield* findOne<{ id: number }>(FIND_TOPIC, { recipientId, topicKey });
  const topicId = topic?.id ?? 0;
  if (topicId === 0 || (yield* findOne(IS_ANY_HELD, { userId, topicId })) === undefined) {
    throw refusal('no_such_topic');
  }
  return { recipientId, topicId };
}

export const readMarkWrites = {
  recordFlags,
  /** Marks everything that the account holds as read; nothing happens where nothing is unread. */
  *markAllAsRead(userId: number): Operation<void> {
    if (!(yield* isAnythingUnread(userId))) return;
    const through = yield* newestId();
    yield* run(PUT_MARK, { userId, recipientId: 0, topicId: 0, through });
    yield* run(FORGET_ALL, { userId });
    yield* recordFlags([userId], { op: 'add', flag: 'read', messageIds: null });
  },
  /**
   * Marks a stream or a topic as read. The event names at most the newest 50,000 messages, which are those that
   * clients are ever told to be unread.
   * @throws BAD_REQUEST when the stream is absent, archived or closed to the account, or it holds nothing in the topic
   */
  *markPlaceAsRead(place: MarkPlace, mayUse: MayUse): Operation<void> {
    const { userId } = place;
    const { recipientId, topicId } = yield* openPlace(place, mayUse);
    const unread = yield* walkUnread<{ id: number }>(
      topicId === 0 ? { userId, recipientId } : { userId, recipientId, topicId },
      { select: 'SELECT m.id FROM message m', order: 'descending', limit: UNREAD_LIMIT },
    );
    if (unread.length === 0) return;
    const through = yield* newestId();
    yield* run(PUT_MARK, { userId, recipientId, topicId, through });
    if (topicId === 0) {
      yield* run(FORGET_IN('recipient_id'), { userId, placeId: recipientId });
      yield* run(FORGET_TOPIC_MARKS, { userId, recipientId });
    } else {
      yield* run(FORGET_IN('topic_id'), { userId, placeId: topicId });
      yield* compact(userId, { recipientId, topicId: 0 });
    }
    const messageIds = unread.map((row) => row.id).reverse();
    yield* recordFlags([userId], { op: 'add', flag: 'read', messageIds });
  },
};
