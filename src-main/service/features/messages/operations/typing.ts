/** Typing notices (API decisions 7.1 and 8.2). */
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Operation, Reading, Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { openParticipants } from './messages.ts';
import type { PrivateRecipients } from '../rules/recipients.ts';

export interface TypingOperations {
  /** @throws BAD_REQUEST when a recipient is unknown or no longer active */
  readonly notifyTyping: (
    caller: Caller,
    op: 'start' | 'stop',
    recipients: PrivateRecipients,
  ) => Promise<void>;
}

/** Whether some live queue of these accounts takes events of a type. */
export type IsHeard = (type: string, userIds: readonly number[]) => boolean;

interface Typist {
  readonly user_id: number;
  readonly email: string;
}

function* describe(tx: Reading, userIds: readonly number[]): Operation<readonly Typist[]> {
  const typists: Typist[] = [];
  for (const id of userIds) {
    const user = yield* tx.findUser(id);
    if (user !== undefined) typists.push({ user_id: user.id, email: user.email });
  }
  return typists;
}

export const typingOperations = (store: Store, isHeard: IsHeard): TypingOperations => ({
  async notifyTyping(known, op, named) {
    const heard = await store.read((tx) => openParticipants(tx, known, named));
    // A notice is worth nothing later: where nobody waits for it, it is not even stored.
    if (!isHeard('typing', heard)) return;
    await change(store, known, function* (tx, caller) {
      const userIds = yield* openParticipants(tx, caller, named);
      const sender: Typist = { user_id: caller.userId, email: caller.email };
      const recipients = yield* describe(
        tx,
        [...userIds].sort((a, b) => a - b),
      );
      yield* tx.record({
        type: 'typing',
        audience: { kind: 'users', userIds },
        payload: { op, sender, recipients },
      });
    });
  },
});
