import { tick } from 'svelte';
import type { VirtualizerHandle } from 'virtua/svelte';

/** Closer than this to the end is the end. */
const END_PX = 24;
/** Closer than this to the first or the last row, more of them are wanted. */
const NEAR_PX = 1600;
/** The line of what is new, above the first message that is. */
const LINE_PX = 36;
/** Measuring rows goes on for some frames after a jump; longer than that nothing more is to come. */
const SETTLING_FRAMES = 12;
/** What is measured moves what is drawn, and what is drawn then may be known: more turns than these are left to the next frame. */
const TURNS_IN_FRAME = 4;
/** A list that never comes to rest is not waited for. */
const LONGEST_FRAMES = 60;
/** Scrolling shortly after the wheel, a key or a finger is the reader's own. */
const OWN_SCROLL_MS = 600;

export interface ListParts {
  /** What comes below the last row is new; otherwise it is only not loaded yet, and not skipped. */
  readonly hasNewest: () => boolean;
  /** The row that the list does not run past by itself; -1 for none. */
  readonly heldAt: () => number;
  readonly onMove: (isAtEnd: boolean) => void;
  readonly onNearStart: () => void;
  readonly onNearEnd: () => void;
  /** What is visible may have changed. @param isOwn  because the reader scrolled */
  readonly onLook: (isOwn: boolean) => void;
}

/** Where a row is to be after a jump. */
export interface RowPosition {
  readonly index: number;
  readonly align: 'start' | 'center';
  /** What is to be seen above the row, in pixels; less of it where everything below fits then. */
  readonly above?: number;
  /** Exactly there, whatever fits. */
  readonly isExact?: boolean;
}

/** Above the line of what is new there is something to read on from. */
const CONTEXT_PX = 96;

/** Where a list opens: what was asked for stands in the middle. */
export function openingPosition(index: number, isAskedFor: boolean): RowPosition | null {
  if (index === -1) return null;
  return isAskedFor ? { index, align: 'center' } : { index, align: 'start', above: CONTEXT_PX };
}

/** A message that is read, and what there is of the window above its top; less than nothing where it is cut. */
export interface ReadRow {
  readonly id: number;
  readonly above: number;
}

/** The end, wherever that is. */
const END = 'end';

/** Keeps a virtual list where it belongs: at the end while new rows come, elsewhere where it was put. */
export class ListPosition {
  readonly #parts: ListParts;
  #handle: VirtualizerHandle | undefined;
  #scroller: HTMLElement | undefined;
  #offset = $state(0);
  /** Until the first jump it is nowhere. */
  #isAtEnd = false;
  /** What a jump leads to, until the rows on the way are measured. */
  #spot: (() => RowPosition | typeof END | null) | null = null;
  #framesLeft = 0;
  #framesAtMost = 0;
  #frame = 0;
  #isSettled = $state(false);
  #hasBuffer = $state(false);
  #lastTop = -1;
  #lastInputMs = -Infinity;
  #isDragging = false;
  #seen = { top: 0, height: 0, viewHeight: 0 };

  constructor(parts: ListParts) {
    this.#parts = parts;
  }

  get offset(): number {
    return this.#offset;
  }

  /** The first jump has come to its end: what is shown is where it belongs. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Rows beyond what is visible may be drawn: not before what is visible has been shown. */
  get hasBuffer(): boolean {
    return this.#hasBuffer;
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** The rows that are visible, wholly or in part. */
  get visible(): { readonly from: number; readonly to: number } {
    const handle = this.#handle;
    if (handle === undefined) return { from: 0, to: -1 };
    const top = handle.getScrollOffset();
    return {
      from: handle.findItemIndex(top),
      to: handle.findItemIndex(top + handle.getViewportSize() - 1),
    };
  }

  attach(scroller: HTMLElement, handle: VirtualizerHandle): () => void {
    this.#scroller = scroller;
    this.#handle = handle;
    const listen = { passive: true } as const;
    const input = (): void => {
      this.#lastInputMs = performance.now();
      if (this.#spot === null) return;
      // Whoever scrolls during a jump has the last word.
      this.#spot = null;
      this.#isSettled = true;
      this.#hasBuffer = true;
      this.#look(false);
    };
    const press = ({ target }: PointerEvent): void => {
      this.#isDragging = target === scroller;
      if (this.#isDragging) input();
    };
    const release = (): void => {
      this.#isDragging = false;
    };
    scroller.addEventListener('wheel', input, listen);
    scroller.addEventListener('touchmove', input, listen);
    scroller.addEventListener('pointerdown', press, listen);
    addEventListener('pointerup', release, listen);
    return () => {
      cancelAnimationFrame(this.#frame);
      removeEventListener('pointerup', release);
      scroller.removeEventListener('wheel', input);
      scroller.removeEventListener('touchmove', input);
      scroller.removeEventListener('pointerdown', press);
      this.#handle = undefined;
      this.#scroller = undefined;
    };
  }

  /** A key of the reader moves the list. */
  noteKey(): void {
    this.#lastInputMs = performance.now();
  }

  /** @param spot  asked again while rows are measured, because what is above may change meanwhile */
  jump(spot: () => RowPosition | typeof END | null): void {
    this.#spot = spot;
    this.#isAtEnd = false;
    this.#framesLeft = SETTLING_FRAMES;
    this.#framesAtMost = LONGEST_FRAMES;
    this.#settle();
  }

  toEnd(): void {
    this.jump(() => END);
    this.#isAtEnd = true;
  }

  page(by: -1 | 1): void {
    const height = this.#scroller?.clientHeight ?? 0;
    this.noteKey();
    this.#scroller?.scrollBy({ top: by * height * 0.85 });
  }

  /** Rows came, went, or have another size; or the window has. */
  readonly changed = (): void => {
    if (this.#spot !== null) {
      this.#framesLeft = Math.min(SETTLING_FRAMES, this.#framesAtMost);
      void this.#standAgain();
      return;
    }
    this.#isAtEnd ||= this.#seesEnd();
    if (!this.#isAtEnd) this.#look(false);
    else if (this.#parts.heldAt() === -1) this.toEnd();
    else this.jump(() => openingPosition(this.#parts.heldAt(), false) ?? END);
  };

  /** Pixels between the top of what is visible and the top of a row. */
  aboveOf(index: number): number {
    const handle = this.#handle;
    return handle === undefined ? 0 : handle.getItemOffset(index) - handle.getScrollOffset();
  }

  /** A row, with as little scrolling as possible. */
  bring(index: number): void {
    const [handle, scroller] = [this.#handle, this.#scroller];
    if (handle === undefined || scroller === undefined) return;
    const top = handle.getItemOffset(index);
    const bottom = top + handle.getItemSize(index) - scroller.clientHeight;
    if (scroller.scrollTop > top) scroller.scrollTop = top;
    else if (scroller.scrollTop < bottom) scroller.scrollTop = bottom;
  }

  readonly scrolled = (offset: number): void => {
    const scroller = this.#scroller;
    if (scroller === undefined) return;
    const isOwn = this.#isDragging || performance.now() - this.#lastInputMs < OWN_SCROLL_MS;
    this.#offset = offset;
    // As it is now: the list hears of another height of the window only after the scrolling that comes of it.
    const { scrollTop: top, scrollHeight: height, clientHeight: viewHeight } = scroller;
    const isAtEnd = this.#seesEnd();
    // A list that grows or shrinks scrolls by itself: only moving up in an unchanged one leaves the end.
    const isUnchanged = height === this.#seen.height && viewHeight === this.#seen.viewHeight;
    const wentUp = top < this.#seen.top - 1;
    if (this.#spot === null && (isAtEnd || isOwn || (isUnchanged && wentUp))) {
      this.#isAtEnd = isAtEnd;
    }
    this.#seen = { top, height, viewHeight };
    this.#look(isOwn);
  };

  #look(isOwn: boolean): void {
    const handle = this.#handle;
    if (handle === undefined || this.#spot !== null) return;
    this.#parts.onMove(this.#isAtEnd);
    this.#parts.onLook(isOwn);
    const offset = handle.getScrollOffset();
    if (offset < NEAR_PX) this.#parts.onNearStart();
    const below = handle.getScrollSize() - offset - handle.getViewportSize();
    if (below < NEAR_PX) this.#parts.onNearEnd();
  }

  /** Until nothing moves any more: rows are measured when they are first drawn, and push others away. */
  #settle(): void {
    cancelAnimationFrame(this.#frame);
    this.#hasBuffer ||= this.#isSettled;
    const handle = this.#handle;
    if (handle === undefined || this.#spot === null) return;
    const spot = this.#spot();
    if (spot !== null) this.#stand(handle, spot);
    this.#framesLeft -= 1;
    this.#framesAtMost -= 1;
    if (this.#framesLeft > 0) {
      this.#frame = requestAnimationFrame(() => this.#settle());
      return;
    }
    this.#spot = null;
    this.#isSettled = true;
    this.#hasBuffer = true;
    this.#isAtEnd = this.#parts.hasNewest() && (spot === END || this.#seesEnd());
    this.#offset = this.#scroller?.scrollTop ?? 0;
    this.#look(false);
  }

  /** In the frame in which rows were measured, so that it shows them where they belong. */
  async #standAgain(): Promise<void> {
    for (let turn = 0; turn < TURNS_IN_FRAME; turn += 1) {
      await tick();
      const spot = this.#spot?.() ?? null;
      const [handle, scroller] = [this.#handle, this.#scroller];
      if (handle === undefined || scroller === undefined || spot === null) return;
      const before = scroller.scrollTop;
      this.#put(this.#topOf(spot, handle, scroller), scroller);
      if (this.#isSettled) return;
      // Whether anything moves need not be waited for then.
      if (scroller.scrollTop === before && isDrawn(scroller)) this.#show();
    }
  }

  /** The rows that belong there are drawn now, and not after the event that the next frame brings. */
  #put(top: number, scroller: HTMLElement): void {
    scroller.scrollTop = top;
    const isMoved = scroller.scrollTop !== this.#lastTop;
    this.#lastTop = scroller.scrollTop;
    if (isMoved && !this.#isSettled) scroller.dispatchEvent(new Event('scroll'));
  }

  #topOf(spot: RowPosition | typeof END, handle: VirtualizerHandle, scroller: HTMLElement): number {
    return spot === END ? scroller.scrollHeight : topOf(spot, handle, scroller);
  }

  #seesEnd(): boolean {
    if (this.#scroller === undefined || !this.#parts.hasNewest()) return false;
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight < END_PX;
  }

  /** Not by the list's own way: that goes on waiting for rows after the reader has scrolled elsewhere. */
  #stand(handle: VirtualizerHandle, spot: RowPosition | typeof END): void {
    const scroller = this.#scroller;
    if (scroller === undefined) return;
    const before = this.#lastTop;
    this.#put(this.#topOf(spot, handle, scroller), scroller);
    // Measured, and where it was a frame ago: nothing of the way there is left to be seen.
    if (handle.getViewportSize() > 0 && this.#lastTop === before) this.#show();
  }

  /** What is shown says at once whether it is the end: rows beyond it may be measured for long. */
  #show(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#parts.onMove(this.#seesEnd());
  }
}

/** Every row that is to be seen is there and measured: the list hides those that are not. */
function isDrawn(scroller: HTMLElement): boolean {
  const list = scroller.firstElementChild;
  if (list === null) return false;
  const frame = scroller.getBoundingClientRect();
  const seenOf = (element: Element): number => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.max(Math.min(bottom, frame.bottom) - Math.max(top, frame.top), 0);
  };
  const rows = [...list.children].filter(
    (row) => row instanceof HTMLElement && row.style.visibility !== 'hidden',
  );
  const seen = rows.reduce((sum, row) => sum + seenOf(row), 0);
  return seen > 0 && seen >= seenOf(list) - 1;
}

function topOf(spot: RowPosition, handle: VirtualizerHandle, scroller: HTMLElement): number {
  const { index, align, above = 0, isExact = false } = spot;
  const top = handle.getItemOffset(index);
  const viewHeight = scroller.clientHeight;
  if (align === 'center') return top - Math.max(viewHeight - handle.getItemSize(index), 0) / 2;
  const end = scroller.scrollHeight - viewHeight;
  const isAllSeen = !isExact && end <= top - Math.min(above, LINE_PX);
  return isAllSeen ? end : top - above;
}
