/** What administrators do to streams. */
import { variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { CallerActionSource } from '#service/core/ports/handlers.ts';
import { renderDescription } from '#service/markdown/render.ts';
import type { Operation, Store, StreamRow, Transaction } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { fold } from '#shared/text/fold.ts';
import { checkDescription, checkStreamName } from '#service/core/rules/names.ts';
import { getVisibleStream } from '#service/core/stream-access.ts';
import { type StreamChangeEvents, streamChangeEvents } from './stream-events.ts';

/** Absent properties stay as they are. */
export interface StreamUpdate {
  readonly description: string | undefined;
  readonly newName: string | undefined;
  readonly isPrivate: boolean | undefined;
  readonly isAnnouncementOnly: boolean | undefined;
  readonly historyPublicToSubscribers: boolean | undefined;
}

export interface StreamReference {
  readonly streamId: number | undefined;
  readonly streamName: string | undefined;
}

/** All throw BAD_REQUEST when the stream is absent or archived; the caller is an administrator. */
export interface StreamAdminOperations {
  /** @throws BAD_REQUEST for a name that is taken or the same, and for privacy that cannot change */
  readonly updateStream: (
    source: CallerActionSource,
    streamId: number,
    update: StreamUpdate,
  ) => Promise<void>;
  /** @throws BAD_REQUEST for a private stream, REQUEST_VARIABLE_MISSING without a stream */
  readonly setDefaultStream: (
    source: CallerActionSource,
    reference: StreamReference,
    isDefault: boolean,
  ) => Promise<void>;
}

type Renamed = Pick<StreamRow, 'name' | 'name_key'>;
type Described = Pick<StreamRow, 'description' | 'rendered_description'>;

function described(description: string): Described {
  const checked = checkDescription(description);
  return { description: checked, rendered_description: renderDescription(checked) };
}

function renamed(currentName: string, newName: string): Renamed {
  const name = checkStreamName(newName);
  if (name === currentName) throw refusal('stream_name_unchanged');
  return { name, name_key: fold(name) };
}

const flag = (value: boolean | undefined, now: 0 | 1): 0 | 1 =>
  value === undefined ? now : value ? 1 : 0;

/** Making a stream private closes its history unless something else is asked for; a public one's is open. */
function historyOf(stream: StreamRow, isWanted: boolean | undefined, isPrivate: 0 | 1): 0 | 1 {
  if (isPrivate === 0) return 1;
  return flag(isWanted, stream.is_private === 1 ? stream.is_history_public : 0);
}

function updated(stream: StreamRow, update: StreamUpdate): StreamRow {
  const { description, newName, historyPublicToSubscribers } = update;
  const isPrivate = flag(update.isPrivate, stream.is_private);
  return {
    ...stream,
    ...(newName === undefined ? {} : renamed(stream.name, newName)),
    ...(description === undefined ? {} : described(description)),
    is_private: isPrivate,
    is_announcement_only: flag(update.isAnnouncementOnly, stream.is_announcement_only),
    is_history_public: historyOf(stream, historyPublicToSubscribers, isPrivate),
  };
}

/** @throws BAD_REQUEST for a name that is taken, and for privacy that cannot change */
function* checkUpdate(
  tx: Transaction,
  before: StreamRow,
  after: StreamRow,
  callerId: number,
): Operation<void> {
  const named = yield* tx.findStreamByName(after.name_key);
  if (named !== undefined && named.id !== before.id) {
    throw refusal('stream_name_taken', { name: named.name });
  }
  if (before.is_history_sealed === 1 && after.is_history_public === 1) {
    throw refusal('history_sealed');
  }
  if (before.is_private === after.is_private) return;
  if (after.is_private === 1 && before.is_default === 1) {
    throw refusal('default_stream_stays_public');
  }
  if (after.is_private === 0 && !(yield* tx.isMember(before.recipient_id, callerId))) {
    throw refusal('not_subscribed_to_private_stream');
  }
}

export function streamAdminOperations(store: Store, context: DomainContext): StreamAdminOperations {
  function* eventsOf(tx: Transaction, source: CallerActionSource): Operation<StreamChangeEvents> {
    return streamChangeEvents(
      yield* tx.listUsers(),
      context.nowSeconds(),
      auditEntryMaker(context, source),
    );
  }
  return {
    updateStream: (source, streamId, update) =>
      change(store, source.caller, function* (tx, caller) {
        const { stream: before } = yield* getVisibleStream(tx, caller, streamId);
        const after = updated(before, update);
        yield* checkUpdate(tx, before, after, caller.userId);
        const events = yield* eventsOf(tx, source);
        yield* tx.saveStream(before, after);
        const subscriberIds = yield* tx.listMemberIds(before.recipient_id);
        yield* tx.recordAll(events.changed(before, after, subscriberIds));
      }),
    setDefaultStream: (source, { streamId, streamName }, isDefault) =>
      change(store, source.caller, function* (tx, caller) {
        const reference = streamId ?? streamName;
        if (reference === undefined) throw variableMissing('stream_id');
        const { stream } = yield* getVisibleStream(tx, caller, reference);
        if (stream.is_private === 1) {
          throw refusal('private_stream_not_default');
        }
        if ((stream.is_default === 1) === isDefault) return;
        const events = yield* eventsOf(tx, source);
        yield* tx.setDefaultStream(stream.id, isDefault);
        yield* tx.record(events.defaults(yield* tx.listDefaultStreams()));
        yield* tx.recordAll(events.madeDefault(stream, isDefault));
      }),
  };
}
