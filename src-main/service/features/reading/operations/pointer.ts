/** The pointer: the message that an account had come to (API decisions 7.3). */
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { getVisibleMessage } from '#service/features/messages/operations/message-access.ts';

export interface PointerOperations {
  /** A message id; -1 while none was set. */
  readonly getPointer: (caller: Caller) => Promise<number>;
  /** Moves it forward; never back. @throws BAD_REQUEST for a message that the caller may not see */
  readonly movePointer: (caller: Caller, messageId: number) => Promise<void>;
}

export const pointerOperations = (store: Store): PointerOperations => ({
  getPointer: ({ userId }) => store.findPointer(userId),
  movePointer: (known, messageId) =>
    change(store, known, function* (tx, caller) {
      if (messageId <= (yield* tx.findPointer(caller.userId))) return;
      yield* getVisibleMessage(tx, caller, messageId);
      yield* tx.movePointer(caller.userId, messageId);
    }),
});
