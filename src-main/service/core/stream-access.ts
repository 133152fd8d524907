/**
 * What somebody may see of a stream, as it and they are now: whatever names a stream, or a message in one, asks here. Lists
 * of all streams ask the same rules for each (API decisions 10.5).
 */
import type { ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from './ports/handlers.ts';
import type { Operation, Reading, StreamRow } from '../db/port.ts';
import { fold } from '#shared/text/fold.ts';
import { canReadHistory, canSeeStream } from '#shared/policies/streams.ts';
import { factsOf } from './rules/permissions.ts';

/** Whose eyes it is looked at with. */
export type Reader = Pick<Caller, 'userId' | 'role' | 'botType'>;

export interface VisibleStream {
  readonly stream: StreamRow;
  readonly isSubscribed: boolean;
  /** Whether messages may be read that the account does not hold. */
  readonly isHistoryOpen: boolean;
}

/** The words are the same for what is absent, archived and hidden: none of them may tell which it is. */
const invalidId = (): ServiceError => refusal('no_such_stream_id');
const invalidName = (name: string): ServiceError =>
  refusal('no_such_stream_name', { name: name.slice(0, 200) });

/** Undefined for a stream that is hidden, archived or not there. */
export function* accessTo(
  tx: Reading,
  reader: Reader,
  stream: StreamRow | undefined,
): Operation<VisibleStream | undefined> {
  if (stream?.is_archived !== 0) return undefined;
  const facts = factsOf(stream);
  const isSubscribed = yield* tx.isMember(stream.recipient_id, reader.userId);
  if (!canSeeStream(reader, facts, isSubscribed)) return undefined;
  return { stream, isSubscribed, isHistoryOpen: canReadHistory(reader, facts, isSubscribed) };
}

/** Undefined when there is no such stream for the caller. @param reference  an id or a name */
export function* findVisibleStream(
  tx: Reading,
  caller: Caller,
  reference: number | string,
): Operation<VisibleStream | undefined> {
  const stream =
    typeof reference === 'number'
      ? yield* tx.findStream(reference)
      : yield* tx.findStreamByName(fold(reference));
  return yield* accessTo(tx, caller, stream);
}

/**
 * An archived stream by what those who are not in it see of it: of a private one administrators alone, as of others.
 * @throws BAD_REQUEST when there is no such stream for the caller, or when it is not archived
 */
export function* getArchivedStream(
  tx: Reading,
  caller: Caller,
  streamId: number,
): Operation<StreamRow> {
  const stream = yield* tx.findStream(streamId);
  if (stream === undefined || !canSeeStream(caller, factsOf(stream), false)) throw invalidId();
  if (stream.is_archived === 0) throw refusal('stream_not_archived');
  return stream;
}

/** @throws BAD_REQUEST when there is no such stream for the caller */
export function* getVisibleStream(
  tx: Reading,
  caller: Caller,
  reference: number | string,
): Operation<VisibleStream> {
  const found = yield* findVisibleStream(tx, caller, reference);
  if (found !== undefined) return found;
  throw typeof reference === 'number' ? invalidId() : invalidName(reference);
}
