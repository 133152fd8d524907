/** What administrators do to streams. */
import { badRequest, variableMissing } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import { renderDescription } from '../markdown/render.ts';
import type { Store, StreamChange, StreamChangeEvents } from '../store/port.ts';
import type { DomainContext } from './ports.ts';
import { fold } from '../../contract/fold.ts';
import { checkDescription, checkStreamName } from './rules/names.ts';
import { getVisibleStream, type StreamAccessStore } from './stream-access.ts';
import { streamChangeEvents } from './stream-events.ts';

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
  readonly updateStream: (caller: Caller, streamId: number, update: StreamUpdate) => Promise<void>;
  readonly archiveStream: (caller: Caller, streamId: number) => Promise<void>;
  /** @throws BAD_REQUEST for a private stream, REQUEST_VARIABLE_MISSING without a stream */
  readonly setDefaultStream: (
    caller: Caller,
    reference: StreamReference,
    isDefault: boolean,
  ) => Promise<void>;
}

type StreamAdminStore = StreamAccessStore &
  Pick<Store, 'archiveStream' | 'listUsers' | 'setDefaultStream' | 'updateStream'>;

function describe(description: string): NonNullable<StreamChange['description']> {
  const checked = checkDescription(description);
  return { description: checked, rendered: renderDescription(checked) };
}

function rename(currentName: string, newName: string): NonNullable<StreamChange['name']> {
  const name = checkStreamName(newName);
  if (name === currentName) throw badRequest('Stream already has that name');
  return { name, nameKey: fold(name) };
}

function changeOf(currentName: string, update: StreamUpdate): StreamChange {
  const { description, newName, isPrivate, isAnnouncementOnly } = update;
  const isHistoryPublic = update.historyPublicToSubscribers;
  return {
    ...(newName === undefined ? {} : { name: rename(currentName, newName) }),
    ...(description === undefined ? {} : { description: describe(description) }),
    ...(isPrivate === undefined ? {} : { isPrivate }),
    ...(isAnnouncementOnly === undefined ? {} : { isAnnouncementOnly }),
    ...(isHistoryPublic === undefined ? {} : { isHistoryPublic }),
  };
}

export function streamAdminOperations(
  store: StreamAdminStore,
  context: DomainContext,
): StreamAdminOperations {
  const events = async (): Promise<StreamChangeEvents> =>
    streamChangeEvents(await store.listUsers(), context.nowSeconds());
  return {
    async updateStream(caller, streamId, update) {
      const { stream } = await getVisibleStream(store, caller, streamId);
      const change = changeOf(stream.name, update);
      await store.updateStream({ streamId, callerId: caller.userId }, change, await events());
    },
    async archiveStream(caller, streamId) {
      await getVisibleStream(store, caller, streamId);
      await store.archiveStream(streamId, await events());
    },
    async setDefaultStream(caller, { streamId, streamName }, isDefault) {
      const reference = streamId ?? streamName;
      if (reference === undefined) throw variableMissing('stream_id');
      const { stream } = await getVisibleStream(store, caller, reference);
      await store.setDefaultStream(stream.id, isDefault, await events());
    },
  };
}
