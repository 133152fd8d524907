/** What experimental integrations attach to messages (API decisions 5 and 7.1). */
import { insert, list, type Operation } from '#service/db/operation.ts';

export interface SubmessageRow {
  readonly id: number;
  readonly message_id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  readonly content: string;
}

const LIST = `SELECT id, message_id, sender_id, msg_type, content FROM submessage
  WHERE message_id = :messageId ORDER BY id`;
const INSERT = `INSERT INTO submessage (message_id, sender_id, msg_type, content)
  VALUES (:messageId, :senderId, :type, :content)`;

/** Step: the submessages of messages, in the order of adding; messages without any are absent. */
export function* listSubmessages(
  messageIds: readonly number[],
): Operation<ReadonlyMap<number, readonly SubmessageRow[]>> {
  const found = new Map<number, readonly SubmessageRow[]>();
  for (const messageId of messageIds) {
    const rows = yield* list<SubmessageRow>(LIST, { messageId });
    if (rows.length > 0) found.set(messageId, rows);
  }
  return found;
}

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
