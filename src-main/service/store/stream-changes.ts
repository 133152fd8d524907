/** What administrators change of streams. */
import { badRequest } from '../../contract/errors.ts';
import { clearNotificationsStream } from './realm.ts';
import { list, type NewEvent, type Operation, record, run } from './operation.ts';
import {
  findLiveStream,
  findNamedStream,
  LIST_DEFAULT,
  memberIds,
  type StreamRow,
} from './streams.ts';

/** Properties to change; absent ones stay as they are. */
export interface StreamChange {
  readonly name?: { readonly name: string; readonly nameKey: string };
  readonly description?: { readonly description: string; readonly rendered: string };
  readonly isPrivate?: boolean;
  readonly isAnnouncementOnly?: boolean;
  /** Says nothing about a public stream, whose history is always open. */
  readonly isHistoryPublic?: boolean;
}

/** How the domain tells of what administrators do to streams. */
export interface StreamChangeEvents {
  readonly changed: (
    before: StreamRow,
    after: StreamRow,
    subscriberIds: readonly number[],
  ) => readonly NewEvent[];
  readonly archived: (stream: StreamRow, subscriberIds: readonly number[]) => readonly NewEvent[];
  /** @param streams  all default streams, as they are now */
  readonly defaults: (streams: readonly StreamRow[]) => NewEvent;
}

const UPDATE = `UPDATE stream SET name = :name, name_key = :nameKey, description = :description,
    rendered_description = :rendered, is_private = :isPrivate, is_announcement_only = :isAnnouncementOnly,
    is_history_public = :isHistoryPublic
  WHERE id = :id`;
const SET_DEFAULT = 'UPDATE stream SET is_default = :isDefault WHERE id = :id';
const ARCHIVE = 'UPDATE stream SET is_archived = 1, is_default = 0 WHERE id = :id';
const END_ALL = `UPDATE membership SET until_id = (SELECT COALESCE(MAX(id), 0) FROM message)
  WHERE recipient_id = :recipientId AND until_id IS NULL`;

/** In the words in which an unknown id is refused everywhere. */
const invalidStream = (): Error => badRequest('Invalid stream id');

function* getKnown(id: number): Operation<StreamRow> {
  const stream = yield* findLiveStream(id);
  if (stream === undefined) throw invalidStream();
  return stream;
}

const flag = (value: boolean | undefined, now: 0 | 1): 0 | 1 =>
  value === undefined ? now : value ? 1 : 0;

/** Making a stream private closes its history unless something else is asked for; a public one's is open. */
function historyOf(stream: StreamRow, change: StreamChange, isPrivate: 0 | 1): 0 | 1 {
  if (isPrivate === 0) return 1;
  const now = stream.is_private === 1 ? stream.is_history_public : 0;
  return flag(change.isHistoryPublic, now);
}

function applyChange(stream: StreamRow, change: StreamChange): StreamRow {
  const isPrivate = flag(change.isPrivate, stream.is_private);
  return {
    ...stream,
    name: change.name?.name ?? stream.name,
    name_key: change.name?.nameKey ?? stream.name_key,
    description: change.description?.description ?? stream.description,
    rendered_description: change.description?.rendered ?? stream.rendered_description,
    is_private: isPrivate,
    is_announcement_only: flag(change.isAnnouncementOnly, stream.is_announcement_only),
    is_history_public: historyOf(stream, change, isPrivate),
  };
}

function* checkChange(before: StreamRow, after: StreamRow, callerId: number): Operation<void> {
  const named = yield* findNamedStream(after.name_key);
  if (named !== undefined && named.id !== before.id) {
    throw badRequest(`Stream name '${named.name}' is already taken`);
  }
  if (before.is_private === after.is_private) return;
  if (after.is_private === 1 && before.is_default === 1) {
    throw badRequest('A default stream cannot be made private');
  }
  const isMember = (yield* memberIds(before.recipient_id)).includes(callerId);
  if (after.is_private === 0 && !isMember) {
    throw badRequest('Only its subscribers can make a private stream public');
  }
}

function* recordAll(events: readonly NewEvent[]): Operation<void> {
  for (const event of events) yield* record(event);
}

function* announceDefaults(events: StreamChangeEvents): Operation<void> {
  yield* record(events.defaults(yield* list<StreamRow>(LIST_DEFAULT)));
}

export const streamChangeWrites = {
  /**
   * Changes properties of a stream; what has the value already is left alone.
   * @param callerId  who asks: only a subscriber may make a private stream public
   * @throws BAD_REQUEST when the stream is absent or archived, the name taken, or privacy cannot change
   */
  *updateStream(
    target: { readonly streamId: number; readonly callerId: number },
    change: StreamChange,
    events: StreamChangeEvents,
  ): Operation<void> {
    const before = yield* getKnown(target.streamId);
    const after = applyChange(before, change);
    yield* checkChange(before, after, target.callerId);
    yield* run(UPDATE, {
      id: after.id,
      name: after.name,
      nameKey: after.name_key,
      description: after.description,
      rendered: after.rendered_description,
      isPrivate: after.is_private,
      isAnnouncementOnly: after.is_announcement_only,
      isHistoryPublic: after.is_history_public,
    });
    yield* recordAll(events.changed(before, after, yield* memberIds(before.recipient_id)));
  },
  /**
   * Archives a stream: everybody is unsubscribed, its name is free, its messages stay with those who hold them.
   * @throws BAD_REQUEST when it is absent or archived
   */
  *archiveStream(streamId: number, events: StreamChangeEvents): Operation<void> {
    const stream = yield* getKnown(streamId);
    const subscriberIds = yield* memberIds(stream.recipient_id);
    yield* run(END_ALL, { recipientId: stream.recipient_id });
    yield* run(ARCHIVE, { id: streamId });
    yield* recordAll(events.archived(stream, subscriberIds));
    if (stream.is_default === 1) yield* announceDefaults(events);
    yield* clearNotificationsStream(streamId);
  },
  /**
   * Makes a stream one that new accounts are subscribed to, or ends that.
   * @throws BAD_REQUEST when it is absent, archived or private
   */
  *setDefaultStream(
    streamId: number,
    isDefault: boolean,
    events: StreamChangeEvents,
  ): Operation<void> {
    const stream = yield* getKnown(streamId);
    if (stream.is_private === 1) throw badRequest('A private stream cannot be a default stream');
    if ((stream.is_default === 1) === isDefault) return;
    yield* run(SET_DEFAULT, { id: streamId, isDefault: Number(isDefault) });
    yield* announceDefaults(events);
  },
};
