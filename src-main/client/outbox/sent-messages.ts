/** Brings together what was sent here and what the service tells of it. */
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import type { Outbox } from './outbox.ts';
import type { SyncState } from '../sync/account-sync.ts';

export interface SentMessagesParts {
  readonly outbox: () => Pick<Outbox, 'confirm'>;
  readonly sync: () => SyncState;
}

export class SentMessages {
  readonly #parts: SentMessagesParts;
  /** Local ids of accepted messages that no event has told of yet, by message id. */
  readonly #awaited = new Map<number, string>();

  constructor(parts: SentMessagesParts) {
    this.#parts = parts;
  }

  /** The service has it: the item stays until the message itself is shown, so that nothing flickers. */
  accepted(localId: string, messageId: number): void {
    const sync = this.#parts.sync();
    const isTold = messageId <= (sync.newestMessageId ?? 0);
    const isKept = (): boolean => sync.read((cache) => cache.find([messageId]), []).length > 0;
    if (isTold || isKept()) this.#settle(localId, messageId);
    else this.#awaited.set(messageId, localId);
  }

  /** The message with the local id under which it was sent, if it was sent here. */
  named(message: ShownMessage): ShownMessage {
    const localId = message.localId ?? this.#awaited.get(message.id) ?? null;
    return localId === message.localId ? message : { ...message, localId };
  }

  /** They are shown now. */
  shown(messages: readonly ShownMessage[]): void {
    for (const { id, localId } of messages) if (localId !== null) this.#settle(localId, id);
  }

  #settle(localId: string, messageId: number): void {
    this.#awaited.delete(messageId);
    this.#parts.outbox().confirm(localId, messageId);
  }
}
