import { tick } from 'svelte';

const FOCUS_FRAMES = 60;

/** Moves the focus to rows of a list that draws only some of them. */
export class RowFocus {
  /** Rows that wait to be measured before they can take the focus. */
  #awaited = $state(0);
  readonly #rowOf: (id: number) => HTMLElement | null;
  readonly #isWanted: (id: number) => boolean;

  /** @param isWanted  whether nothing else is to have the focus by now */
  constructor(rowOf: (id: number) => HTMLElement | null, isWanted: (id: number) => boolean) {
    this.#rowOf = rowOf;
    this.#isWanted = isWanted;
  }

  get isAwaited(): boolean {
    return this.#awaited > 0;
  }

  /** A row that is drawn for the first time takes the focus only once it is measured. */
  async move(id: number): Promise<HTMLElement | null> {
    this.#awaited += 1;
    try {
      await tick();
      for (let frame = 0; frame < FOCUS_FRAMES && this.#isWanted(id); frame += 1) {
        const row = this.#rowOf(id);
        row?.focus({ preventScroll: true });
        if (row !== null && document.activeElement === row) return row;
        await new Promise(requestAnimationFrame);
      }
      return null;
    } finally {
      this.#awaited -= 1;
    }
  }
}

/** Scrolls as little as is needed, and not under the bar that stands above. @param covered  its height */
export function reveal(row: HTMLElement, scroller: HTMLElement, covered: number): void {
  const frame = scroller.getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  const over = frame.top + covered + 4 - top;
  const under = bottom + 4 - frame.bottom;
  if (over > 0) scroller.scrollTop -= over;
  else if (under > 0) scroller.scrollTop += Math.min(under, top - frame.top - covered);
}
