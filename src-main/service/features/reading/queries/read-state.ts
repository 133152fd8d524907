/**
 * Read state (architecture 5): what an account has read is a few marks "read through this message", and an
 * exception for each message that the marks say wrongly. The steps here are parts of other operations.
 */
import { type Operation, run } from '#service/db/operation.ts';

/** Whether a mark of the account `a` covers the message `m` in the place that is named. */
const marked = (recipient: string, topic: string): string => `(EXISTS (SELECT 1 FROM read_mark r
    WHERE r.account_id = a.account_id AND r.recipient_id = 0 AND r.topic_id = 0 AND r.through_id >= m.id)
  OR EXISTS (SELECT 1 FROM read_mark r WHERE r.account_id = a.account_id
    AND r.recipient_id = ${recipient} AND r.topic_id IN (0, ${topic}) AND r.through_id >= m.id))`;
/** Whether a message `m` that the account `a` holds is unread there, before it moves. */
const UNREAD_BY = `(COALESCE((SELECT e.is_read FROM read_exception e
    WHERE e.account_id = a.account_id AND e.message_id = m.id),
    a.account_id = m.sender_id OR ${marked('m.recipient_id', 'm.topic_id')}) = 0)`;
const FORGET_EXCEPTIONS = 'DELETE FROM read_exception WHERE message_id = :id';
const FORGET_FLAGS = 'DELETE FROM message_flag WHERE message_id = :id';

const READ_BY_ALL = `INSERT INTO read_exception (account_id, message_id, is_read)
  SELECT DISTINCT a.account_id, m.id, 1 FROM message m
  JOIN membership a ON a.recipient_id = m.recipient_id AND a.from_id < m.id
    AND (a.until_id IS NULL OR m.id <= a.until_id)
  WHERE m.id = :id AND ${UNREAD_BY} ON CONFLICT DO NOTHING`;

/** Step: nobody who holds the message has it unread. */
export function* readByAll(messageId: number): Operation<void> {
  yield* run(READ_BY_ALL, { id: messageId });
}

/** Step, to be taken before the row of a message is deleted: its flags and read state of every account. */
export function* forgetReadState(messageId: number): Operation<void> {
  yield* run(FORGET_EXCEPTIONS, { id: messageId });
  yield* run(FORGET_FLAGS, { id: messageId });
}
