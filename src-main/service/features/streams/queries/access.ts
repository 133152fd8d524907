/**
 * Who holds messages of a stream that they may no longer read, and what those messages said while they might (API
 * decisions 10.5). A row of `lost_access` is the one place where that is decided; every change of a membership, of
 * a role or of what a stream shows brings it up to date.
 */
import type { Audience } from '#service/db/event-log.ts';
import { list, type Operation, run } from '#service/db/operation.ts';

const HAS_ACCESS = `(EXISTS (SELECT 1 FROM membership n WHERE n.recipient_id = s.recipient_id
    AND n.account_id = a.id AND n.until_id IS NULL) OR (s.is_private = 0 AND a.role <> 'guest'))`;

const regained = (where: string): string => `DELETE FROM lost_access WHERE ${where}
  AND EXISTS (SELECT 1 FROM account a JOIN stream s ON s.recipient_id = lost_access.recipient_id
    WHERE a.id = lost_access.account_id AND ${HAS_ACCESS})`;
/** What is readable again is shown as it is. */
const forgetVersions = (where: string): string => `DELETE FROM kept_version WHERE ${where}
  AND edit_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM message m
    JOIN lost_access l ON l.account_id = kept_version.account_id AND l.recipient_id = m.recipient_id
    WHERE m.id = kept_version.message_id)`;
const lost = (where: string): string => `INSERT INTO lost_access (account_id, recipient_id)
  SELECT DISTINCT h.account_id, h.recipient_id FROM membership h
  JOIN account a ON a.id = h.account_id JOIN stream s ON s.recipient_id = h.recipient_id
  WHERE ${where} AND h.until_id IS NOT NULL AND s.is_archived = 0 AND NOT ${HAS_ACCESS}
  ON CONFLICT DO NOTHING`;
const lostCopies = (where: string): string => `INSERT INTO lost_access (account_id, recipient_id)
  SELECT DISTINCT f.account_id, m.recipient_id FROM message_flag f JOIN message m ON m.id = f.message_id
  JOIN account a ON a.id = f.account_id JOIN stream s ON s.recipient_id = m.recipient_id
  WHERE ${where} AND f.flag = 'historical' AND s.is_archived = 0 AND NOT ${HAS_ACCESS}
  ON CONFLICT DO NOTHING`;

const OF_ACCOUNT = 'account_id = :userId';
const OF_STREAM = 'recipient_id = :recipientId';
const IN_STREAM = 'message_id IN (SELECT i.id FROM message i WHERE i.recipient_id = :recipientId)';

/** Step: after a change of an account, or of all its memberships. */
export function* settleAccount(userId: number): Operation<void> {
  yield* run(regained(OF_ACCOUNT), { userId });
  yield* run(forgetVersions(OF_ACCOUNT), { userId });
  yield* run(lost(`h.${OF_ACCOUNT}`), { userId });
  yield* run(lostCopies(`f.${OF_ACCOUNT}`), { userId });
}

/** Step: after a stream became private or public. */
export function* settleStream(recipientId: number): Operation<void> {
  yield* run(regained(OF_STREAM), { recipientId });
  yield* run(forgetVersions(IN_STREAM), { recipientId });
  yield* run(lost(`h.${OF_STREAM}`), { recipientId });
  yield* run(lostCopies(`m.${OF_STREAM}`), { recipientId });
}

/** Step: after an account joined a stream. */
export function* regainAccess(recipientId: number, userId: number): Operation<void> {
  const where = `${OF_ACCOUNT} AND ${OF_STREAM}`;
  const count = yield* run(regained(where), { recipientId, userId });
  if (count > 0) yield* run(forgetVersions(OF_ACCOUNT), { userId });
}

/** Step: after an account left a stream. */
export function* loseAccess(recipientId: number, userId: number): Operation<void> {
  yield* run(lost(`h.${OF_ACCOUNT} AND h.${OF_STREAM}`), { recipientId, userId });
}

const KEEP_NAME = `UPDATE lost_access SET stream_name = :name
  WHERE recipient_id = :recipientId AND stream_name IS NULL`;

/** Step: after a stream was renamed; those who lost access, by the same change too, never hear the new name. */
export function* keepFormerName(recipientId: number, name: string): Operation<void> {
  yield* run(KEEP_NAME, { recipientId, name });
}

const holds = (account: string): string => `(EXISTS (SELECT 1 FROM membership h
    WHERE h.account_id = ${account} AND h.recipient_id = m.recipient_id AND h.from_id < m.id
      AND (h.until_id IS NULL OR m.id <= h.until_id))
  OR EXISTS (SELECT 1 FROM message_flag f
    WHERE f.message_id = m.id AND f.account_id = ${account} AND f.flag = 'historical'))`;

const VERSION_NOW = `(SELECT COALESCE(MAX(e.id), 0) FROM message_edit e WHERE e.message_id = m.id)`;
/** Messages of `message m` in the ranges of the accounts `l` that lost access to a stream, whose ranges lead to them. */
const inRangesOf = (recipientId: string): string => `FROM lost_access l
    CROSS JOIN membership h ON h.recipient_id = l.recipient_id AND h.account_id = l.account_id
    CROSS JOIN message m ON m.id > h.from_id AND m.id <= h.until_id
  WHERE l.recipient_id = ${recipientId}`;

/** Before messages of one stream change: those who lost access to it go on seeing them as they are now. */
export const keepRevisions = (
  where: string,
): string => `INSERT INTO kept_version (account_id, message_id, edit_id)
  SELECT l.account_id, m.id, ${VERSION_NOW} ${inRangesOf(':recipientId')} AND ${where}
  UNION SELECT l.account_id, m.id, ${VERSION_NOW} FROM message m
    JOIN message_flag f ON f.message_id = m.id AND f.flag = 'historical'
    JOIN lost_access l ON l.recipient_id = :recipientId AND l.account_id = f.account_id
  WHERE ${where} ON CONFLICT DO NOTHING`;

/** Whom a message that comes into a stream was never shown, though they were there when it was sent elsewhere. */
export const hideArrivals = (
  where: string,
): string => `INSERT INTO kept_version (account_id, message_id, edit_id)
  SELECT l.account_id, m.id, NULL ${inRangesOf(':toRecipientId')} AND ${where} ON CONFLICT DO NOTHING`;

const KEEP_ONE = `INSERT INTO kept_version (account_id, message_id, edit_id)
  SELECT l.account_id, m.id, ${VERSION_NOW} FROM message m JOIN lost_access l ON l.recipient_id = m.recipient_id
  WHERE m.id = :messageId AND ${holds('l.account_id')} ON CONFLICT DO NOTHING`;
const LOST_IDS = `SELECT account_id AS id FROM lost_access WHERE recipient_id = :recipientId
  ORDER BY account_id`;
const FORMER = `SELECT l.account_id AS id FROM message m JOIN lost_access l ON l.recipient_id = m.recipient_id
  WHERE m.id = :messageId AND ${holds('l.account_id')}
    AND NOT EXISTS (SELECT 1 FROM kept_version v
      WHERE v.account_id = l.account_id AND v.message_id = m.id AND v.edit_id IS NULL)
  ORDER BY l.account_id`;
/** Nobody whom it was never shown holds it, even if they are there again. */
const NOT_SHOWN =
  'SELECT account_id AS id FROM kept_version WHERE message_id = :messageId AND edit_id IS NULL';
const COPIES = `SELECT f.account_id AS id FROM message_flag f JOIN message m ON m.id = f.message_id
  WHERE f.message_id = :messageId AND f.flag = 'historical' AND NOT EXISTS (SELECT 1 FROM lost_access l
    WHERE l.account_id = f.account_id AND l.recipient_id = m.recipient_id)
  ORDER BY f.account_id`;

const idsOf = (rows: readonly { readonly id: number }[]): readonly number[] =>
  rows.map((row) => row.id);

/** Step: before the content of a message changes. */
export function* keepRevision(messageId: number): Operation<void> {
  yield* run(KEEP_ONE, { messageId });
}

/** Step: accounts that lost access to the stream. */
export function* listLostIds(recipientId: number): Operation<ReadonlySet<number>> {
  return new Set(idsOf(yield* list<{ id: number }>(LOST_IDS, { recipientId })));
}

/** Step: those of them who hold the message. */
export function* listFormerHolderIds(messageId: number): Operation<readonly number[]> {
  return idsOf(yield* list<{ id: number }>(FORMER, { messageId }));
}

/** Step: who holds a message of a stream, copies included, and may still read it. */
export function* presentHolders(recipientId: number, messageId: number): Operation<Audience> {
  const alsoUserIds = idsOf(yield* list<{ id: number }>(COPIES, { messageId }));
  const notShownIds = idsOf(yield* list<{ id: number }>(NOT_SHOWN, { messageId }));
  const exceptUserIds = [...(yield* listFormerHolderIds(messageId)), ...notShownIds];
  return {
    kind: 'holders',
    recipientId,
    messageId,
    publicStreamId: null,
    ...(alsoUserIds.length === 0 ? {} : { alsoUserIds }),
    ...(exceptUserIds.length === 0 ? {} : { exceptUserIds }),
  };
}
