export interface ShownCard {
  readonly userId: number;
  /** What was pressed: the card stands beside it. */
  readonly anchor: HTMLElement;
}

/** Whose card is open; at most one is. */
export class UserCards {
  #shown = $state.raw<ShownCard | null>(null);

  get shown(): ShownCard | null {
    return this.#shown;
  }

  open(userId: number, anchor: HTMLElement): void {
    this.#shown = { userId, anchor };
  }

  close(): void {
    this.#shown = null;
  }
}
