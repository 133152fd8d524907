/** Whether one message may be seen: the rule that everything which names a message asks first. */
import { refusal } from '#shared/api/refusal.ts';
import type { Operation, PersonalMessageRow, Reading } from '#service/db/port.ts';
import { accessTo, type Reader } from '#service/core/stream-access.ts';

/**
 * A message with the caller's flags, or undefined when it does not exist or the caller may not see it: it is held
 * (`is_held` is 1), or it stands in a stream whose history is open to the caller.
 */
export function* findVisibleMessage(
  tx: Reading,
  caller: Reader,
  id: number,
): Operation<PersonalMessageRow | undefined> {
  const predicates = [{ condition: { kind: 'message', id } as const, isNegated: false }];
  const selection = { userId: caller.userId, base: 'open', predicates } as const;
  const [row] = yield* tx.listSelected(selection, 1);
  if (row === undefined || row.is_held === 1) return row;
  if (row.stream_id === null) return undefined;
  const access = yield* accessTo(tx, caller, yield* tx.findStream(row.stream_id));
  return access?.isHistoryOpen === true ? row : undefined;
}

/**
 * A message that the caller may do something to: edit, delete, react, attach. Who holds it and may no longer read
 * where it stands is answered as if it did not exist.
 * @throws BAD_REQUEST
 */
export function* getActableMessage(
  tx: Reading,
  caller: Reader,
  id: number,
): Operation<PersonalMessageRow> {
  const row = yield* getVisibleMessage(tx, caller, id);
  if (row.is_lost === 1) throw refusal('no_such_message');
  return row;
}

/** @throws BAD_REQUEST when the message does not exist or the caller may not see it */
export function* getVisibleMessage(
  tx: Reading,
  caller: Reader,
  id: number,
): Operation<PersonalMessageRow> {
  const row = yield* findVisibleMessage(tx, caller, id);
  if (row === undefined) throw refusal('no_such_message');
  return row;
}
