/** Deleting messages for good. */
import type { Audience } from '#service/db/event-log.ts';
import { listFormerHolderIds } from '#service/features/streams/queries/access.ts';
import { forgetUnnamed, unlinkAll } from '#service/features/files/queries/attachments.ts';
import { audienceOf } from './message-edits.ts';
import { refreshFirstMessage } from './message-moves.ts';
import { messageReads } from './messages.ts';
import { type MessageRow } from './message-rows.ts';
import { INSERT_PENDING } from './pending-index.ts';
import { findOne, list, type Operation, run } from '#service/db/operation.ts';
import { forgetReadState } from '#service/features/reading/queries/read-state.ts';
import { type PageSelection, whereOf } from '#service/features/reading/queries/narrow-sql.ts';
import { countSent } from '#service/features/streams/queries/traffic.ts';

/** What is told of a message that is gone. */
export interface DeletedRow extends Pick<
  MessageRow,
  'id' | 'stream_id' | 'recipient_id' | 'topic' | 'sender_id'
> {
  readonly sender_email: string;
}

export interface Deletion {
  readonly deleted: readonly Deleted[];
  /** Paths of the files that went with them. */
  readonly filePaths: readonly string[];
}

/** A message that was deleted, with whom that concerns. */
export interface Deleted {
  readonly message: DeletedRow;
  /** Those who could read it. */
  readonly audience: Audience;
  /** Those who held it and might no longer read where it stood. */
  readonly formerIds: readonly number[];
}

interface SentBy {
  readonly id: number;
  readonly sender_id: number;
}

const DELETE_DEPENDENTS = [
  'DELETE FROM reaction WHERE message_id = :id',
  'DELETE FROM submessage WHERE message_id = :id',
  'DELETE FROM kept_version WHERE message_id = :id',
  'DELETE FROM message_edit WHERE message_id = :id',
  'DELETE FROM bot_delivery WHERE message_id = :id',
  // Nobody gives it back.
  'INSERT INTO deleted_message (message_id) VALUES (:id) ON CONFLICT DO NOTHING',
  // The search index still holds it, and is told here to let it go.
  INSERT_PENDING,
];
const LIST_DELETED = 'SELECT message_id AS id FROM deleted_message ORDER BY message_id';
const SENDER = 'SELECT email FROM account WHERE id = :senderId';
const DELETE = 'DELETE FROM message WHERE id = :id';

const deletedRow = (row: MessageRow, sender_email: string): DeletedRow => ({
  id: row.id,
  stream_id: row.stream_id,
  recipient_id: row.recipient_id,
  topic: row.topic,
  sender_id: row.sender_id,
  sender_email,
});

export const messageDeleteReads = {
  /** Ids of every message that was deleted, ascending. */
  *listDeletedIds(): Operation<readonly number[]> {
    return (yield* list<{ id: number }>(LIST_DELETED)).map(({ id }) => id);
  },
  /** Selected messages with their authors, those after an id first. */
  *listSelectedSenders(
    selection: PageSelection,
    after: number,
    limit: number,
  ): Operation<readonly SentBy[]> {
    const where = whereOf(selection);
    return yield* list<SentBy>(
      `SELECT m.id, m.sender_id FROM message m WHERE m.id > :after AND ${where.sql}
        ORDER BY m.id LIMIT :limit`,
      { ...where.values, after, limit },
    );
  },
  /** Those of some messages that are selected, ascending. */
  *listSelectedOf(selection: PageSelection, ids: readonly number[]): Operation<readonly number[]> {
    const where = whereOf(selection);
    const rows = yield* list<{ id: number }>(
      `SELECT m.id FROM json_each(:ids) j CROSS JOIN message m ON m.id = j.value
        WHERE ${where.sql} ORDER BY m.id`,
      { ...where.values, ids: JSON.stringify(ids) },
    );
    return rows.map((row) => row.id);
  },
};

function* deleteOne(row: MessageRow): Operation<Deleted> {
  const { id } = row;
  const audience = yield* audienceOf(row);
  const formerIds = yield* listFormerHolderIds(id);
  yield* forgetReadState(id);
  for (const sql of DELETE_DEPENDENTS) yield* run(sql, { id });
  yield* run(DELETE, { id });
  const sender = yield* findOne<{ email: string }>(SENDER, { senderId: row.sender_id });
  return { message: deletedRow(row, sender?.email ?? ''), audience, formerIds };
}

export const messageDeleteWrites = {
  /**
   * Deletes messages with everything that belongs to them, also the files that nothing else names; those that are not
   * there are passed over.
   */
  *deleteMessages(ids: readonly number[]): Operation<Deletion> {
    yield* countSent();
    const deleted: Deleted[] = [];
    const fileIds: number[] = [];
    for (const id of ids) {
      const row = yield* messageReads.findMessage(id);
      if (row === undefined) continue;
      fileIds.push(...(yield* unlinkAll(id)));
      deleted.push(yield* deleteOne(row));
    }
    // Once no history of these is left that could name them.
    const filePaths = yield* forgetUnnamed(fileIds);
    const recipientIds = new Set(deleted.map(({ message }) => message.recipient_id));
    for (const recipientId of recipientIds) yield* refreshFirstMessage(recipientId);
    return { deleted, filePaths };
  },
};
