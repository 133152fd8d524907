/** Messages that only members still had (API decisions 15.15): each is put back where it was, under its own id. */
import { linkAttachments } from '#service/features/files/queries/attachments.ts';
import { refreshFirstMessage } from './message-moves.ts';
import { openPlace } from './message-places.ts';
import { insertMessage } from './message-rows.ts';
import { flagFor, type NewMessage, placedMessage } from './messages.ts';
import { INSERT_PENDING } from './pending-index.ts';
import { findOne, list, type Operation, run } from '#service/db/operation.ts';
import { noteHourBetween } from '#service/features/reading/queries/message-hours.ts';
import { HELD, HISTORICAL } from '#service/features/reading/queries/narrow-sql.ts';
import { readByAll } from '#service/features/reading/queries/read-state.ts';
import { countPutBack } from '#service/features/streams/queries/traffic.ts';

/** A message as the office had it. */
export interface ReuploadedMessage extends Omit<NewMessage, 'echo' | 'localId' | 'deliveries'> {
  readonly id: number;
  readonly editNumber: number;
  /** UNIX seconds. */
  readonly recoveredAt: number;
}

/** A message that somebody has, and which of its changes was the last one. */
export type KnownVersion = readonly [id: number, editNumber: number];

/** Where a message stands, and whether the account holds it. */
export interface CurrentMessage {
  readonly id: number;
  readonly edit_number: number;
  readonly stream_id: number | null;
  readonly is_held: 0 | 1;
}

const IS_DELETED = 'SELECT 1 FROM deleted_message WHERE message_id = :id';
const IS_SUPERSEDED =
  'SELECT 1 FROM superseded_text WHERE message_id = :id AND edit_number > :editNumber';
const STANDING = `SELECT m.id, m.edit_number, s.id AS stream_id, (${HELD} OR ${HISTORICAL}) AS is_held
  FROM message m LEFT JOIN stream s ON s.recipient_id = m.recipient_id
  WHERE m.id IN (SELECT value FROM json_each(:ids)) AND NOT EXISTS (SELECT 1 FROM lost_access l
    WHERE l.account_id = :userId AND l.recipient_id = m.recipient_id)`;
const INSERT = insertMessage('id', 'edit_number', 'recovered_at');
const SET_NUMBER = 'UPDATE message SET edit_number = :editNumber WHERE id = :id';
/** Who holds it, and whoever reads the history of its stream and keeps that. */
const READERS = `SELECT DISTINCT n.account_id AS id FROM membership n JOIN message m ON m.id = :id
    LEFT JOIN stream s ON s.recipient_id = m.recipient_id
  WHERE n.recipient_id = m.recipient_id AND (n.until_id IS NULL OR m.id <= n.until_id)
    AND (n.from_id < m.id OR s.is_history_public = 1)
    AND NOT EXISTS (SELECT 1 FROM lost_access l
      WHERE l.account_id = n.account_id AND l.recipient_id = m.recipient_id)
  ORDER BY n.account_id`;

export const reuploadReads = {
  /** Those of the messages that are here, but for those of places that the account has lost access to. */
  *listCurrent(ids: readonly number[], userId: number): Operation<readonly CurrentMessage[]> {
    return yield* list<CurrentMessage>(STANDING, { ids: JSON.stringify(ids), userId });
  },
  *isDeleted(id: number): Operation<boolean> {
    return (yield* findOne(IS_DELETED, { id })) !== undefined;
  },
  /** Whether the text of a version was changed before the restore. */
  *isSuperseded(id: number, editNumber: number): Operation<boolean> {
    return (yield* findOne(IS_SUPERSEDED, { id, editNumber })) !== undefined;
  },
  /** Who may be told that a message is here again, ascending. */
  *listReaderIds(id: number): Operation<readonly number[]> {
    return (yield* list<{ id: number }>(READERS, { id })).map((row) => row.id);
  },
};

export const reuploadWrites = {
  /** Puts a message back that is not here; everybody has read it. Who is told is the caller's to see to. */
  *insertReuploaded({
    id,
    editNumber,
    recoveredAt,
    ...message
  }: ReuploadedMessage): Operation<void> {
    const place = yield* openPlace(message.target);
    const { recipientId } = place;
    yield* run(INSERT, {
      id,
      edit_number: editNumber,
      recovered_at: recoveredAt,
      ...(yield* placedMessage(message, place)),
    });
    yield* noteHourBetween(id, message.sentAt);
    if (place.stream !== null) {
      yield* refreshFirstMessage(recipientId);
      yield* countPutBack({ id, recipientId, sentAt: message.sentAt });
    }
    const holder = { messageId: id, recipientId };
    yield* flagFor(message.mentionedUserIds, 'mentioned', holder);
    yield* flagFor(message.alertedUserIds ?? [], 'has_alert_word', holder);
    yield* linkAttachments(id, message.attachmentPaths ?? []);
    yield* readByAll(id);
    yield* run(INSERT_PENDING, { id });
  },
  /** The message is now what it was after a change of before the restore. */
  *setEditNumber(id: number, editNumber: number): Operation<void> {
    yield* run(SET_NUMBER, { id, editNumber });
  },
};
