/** Whether one message may be seen: the rule that everything which names a message asks first. */
import { invalidMessage } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { PersonalMessageRow, Store } from '../store/port.ts';
import { canReadHistory, factsOf } from './rules/permissions.ts';

export type MessageAccessStore = Pick<Store, 'findStream' | 'isMember' | 'listSelected'>;

/** Whose eyes a message is looked at with. */
export type Reader = Pick<Caller, 'userId' | 'role' | 'botType'>;

/**
 * A message with the caller's flags, or undefined when it does not exist or the caller may not see it: it is held
 * (`is_held` is 1), or it stands in a stream whose history is open to the caller.
 */
export async function findVisibleMessage(
  store: MessageAccessStore,
  caller: Reader,
  id: number,
): Promise<PersonalMessageRow | undefined> {
  const predicates = [{ condition: { kind: 'message', id } as const, isNegated: false }];
  const selection = { userId: caller.userId, base: 'open', predicates } as const;
  const [row] = await store.listSelected(selection, 1);
  if (row === undefined || row.is_held === 1) return row;
  if (row.stream_id === null) return undefined;
  const stream = await store.findStream(row.stream_id);
  if (stream === undefined || stream.is_archived === 1) return undefined;
  const isSubscribed = await store.isMember(stream.recipient_id, caller.userId);
  return canReadHistory(caller, factsOf(stream), isSubscribed) ? row : undefined;
}

/** @throws BAD_REQUEST when the message does not exist or the caller may not see it */
export async function getVisibleMessage(
  store: MessageAccessStore,
  caller: Reader,
  id: number,
): Promise<PersonalMessageRow> {
  const row = await findVisibleMessage(store, caller, id);
  if (row === undefined) throw invalidMessage();
  return row;
}
