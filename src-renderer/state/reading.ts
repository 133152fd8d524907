import {
  isConversation,
  type ShownMessage,
  type View,
} from '../../src-main/contract/models/client.ts';
import type { Preferences } from '../../src-main/contract/models/preferences.ts';

/** Whoever looks at the same place for so long has read what is there. */
const STAY_MS = 1000;
/** At most two calls a second, however fast somebody scrolls. */
const BATCH_MS = 500;

type Choice = Preferences['markRead'];
type Readable = Pick<ShownMessage, 'id' | 'isRead' | 'isOwn'>;

export interface ReadingParts {
  readonly mark: (ids: readonly number[]) => void;
  readonly choice: () => Choice;
  /** The window is in front and has the keyboard. */
  readonly isFocused: () => boolean;
}

/** Decides which of the messages on the screen count as read, and says so in batches. */
export class Reading {
  readonly #parts: ReadingParts;
  #view: View | null = null;
  #visible: readonly Readable[] = [];
  /** Somebody scrolled here, or stayed: what is visible from now on is read. */
  #isAwake = false;
  /** One message was looked up: only scrolling shows that more than that is read. */
  #needsScroll = false;
  #isSuspended = false;
  readonly #told = new Set<number>();
  #due = new Set<number>();
  #stayTimer: ReturnType<typeof setTimeout> | undefined;
  #batchTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  /** Another view, or the same one anew. @param isLookedUp  one message of it was asked for */
  enter(view: View | null, isLookedUp: boolean): void {
    this.#view = view;
    this.#visible = [];
    this.#needsScroll = isLookedUp;
    this.#isSuspended = false;
    this.#told.clear();
    this.#fallAsleep();
    this.#stay();
  }

  /** Whoever goes to the newest message here is done with those before it. */
  get endsAtNewest(): boolean {
    const kind = this.#view?.kind;
    return (kind === 'stream' || kind === 'private') && this.#canMark;
  }

  /** What the reader sees now, wholly or in part. */
  look(messages: readonly Readable[]): void {
    this.#visible = messages;
    if (this.#isAwake) this.#collect();
  }

  /** The reader moved through the list. */
  scroll(): void {
    this.#needsScroll = false;
    if (!this.#parts.isFocused()) return;
    this.#isAwake = true;
    this.#collect();
  }

  /** After "mark unread from here", nothing becomes read by itself until the view is left. */
  suspend(): void {
    this.#isSuspended = true;
    this.#due.clear();
  }

  /** The window came to the front. */
  readonly focus = (): void => this.#stay();

  /** The window lost the keyboard. */
  readonly blur = (): void => this.#fallAsleep();

  readonly stop = (): void => {
    this.#fallAsleep();
    clearTimeout(this.#batchTimer);
  };

  get #canMark(): boolean {
    const view = this.#view;
    if (view === null || this.#isSuspended) return false;
    if (view.kind === 'search' || view.kind === 'starred') return false;
    const choice = this.#parts.choice();
    return choice === 'scroll' || (choice === 'conversation' && isConversation(view));
  }

  #stay(): void {
    clearTimeout(this.#stayTimer);
    if (this.#needsScroll) return;
    this.#stayTimer = setTimeout(() => {
      if (!this.#parts.isFocused()) return;
      this.#isAwake = true;
      this.#collect();
    }, STAY_MS);
  }

  #fallAsleep(): void {
    clearTimeout(this.#stayTimer);
    this.#isAwake = false;
  }

  #collect(): void {
    if (!this.#canMark || !this.#parts.isFocused()) return;
    for (const { id, isRead, isOwn } of this.#visible) {
      if (!isRead && !isOwn && !this.#told.has(id)) this.#due.add(id);
    }
    if (this.#due.size > 0 && this.#batchTimer === undefined) {
      this.#batchTimer = setTimeout(() => this.#flush(), BATCH_MS);
    }
  }

  #flush(): void {
    this.#batchTimer = undefined;
    if (this.#due.size === 0) return;
    const ids = [...this.#due].sort((a, b) => a - b);
    this.#due = new Set();
    for (const id of ids) this.#told.add(id);
    this.#parts.mark(ids);
  }
}
