/** Closer than this to the end is the end. */
const END_PX = 24;
/** Closer than this to the top, older rows are wanted. */
const TOP_PX = 800;

interface Options {
  readonly scroller: HTMLElement;
  readonly content: HTMLElement;
  /** Selects the rows that may hold the position. */
  readonly rows: string;
  readonly onMove: (isAtEnd: boolean) => void;
  readonly onNearTop: () => void;
}

/**
 * Keeps what is read in its place while the content changes above, below or in width: at the end it stays at
 * the end; elsewhere the topmost visible row stays where it is. One mechanism for older pages, new messages and
 * resizing; the browser's own anchoring stops working at the very top, which is where older pages load.
 */
export class ScrollKeeper {
  readonly #options: Options;
  readonly #observer: ResizeObserver;
  #isAtEnd = true;
  /** As of the last settling or scrolling. */
  #seen = { top: 0, height: 0, viewHeight: 0 };
  #anchor: { readonly row: Element; readonly offset: number } | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#observer = new ResizeObserver(() => this.#settle());
    this.#observer.observe(options.scroller);
    this.#observer.observe(options.content);
    options.scroller.addEventListener('scroll', this.#onScroll, { passive: true });
  }

  readonly stop = (): void => {
    this.#observer.disconnect();
    this.#options.scroller.removeEventListener('scroll', this.#onScroll);
  };

  toEnd(): void {
    this.#isAtEnd = true;
    this.#settle();
    this.#options.onMove(true);
  }

  readonly #onScroll = (): void => {
    const { scroller, onMove } = this.#options;
    const { top, height, viewHeight } = this.#seen;
    if (scroller.scrollHeight !== height || scroller.clientHeight !== viewHeight) {
      // Rows came, or the size changed, in this very frame: that is to be settled first, and what was scrolled
      // meanwhile is the reader's own.
      const moved = scroller.scrollTop - top;
      this.#isAtEnd &&= moved >= 0;
      if (this.#anchor !== null) {
        this.#anchor = { row: this.#anchor.row, offset: this.#anchor.offset - moved };
      }
      this.#settle();
    }
    this.#isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END_PX;
    this.#remember();
    onMove(this.#isAtEnd);
    this.#askForOlder();
  };

  #settle(): void {
    const { scroller } = this.#options;
    if (this.#isAtEnd) scroller.scrollTop = scroller.scrollHeight;
    else if (this.#anchor?.row.isConnected === true) {
      scroller.scrollTop += this.#offsetOf(this.#anchor.row) - this.#anchor.offset;
    }
    this.#remember();
    this.#askForOlder();
  }

  #remember(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#options.scroller;
    this.#seen = { top: scrollTop, height: scrollHeight, viewHeight: clientHeight };
    this.#anchor = this.#findAnchor();
  }

  #askForOlder(): void {
    if (this.#options.scroller.scrollTop < TOP_PX) this.#options.onNearTop();
  }

  #offsetOf(row: Element): number {
    const { scroller } = this.#options;
    return row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  }

  #findAnchor(): { readonly row: Element; readonly offset: number } | null {
    const rows = [...this.#options.content.querySelectorAll(this.#options.rows)];
    let low = 0;
    let high = rows.length - 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = rows[middle];
      if (row !== undefined && this.#offsetOf(row) >= 0) high = middle;
      else low = middle + 1;
    }
    const row = rows[low];
    return row === undefined ? null : { row, offset: this.#offsetOf(row) };
  }
}
