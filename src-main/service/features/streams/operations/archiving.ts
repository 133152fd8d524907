/** Archiving streams and bringing them back (API decisions 7.5, Archived streams). */
import { refusal } from '#shared/api/refusal.ts';
import { fold } from '#shared/text/fold.ts';
import type { CallerActionSource } from '#service/core/ports/handlers.ts';
import type { Operation, Store, StreamRow, Transaction } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { checkStreamName } from '#service/core/rules/names.ts';
import { streamColors } from '../rules/stream-colors.ts';
import { getArchivedStream, getVisibleStream } from '#service/core/stream-access.ts';
import { announceJoined } from './memberships.ts';
import { restoredEntries, streamChangeEvents, subscribeEvents } from './stream-events.ts';
import { announceMuted } from '#service/core/muted-topics.ts';

/** The caller is an administrator. */
export interface ArchiveOperations {
  /** @throws BAD_REQUEST when the stream is absent or archived */
  readonly archiveStream: (source: CallerActionSource, streamId: number) => Promise<void>;
  /**
   * Brings an archived stream back, with everybody who was in it.
   * @param newName  undefined for the name that it had
   * @throws BAD_REQUEST when the stream is absent or not archived, and for a name that is taken or bad
   */
  readonly restoreStream: (
    source: CallerActionSource,
    streamId: number,
    newName: string | undefined,
  ) => Promise<void>;
}

/** @throws BAD_REQUEST for a name that is taken meanwhile, and for a bad one */
function* namedAgain(
  tx: Transaction,
  stream: StreamRow,
  newName: string | undefined,
): Operation<StreamRow> {
  const name = newName === undefined ? stream.name : checkStreamName(newName);
  const named = yield* tx.findStreamByName(fold(name));
  if (named !== undefined) {
    throw newName === undefined
      ? refusal('archived_stream_name_taken', { name: named.name })
      : refusal('stream_name_taken', { name: named.name });
  }
  return { ...stream, name, name_key: fold(name), is_archived: 0 };
}

/** Who brings a private stream back and becomes its only member reads nothing by that, now or later. */
const sealed = (stream: StreamRow): StreamRow =>
  stream.is_private === 1 && stream.first_message_id !== null
    ? { ...stream, is_history_public: 0, is_history_sealed: 1 }
    : stream;

/** Puts the members back, or the caller in where no person is among them. */
function* restoreMembers(
  tx: Transaction,
  named: StreamRow,
  callerId: number,
): Operation<StreamRow> {
  yield* tx.returnMembers(named.recipient_id);
  if (yield* tx.hasPerson(named.recipient_id)) return named;
  yield* tx.joinStream(named, callerId, { wished: undefined, palette: streamColors });
  return sealed(named);
}

/** Topics that were muted are so again, and have the name of the stream before them. */
function* tellMuted(
  tx: Transaction,
  stream: StreamRow,
  memberIds: readonly number[],
): Operation<void> {
  for (const userId of yield* tx.listMutingIds(stream.recipient_id)) {
    if (stream.is_private === 0 || memberIds.includes(userId)) yield* announceMuted(tx, userId);
  }
}

export const archiveOperations = (store: Store, context: DomainContext): ArchiveOperations => ({
  archiveStream: (source, streamId) =>
    change(store, source.caller, function* (tx, caller) {
      const { stream } = yield* getVisibleStream(tx, caller, streamId);
      const subscriberIds = yield* tx.listMemberIds(stream.recipient_id);
      const nowSeconds = context.nowSeconds();
      const note = auditEntryMaker(context, source);
      const events = streamChangeEvents(yield* tx.listUsers(), nowSeconds, note);
      yield* tx.archiveStream(stream, nowSeconds);
      yield* tx.recordAll(events.archived(stream, subscriberIds));
      if (stream.is_default === 1) {
        yield* tx.record(events.defaults(yield* tx.listDefaultStreams()));
      }
      // Announcements go nowhere from then on.
      yield* tx.clearNotificationsStream(streamId);
    }),
  restoreStream: (source, streamId, newName) =>
    change(store, source.caller, function* (tx, caller) {
      const before = yield* getArchivedStream(tx, caller, streamId);
      const named = yield* namedAgain(tx, before, newName);
      const after = yield* restoreMembers(tx, named, caller.userId);
      yield* tx.restoreStream(before, after);
      const memberIds = yield* tx.listMemberIds(after.recipient_id);
      const told = subscribeEvents(yield* tx.listUsers(), context.nowSeconds());
      const note = auditEntryMaker(context, source);
      const created = () => restoredEntries(before, after, note);
      const joined = { stream: after, isCreated: true, joinedIds: memberIds, alreadyIds: [] };
      yield* announceJoined(tx, [joined], { ...told, created });
      yield* tellMuted(tx, after, memberIds);
    }),
});
