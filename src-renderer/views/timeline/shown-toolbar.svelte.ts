/** Of which message the actions are shown: never of two, whether the pointer or the focus was moved last. */
export class ShownToolbar {
  #hoveredId = $state<number | null>(null);
  /** The pointer was moved since the last key. */
  #isPointing = $state(false);

  readonly over = (id: number | null): void => {
    this.#hoveredId = id;
  };

  readonly pointed = (): void => {
    this.#isPointing = true;
  };

  readonly keyed = (): void => {
    this.#isPointing = false;
  };

  /** @param focusedId  with the focus in it; null where it is elsewhere */
  idBeside(focusedId: number | null): number | null {
    if (focusedId !== null && !this.#isPointing) return focusedId;
    return this.#hoveredId ?? focusedId;
  }
}
