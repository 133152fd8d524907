/** What experimental integrations attach to messages (API decisions 5 and 7.1). */
import { findOne, insert, list, type Operation } from '../operation.ts';

export interface SubmessageRow {
  readonly id: number;
  readonly message_id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  readonly content: string;
}

const ANY_BETWEEN = 'SELECT 1 FROM submessage WHERE message_id BETWEEN :lowId AND :highId LIMIT 1';
const LIST = `SELECT id, message_id, sender_id, msg_type, content FROM submessage
  WHERE message_id = :messageId ORDER BY id`;
const INSERT = `INSERT INTO submessage (message_id, sender_id, msg_type, content)
  VALUES (:messageId, :senderId, :type, :content)`;

export const submessageReads = {
  /** The submessages of messages, in the order of adding; messages without any are absent. */
  *listSubmessages(
    messageIds: readonly number[],
  ): Operation<ReadonlyMap<number, readonly SubmessageRow[]>> {
    const found = new Map<number, readonly SubmessageRow[]>();
    if (messageIds.length === 0) return found;
    const lowId = messageIds.reduce((low, id) => Math.min(low, id));
    const highId = messageIds.reduce((high, id) => Math.max(high, id));
    // Hardly any page has one, and then one look is all it costs.
    if ((yield* findOne(ANY_BETWEEN, { lowId, highId })) === undefined) return found;
    for (const messageId of messageIds) {
      const rows = yield* list<SubmessageRow>(LIST, { messageId });
      if (rows.length > 0) found.set(messageId, rows);
    }
    return found;
  },
};

export const submessageWrites = {
  /** Attaches a submessage to a message; answers its id. */
  *addSubmessage(submessage: {
    readonly messageId: number;
    readonly senderId: number;
    readonly type: string;
    readonly content: string;
  }): Operation<number> {
    return yield* insert(INSERT, submessage);
  },
};
