import type { MoveScope } from '#renderer/lib/message-rights.ts';

/** What somebody has changed in a message and not saved yet. */
export interface UnsavedEdit {
  /** The text of the message when the change began. */
  readonly source: string;
  readonly content: string;
  /** Null where the topic stays. */
  readonly topic: string | null;
  readonly scope: MoveScope;
}

/** The messages that are being edited. What was changed outlives the view, and is there when one comes back. */
export class Edits {
  /** By the id of the message; null where nothing was changed yet. */
  #open = $state.raw<ReadonlyMap<number, UnsavedEdit | null>>(new Map());

  get ids(): readonly number[] {
    return [...this.#open.keys()];
  }

  has(messageId: number): boolean {
    return this.#open.has(messageId);
  }

  unsavedOf(messageId: number): UnsavedEdit | null {
    return this.#open.get(messageId) ?? null;
  }

  /** Others stay only if something was changed in them. */
  begin(messageId: number): void {
    this.leave();
    if (!this.has(messageId)) this.#open = new Map(this.#open).set(messageId, null);
  }

  keep(messageId: number, unsaved: UnsavedEdit | null): void {
    if (!this.has(messageId) || (unsaved === null && this.unsavedOf(messageId) === null)) return;
    this.#open = new Map(this.#open).set(messageId, unsaved);
  }

  end(messageId: number): void {
    this.#open = new Map([...this.#open].filter(([id]) => id !== messageId));
  }

  /** Gives up those in which nothing was changed. */
  leave(): void {
    const unsaved = [...this.#open].filter(([, edit]) => edit !== null);
    if (unsaved.length < this.#open.size) this.#open = new Map(unsaved);
  }
}
