/** The pointer: the message that an account had come to (API decisions, section 7.3). */
import type { Caller } from '../../contract/handlers.ts';
import type { Store } from '../store/port.ts';
import { getVisibleMessage, type MessageAccessStore } from './message-access.ts';

export interface PointerOperations {
  /** A message id; -1 while none was set. */
  readonly getPointer: (caller: Caller) => Promise<number>;
  /** Moves it forward; never back. @throws BAD_REQUEST for a message that the caller may not see */
  readonly movePointer: (caller: Caller, messageId: number) => Promise<void>;
}

export function pointerOperations(
  store: MessageAccessStore & Pick<Store, 'findPointer' | 'movePointer'>,
): PointerOperations {
  const getPointer = ({ userId }: Caller): Promise<number> => store.findPointer(userId);
  return {
    getPointer,
    async movePointer(caller, messageId) {
      if (messageId <= (await getPointer(caller))) return;
      await getVisibleMessage(store, caller, messageId);
      await store.movePointer(caller.userId, messageId);
    },
  };
}
