/** Archived streams, and what brings them back. */
import { keepFormerName, settleStream } from './access.ts';
import { findOne, list, type Operation, run } from '#service/db/operation.ts';
import { STREAM_COLUMNS, type StreamRow } from './streams.ts';

export interface ArchivedStreamRow extends StreamRow {
  /** UNIX seconds; null where nobody wrote it down. */
  readonly archived_at: number | null;
}

/** Those who were in it and are active; and who is active again and was in it before being deactivated. */
const RETURNING = `SELECT m.account_id AS id, m.recipient_id FROM membership m WHERE m.is_archived = 1
  UNION SELECT p.account_id, p.recipient_id FROM suspended_subscription p`;
const LIST = `SELECT ${STREAM_COLUMNS}, s.archived_at FROM stream s WHERE s.is_archived = 1 ORDER BY s.id`;
const LIST_RETURNING = `SELECT r.recipient_id, r.id FROM (${RETURNING}) r
  JOIN stream s ON s.recipient_id = r.recipient_id JOIN account a ON a.id = r.id
  WHERE s.is_archived = 1 AND a.is_active = 1 ORDER BY r.recipient_id, r.id`;

const RESTORE = `UPDATE stream SET is_archived = 0, archived_at = NULL, name = :name, name_key = :nameKey,
    is_history_public = :isHistoryPublic, is_history_sealed = :isHistorySealed
  WHERE id = :id`;
/** Nobody could send there meanwhile: it is as if they had never left. */
const REOPEN = `UPDATE membership SET until_id = NULL, is_archived = 0
  WHERE recipient_id = :recipientId AND is_archived = 1
    AND account_id IN (SELECT id FROM account WHERE is_active = 1)`;
const SUSPEND = `INSERT INTO suspended_subscription (account_id, recipient_id)
  SELECT account_id, recipient_id FROM membership WHERE recipient_id = :recipientId AND is_archived = 1
  ON CONFLICT DO NOTHING`;
const FORGET = `UPDATE membership SET is_archived = 0
  WHERE recipient_id = :recipientId AND is_archived = 1`;
const RESUME = `INSERT INTO membership (recipient_id, account_id, from_id)
  SELECT p.recipient_id, p.account_id, (SELECT id FROM newest_message)
  FROM suspended_subscription p JOIN account a ON a.id = p.account_id
  WHERE p.recipient_id = :recipientId AND a.is_active = 1 AND NOT EXISTS (SELECT 1 FROM membership m
    WHERE m.recipient_id = p.recipient_id AND m.account_id = p.account_id AND m.until_id IS NULL)`;
const FORGET_SUSPENDED = `DELETE FROM suspended_subscription
  WHERE recipient_id = :recipientId AND account_id IN (SELECT id FROM account WHERE is_active = 1)`;
const LIST_MUTING = `SELECT DISTINCT u.account_id AS id FROM topic t JOIN muted_topic u ON u.topic_id = t.id
  WHERE t.recipient_id = :recipientId ORDER BY u.account_id`;
const FIND_PERSON = `SELECT m.id FROM membership m JOIN account a ON a.id = m.account_id
  WHERE m.recipient_id = :recipientId AND m.until_id IS NULL AND a.is_active = 1 AND a.bot_type IS NULL
  LIMIT 1`;

export const archivedStreamReads = {
  /** By id. */
  *listArchivedStreams(): Operation<readonly ArchivedStreamRow[]> {
    return yield* list<ArchivedStreamRow>(LIST);
  },
  /** Active accounts that would be in an archived stream again, ascending, by its recipient. */
  *listReturning(): Operation<ReadonlyMap<number, readonly number[]>> {
    const byRecipient = new Map<number, number[]>();
    for (const row of yield* list<{ recipient_id: number; id: number }>(LIST_RETURNING)) {
      const ids = byRecipient.get(row.recipient_id);
      if (ids === undefined) byRecipient.set(row.recipient_id, [row.id]);
      else ids.push(row.id);
    }
    return byRecipient;
  },
  /** Accounts that muted topics of a stream, ascending. */
  *listMutingIds(recipientId: number): Operation<readonly number[]> {
    return (yield* list<{ id: number }>(LIST_MUTING, { recipientId })).map((row) => row.id);
  },
  /** Whether an active account that is no bot belongs to a stream. */
  *hasPerson(recipientId: number): Operation<boolean> {
    return (yield* findOne(FIND_PERSON, { recipientId })) !== undefined;
  },
};

export const archivedStreamWrites = {
  /** Puts everybody back who was in an archived stream and is active. Others follow when they are. */
  *returnMembers(recipientId: number): Operation<void> {
    yield* run(REOPEN, { recipientId });
    yield* run(SUSPEND, { recipientId });
    yield* run(FORGET, { recipientId });
    yield* run(RESUME, { recipientId });
    yield* run(FORGET_SUSPENDED, { recipientId });
  },
  /** Ends that a stream is archived, with its name and history as they are after it. Its members are there already. */
  *restoreStream(before: StreamRow, after: StreamRow): Operation<void> {
    yield* run(RESTORE, {
      id: after.id,
      name: after.name,
      nameKey: after.name_key,
      isHistoryPublic: after.is_history_public,
      isHistorySealed: after.is_history_sealed,
    });
    yield* settleStream(after.recipient_id);
    if (before.name !== after.name) yield* keepFormerName(before.recipient_id, before.name);
  },
};
