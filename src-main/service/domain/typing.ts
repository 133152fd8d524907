/** Typing notices (API decisions, sections 7.1 and 8.2). */
import type { Caller } from '../../contract/handlers.ts';
import type { Store } from '../store/port.ts';
import { openParticipants, type ParticipantStore } from './messages.ts';
import type { PrivateRecipients } from './rules/recipients.ts';

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

export function typingOperations(
  store: ParticipantStore & Pick<Store, 'appendEvent'>,
  isHeard: IsHeard,
): TypingOperations {
  async function describe(userIds: readonly number[]): Promise<readonly Typist[]> {
    const users = await Promise.all(userIds.map((id) => store.findUser(id)));
    return users.flatMap((user) =>
      user === undefined ? [] : [{ user_id: user.id, email: user.email }],
    );
  }

  return {
    async notifyTyping(caller, op, named) {
      const userIds = await openParticipants(store, caller, named);
      // A notice is worth nothing later: where nobody waits for it, it is not even stored.
      if (!isHeard('typing', userIds)) return;
      const sender: Typist = { user_id: caller.userId, email: caller.email };
      const recipients = await describe([...userIds].sort((a, b) => a - b));
      await store.appendEvent({
        type: 'typing',
        audience: { kind: 'users', userIds },
        payload: { op, sender, recipients },
      });
    },
  };
}
