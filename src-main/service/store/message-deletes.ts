/** Deleting messages for good. */
import { invalidMessage } from '../../contract/errors.ts';
import type { Audience } from '../../contract/log.ts';
import { linkAttachments } from './attachments.ts';
import { audienceOf } from './message-edits.ts';
import { refreshFirstMessage } from './message-moves.ts';
import { messageReads, type MessageRow } from './messages.ts';
import { findOne, list, type NewEvent, type Operation, record, run } from './operation.ts';
import { forgetReadState } from './read-state.ts';
import { type PageSelection, whereOf } from './selection.ts';

/** What is told of a message that is gone. */
export interface DeletedRow extends Pick<
  MessageRow,
  'id' | 'stream_id' | 'recipient_id' | 'topic' | 'sender_id'
> {
  readonly sender_email: string;
}

/** How the domain puts the end of a message into an event. */
export type DeleteEvent = (row: DeletedRow, audience: Audience) => NewEvent;

const DELETE_DEPENDENTS = [
  'DELETE FROM reaction WHERE message_id = :id',
  'DELETE FROM submessage WHERE message_id = :id',
  'DELETE FROM message_edit WHERE message_id = :id',
  'DELETE FROM bot_delivery WHERE message_id = :id',
  // The search index still holds it, and is told here to let it go.
  'INSERT INTO search_pending (message_id) VALUES (:id) ON CONFLICT DO NOTHING',
];
const SENDER = 'SELECT email FROM account WHERE id = :senderId';
const DELETE = 'DELETE FROM message WHERE id = :id';

export const messageDeleteReads = {
  /** All selected ids, ascending. */
  *listSelectedIds(selection: PageSelection): Operation<readonly number[]> {
    const where = whereOf(selection);
    const rows = yield* list<{ id: number }>(
      `SELECT m.id FROM message m WHERE ${where.sql} ORDER BY m.id`,
      where.values,
    );
    return rows.map((row) => row.id);
  },
};

export const messageDeleteWrites = {
  /**
   * Deletes messages with everything that belongs to them, and announces each; those that are gone already are
   * passed over.
   * @throws BAD_REQUEST when all of them are gone
   */
  *deleteMessages(ids: readonly number[], event: DeleteEvent): Operation<void> {
    const recipientIds = new Set<number>();
    for (const id of ids) {
      const row = yield* messageReads.findMessage(id);
      if (row === undefined) continue;
      const audience = yield* audienceOf(row);
      yield* forgetReadState(id);
      yield* linkAttachments(id, []);
      for (const sql of DELETE_DEPENDENTS) yield* run(sql, { id });
      yield* run(DELETE, { id });
      const sender = yield* findOne<{ email: string }>(SENDER, { senderId: row.sender_id });
      yield* record(event({ ...row, sender_email: sender?.email ?? '' }, audience));
      recipientIds.add(row.recipient_id);
    }
    if (recipientIds.size === 0) throw invalidMessage();
    for (const recipientId of recipientIds) yield* refreshFirstMessage(recipientId);
  },
};
