/** Copies of messages that an account did not get when they were sent (API decisions 5, `flags`). */
import { type Operation, run } from '#service/db/operation.ts';
import { HELD, HISTORICAL } from './narrow-sql.ts';

const KEEP = `INSERT INTO message_flag (account_id, message_id, flag)
  SELECT :userId, m.id, 'historical' FROM message m
  WHERE m.id = :messageId AND NOT ${HELD} AND NOT ${HISTORICAL}`;

/** Step: makes the account a holder of a message that it does not hold yet. What was never delivered is read. */
export function* keepHistorical(userId: number, messageId: number): Operation<void> {
  yield* run(KEEP, { userId, messageId });
}
