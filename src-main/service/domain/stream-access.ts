/** Finding the streams that callers name, as far as they may know of them. */
import { badRequest, type ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { Store, StreamRow } from '../store/port.ts';
import { fold } from '../../contract/fold.ts';
import { canSeeStream, factsOf } from './rules/permissions.ts';

export type StreamAccessStore = Pick<Store, 'findStream' | 'findStreamByName' | 'isMember'>;

export interface VisibleStream {
  readonly stream: StreamRow;
  readonly isSubscribed: boolean;
}

/** The words are the same for what is absent, archived and hidden: none of them may tell which it is. */
const invalidId = (): ServiceError => badRequest('Invalid stream id');
const invalidName = (name: string): ServiceError =>
  badRequest(`Invalid stream name '${name.slice(0, 200)}'`);

async function visible(
  store: StreamAccessStore,
  caller: Caller,
  stream: StreamRow | undefined,
): Promise<VisibleStream | undefined> {
  if (stream?.is_archived !== 0) return undefined;
  const isSubscribed = await store.isMember(stream.recipient_id, caller.userId);
  return canSeeStream(caller, factsOf(stream), isSubscribed) ? { stream, isSubscribed } : undefined;
}

/** Undefined when there is no such stream for the caller. @param reference  an id or a name */
export async function findVisibleStream(
  store: StreamAccessStore,
  caller: Caller,
  reference: number | string,
): Promise<VisibleStream | undefined> {
  const stream =
    typeof reference === 'number'
      ? await store.findStream(reference)
      : await store.findStreamByName(fold(reference));
  return visible(store, caller, stream);
}

/** @throws BAD_REQUEST when there is no such stream for the caller */
export async function getVisibleStream(
  store: StreamAccessStore,
  caller: Caller,
  reference: number | string,
): Promise<VisibleStream> {
  const found = await findVisibleStream(store, caller, reference);
  if (found !== undefined) return found;
  throw typeof reference === 'number' ? invalidId() : invalidName(reference);
}
