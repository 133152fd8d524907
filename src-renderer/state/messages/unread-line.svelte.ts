import type { ShownMessage } from '#shared/bridge/models/client.ts';

/** The line above what is new, at which the list waits where nobody has seen what came. */
export class UnreadLine {
  #fromId = $state<number | null>(null);
  #isHeld = false;

  /** The first message below it; null for no line. */
  get fromId(): number | null {
    return this.#fromId;
  }

  /** The message that the list does not run past by itself. */
  get heldId(): number | null {
    return this.#isHeld ? this.#fromId : null;
  }

  put(fromId: number | null): void {
    this.#fromId = fromId;
    this.#isHeld = false;
  }

  /**
   * Whoever comes back to the window finds where it went on without them.
   * @param first  the first of what arrived that nobody saw come; undefined where somebody saw all of it
   */
  arrived(first: ShownMessage | undefined, known: readonly ShownMessage[]): void {
    this.#isHeld = first !== undefined;
    if (first === undefined) return;
    const from = this.#fromId;
    const isOld = from === null || !known.some(({ id, isRead }) => id >= from && !isRead);
    if (isOld) this.#fromId = first.id;
  }
}
