/**
 * Read state (architecture 5): what an account has read is a few marks "read through this message", and an
 * exception for each message that the marks say wrongly. The steps here are parts of other operations.
 */
import { findOne, type Operation, run } from '../operation.ts';

/** Whether a mark of the account `a` covers the message `m` in the place that is named. */
const marked = (recipient: string, topic: string): string => `(EXISTS (SELECT 1 FROM read_mark r
    WHERE r.account_id = a.account_id AND r.recipient_id = 0 AND r.topic_id = 0 AND r.through_id >= m.id)
  OR EXISTS (SELECT 1 FROM read_mark r WHERE r.account_id = a.account_id
    AND r.recipient_id = ${recipient} AND r.topic_id IN (0, ${topic}) AND r.through_id >= m.id))`;
/** Whether a message `m` that the account `a` holds is unread there, before it moves. */
export const UNREAD_BY = `(COALESCE((SELECT e.is_read FROM read_exception e
    WHERE e.account_id = a.account_id AND e.message_id = m.id),
    a.account_id = m.sender_id OR ${marked('m.recipient_id', 'm.topic_id')}) = 0)`;
const heldIn = (recipient: string, message = 'm.id', account = 'a.account_id'): string =>
  `EXISTS (SELECT 1 FROM membership h WHERE h.recipient_id = ${recipient}
    AND h.account_id = ${account} AND h.from_id < ${message}
    AND (h.until_id IS NULL OR ${message} <= h.until_id))`;
/** It came to where the account had been after they had lost access: they hold it by its id alone. */
export const hiddenFrom = (account: string, message = 'm.id'): string =>
  `EXISTS (SELECT 1 FROM kept_version x WHERE x.account_id = ${account}
    AND x.message_id = ${message} AND x.edit_id IS NULL)`;
/** Whether the account holds the message in the new place, and is shown it there. */
const comesTo = (message: string, account: string): string =>
  `(${heldIn(':toRecipientId', message, account)} AND NOT EXISTS (SELECT 1 FROM lost_access l
    WHERE l.recipient_id = :toRecipientId AND l.account_id = ${account}))`;
/** Inside a stream only marks of the two topics say something else after the move. */
const KEEP_IN_STREAM = `INSERT INTO read_exception (account_id, message_id, is_read)
  SELECT a.account_id, m.id, ${marked('m.recipient_id', 'm.topic_id')}
  FROM message m
  JOIN (SELECT DISTINCT k.account_id FROM read_mark k WHERE k.recipient_id = :toRecipientId
      AND k.topic_id IN ((SELECT o.topic_id FROM message o WHERE o.id = :id), :toTopicId)) a
    ON a.account_id <> m.sender_id
  WHERE m.id = :id AND m.recipient_id = :toRecipientId
    AND ${heldIn('m.recipient_id')}
    AND ${marked('m.recipient_id', 'm.topic_id')} <> ${marked(':toRecipientId', ':toTopicId')}
    AND NOT EXISTS (SELECT 1 FROM read_exception e
      WHERE e.account_id = a.account_id AND e.message_id = m.id)`;
const FORGET_LOST = `DELETE FROM read_exception WHERE message_id = :id
  AND (NOT ${comesTo('read_exception.message_id', 'read_exception.account_id')}
    OR ${hiddenFrom('read_exception.account_id', 'read_exception.message_id')})`;
/** Who was a member of the new place at the time no longer needs a copy. */
const FORGET_COPIES = `DELETE FROM message_flag WHERE message_id = :id AND flag = 'historical'
  AND ${heldIn(':toRecipientId', 'message_flag.message_id', 'message_flag.account_id')}`;
/** Between streams: who held it keeps the state, and to whom it is new it is old news, like all history. */
const BEFORE = `CASE WHEN ${heldIn('m.recipient_id')} AND NOT ${hiddenFrom('a.account_id')}
  THEN ${marked('m.recipient_id', 'm.topic_id')} ELSE 1 END`;
const KEEP_BETWEEN_STREAMS = `INSERT INTO read_exception (account_id, message_id, is_read)
  SELECT a.account_id, m.id, ${BEFORE}
  FROM message m
  JOIN (SELECT DISTINCT n.account_id FROM membership n WHERE n.recipient_id = :toRecipientId) a
    ON a.account_id <> m.sender_id
  WHERE m.id = :id AND ${comesTo('m.id', 'a.account_id')}
    AND ${BEFORE} <> ${marked(':toRecipientId', ':toTopicId')}
    AND NOT EXISTS (SELECT 1 FROM read_exception e
      WHERE e.account_id = a.account_id AND e.message_id = m.id)`;
const IS_MOVE_INSIDE = 'SELECT 1 FROM message WHERE id = :id AND recipient_id = :toRecipientId';

const FORGET_EXCEPTIONS = 'DELETE FROM read_exception WHERE message_id = :id';
const FORGET_FLAGS = 'DELETE FROM message_flag WHERE message_id = :id';

const READ_BY_ALL = `INSERT INTO read_exception (account_id, message_id, is_read)
  SELECT DISTINCT a.account_id, m.id, 1 FROM message m
  JOIN membership a ON a.recipient_id = m.recipient_id AND a.from_id < m.id
    AND (a.until_id IS NULL OR m.id <= a.until_id)
  WHERE m.id = :id AND ${UNREAD_BY} ON CONFLICT DO NOTHING`;

/** Where messages are about to go. */
export interface Move {
  readonly messageIds: readonly number[];
  readonly toRecipientId: number;
  readonly toTopicId: number;
}

/**
 * Step, to be taken before the rows of messages are moved to another topic or stream: for everybody who holds a
 * message afterwards it stays read or unread as it was. Between streams it is read for those to whom it is new; who
 * loses it or keeps it as a historical copy is the caller's to see to, and from whom it is hidden only afterwards.
 */
export function* keepReadState({ messageIds, toRecipientId, toTopicId }: Move): Operation<void> {
  for (const id of messageIds) {
    const values = { id, toRecipientId, toTopicId };
    if ((yield* findOne(IS_MOVE_INSIDE, { id, toRecipientId })) !== undefined) {
      yield* run(KEEP_IN_STREAM, values);
      continue;
    }
    yield* run(FORGET_LOST, { id, toRecipientId });
    yield* run(KEEP_BETWEEN_STREAMS, values);
    yield* run(FORGET_COPIES, { id, toRecipientId });
  }
}

/** Step: nobody who holds the message has it unread. */
export function* readByAll(messageId: number): Operation<void> {
  yield* run(READ_BY_ALL, { id: messageId });
}

/** Step, to be taken before the row of a message is deleted: its flags and read state of every account. */
export function* forgetReadState(messageId: number): Operation<void> {
  yield* run(FORGET_EXCEPTIONS, { id: messageId });
  yield* run(FORGET_FLAGS, { id: messageId });
}
