/** Which message was sent under which local id of its sender, so that a repeated send is answered and not carried out. */
import { refusal } from '#shared/api/refusal.ts';
import { findOne, type Operation, run } from '#service/db/operation.ts';

/** A sender's own id that names one message for good. */
export interface LocalId {
  readonly text: string;
  /** Tells messages apart: where it goes and what it says, as the sender asked for it. */
  readonly digest: string;
}

/** Ids may be forgotten after this time: nobody repeats a send that long. */
const KEPT_SECONDS = 30 * 86_400;

const FIND = `SELECT message_id, digest FROM sent_local_id
  WHERE account_id = :senderId AND local_id = :text`;
const INSERT = `INSERT INTO sent_local_id (message_id, account_id, local_id, digest, sent_at)
  VALUES (:messageId, :senderId, :text, :digest, :sentAt)`;
/** Two for each one that comes: what has become too old goes away without anybody looking through all of it. */
const FORGET_OLDEST = `DELETE FROM sent_local_id
  WHERE message_id IN (SELECT message_id FROM sent_local_id ORDER BY message_id LIMIT 2)
    AND sent_at < :before`;

export const localIdReads = {
  /**
   * The message that was sent under a local id, even if it was deleted since; undefined where there was none.
   * @throws BAD_REQUEST when it was another message
   */
  *findSentMessage(senderId: number, { text, digest }: LocalId): Operation<number | undefined> {
    const sent = yield* findOne<{ message_id: number; digest: string }>(FIND, { senderId, text });
    if (sent !== undefined && sent.digest !== digest) {
      throw refusal('local_id_taken', { local_id: text });
    }
    return sent?.message_id;
  },
};

/** Step: keeps the local id of a message that is being stored. @param sentAt  UNIX seconds */
export function* rememberLocalId(
  { text, digest }: LocalId,
  message: { readonly messageId: number; readonly senderId: number; readonly sentAt: number },
): Operation<void> {
  yield* run(INSERT, { ...message, text, digest });
  yield* run(FORGET_OLDEST, { before: message.sentAt - KEPT_SECONDS });
}
