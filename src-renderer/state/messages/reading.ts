import { isConversation, type ShownMessage, type View } from '#shared/bridge/models/client.ts';
import type { Preferences } from '#shared/bridge/models/preferences.ts';
import type { UserActivity } from '../user-activity.ts';
import { hasPassed, type MessageRange, rangeTo, withRange } from '#renderer/lib/passed-messages.ts';

/** Whoever looks at the same place for so long has read what is there. */
const STAY_MS = 1000;
/** At most two calls a second, however fast somebody scrolls. */
const BATCH_MS = 500;

type Choice = Preferences['markRead'];
type Readable = Pick<ShownMessage, 'id' | 'isRead'>;

/** What was read of a view: all that is unread in the passage, and those that were seen. */
export interface ReadRange extends MessageRange {
  readonly view: View;
  readonly seenIds: readonly number[];
}

export interface ReadingParts {
  readonly mark: (read: ReadRange) => void;
  readonly choice: () => Choice;
  readonly userActivity: Pick<UserActivity, 'isLooking' | 'onChange'>;
}

/** Decides which messages of a view count as read, and says so in batches. */
export class Reading {
  readonly #parts: ReadingParts;
  readonly #stopFollowing: () => void;
  #view: View | null = null;
  #visible: readonly Readable[] = [];
  #isAtNewest = false;
  /** The first message that was visible when the reader was last seen to be here; what lies below it is not passed yet. */
  #stoodAtId: number | null = null;
  /** Somebody scrolled here, or stayed: what is visible from now on is read. */
  #isAwake = false;
  /** The view was opened at one message, and nobody has moved since: only what is visible is read. */
  #isLookedUp = false;
  #isSuspended = false;
  #toldPassages: readonly MessageRange[] = [];
  #duePassages: readonly MessageRange[] = [];
  readonly #toldIds = new Set<number>();
  #dueIds = new Set<number>();
  #stayTimer: ReturnType<typeof setTimeout> | undefined;
  #batchTimer: ReturnType<typeof setTimeout> | undefined;

  /** Tells anew what is seen of the list. */
  #lookAgain: (() => void) | null = null;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
    this.#stopFollowing = parts.userActivity.onChange((isHere) =>
      isHere ? this.focus() : this.blur(),
    );
  }

  /** @param look  calls `look` with what is seen when it is called. @returns what ends that, once there is no list */
  watch(look: () => void): () => void {
    this.#lookAgain = look;
    return () => {
      if (this.#lookAgain === look) this.#lookAgain = null;
    };
  }

  /** Another view, or the same one anew. @param isLookedUp  one message of it was asked for */
  enter(view: View | null, isLookedUp: boolean): void {
    // Whoever leaves a list that is still settling has seen what is in the window by then.
    this.#lookAgain?.();
    this.flush();
    this.#view = view;
    this.place(null);
    this.#isLookedUp = isLookedUp;
    this.#isSuspended = false;
    this.#toldPassages = [];
    this.#toldIds.clear();
    this.#fallAsleep();
    this.#stay();
  }

  /**
   * The list is put elsewhere, which is no way that anybody went: nothing on it was passed.
   * @param id  the message that it is put at, where that is known
   */
  place(id: number | null): void {
    this.#visible = [];
    this.#isAtNewest = false;
    this.#stoodAtId = id;
  }

  /** What the reader sees now, wholly or in part. @param isAtNewest  nothing is below it */
  look(messages: readonly Readable[], isAtNewest: boolean): void {
    this.#visible = messages;
    this.#isAtNewest = isAtNewest;
    const passage = this.#passage();
    if (passage === null) return;
    if (this.#isAwake && this.#parts.userActivity.isLooking()) this.#collect();
    // Until the reader is known to be here, they have not passed anything; while they are away, the list moves by itself.
    else
      this.#stoodAtId = this.#parts.userActivity.isLooking()
        ? passage.fromId
        : (messages[0]?.id ?? null);
  }

  /** The reader moved through the list, or is about to. */
  scroll(): void {
    this.#isLookedUp = false;
    if (!this.#parts.userActivity.isLooking()) return;
    this.#isAwake = true;
    this.#collect();
  }

  /** After "mark unread from here", nothing becomes read by itself until the view is left. */
  suspend(): void {
    this.#isSuspended = true;
    this.#forgetDue();
  }

  /** The window came to the front, or somebody came back to it. */
  readonly focus = (): void => this.#stay();

  /** The window lost the keyboard, or nobody is there any more. */
  readonly blur = (): void => this.#fallAsleep();

  readonly stop = (): void => {
    this.#stopFollowing();
    this.#fallAsleep();
    this.#forgetDue();
  };

  /** Says what was read and is not said yet. */
  flush(): void {
    const [view, passages, ids] = [this.#view, this.#duePassages, this.#dueIds];
    this.#forgetDue();
    if (view === null) return;
    for (const id of ids) this.#toldIds.add(id);
    for (const passage of passages) {
      this.#toldPassages = withRange(this.#toldPassages, passage);
      const seenIds = [...ids].filter((id) => passage.fromId <= id && id <= passage.toId);
      this.#parts.mark({ view, ...passage, seenIds: seenIds.sort((a, b) => a - b) });
    }
  }

  get #canMark(): boolean {
    const view = this.#view;
    if (view === null || this.#isSuspended) return false;
    if (view.kind === 'search' || view.kind === 'starred') return false;
    const choice = this.#parts.choice();
    return choice === 'scroll' || (choice === 'conversation' && isConversation(view));
  }

  #stay(): void {
    clearTimeout(this.#stayTimer);
    this.#stayTimer = setTimeout(() => {
      if (!this.#parts.userActivity.isLooking()) return;
      this.#isAwake = true;
      this.#collect();
    }, STAY_MS);
  }

  #fallAsleep(): void {
    clearTimeout(this.#stayTimer);
    this.#isAwake = false;
  }

  /** Null where nothing is visible. */
  #passage(): MessageRange | null {
    const [first, last] = [this.#visible[0], this.#visible.at(-1)];
    if (first === undefined || last === undefined) return null;
    return rangeTo(this.#stoodAtId, { firstId: first.id, lastId: last.id });
  }

  #collect(): void {
    const passage = this.#passage();
    if (passage === null || !this.#parts.userActivity.isLooking()) return;
    this.#stoodAtId = this.#visible[0]?.id ?? null;
    if (!this.#canMark || this.#view === null) return;
    // Whoever comes to the end of a conversation by themselves is done with it.
    const isDone = this.#isAtNewest && !this.#isLookedUp && isConversation(this.#view);
    this.#add(isDone ? { ...passage, fromId: 0 } : passage);
  }

  #add(passage: MessageRange): void {
    const seen = this.#visible.filter(({ id, isRead }) => !isRead && !this.#toldIds.has(id));
    if (seen.length === 0 && hasPassed(this.#toldPassages, passage)) return;
    for (const { id } of seen) this.#dueIds.add(id);
    this.#duePassages = withRange(this.#duePassages, passage);
    this.#batchTimer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  #forgetDue(): void {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.#duePassages = [];
    this.#dueIds = new Set();
  }
}
