import {
  isInView,
  type MessagePage,
  type ShownMessage,
  type View,
} from '#shared/bridge/models/client.ts';
import { applyChanges, mergeMessages, withoutReceivedTopic } from '#renderer/lib/entries.ts';

/** More than this are not kept while the reader is at the newest. */
const KEPT_MESSAGES = 12_000;

/** The stretch of a view's messages that is here, without a gap, and what arrived below it. */
export class LoadedMessages {
  #messages = $state.raw<readonly ShownMessage[]>([]);
  #hasOldest = $state(false);
  #hasNewest = $state(false);
  /** What arrived while the newest page is not here; it connects as soon as that is. */
  #arrived: readonly ShownMessage[] = [];
  readonly #isAtEnd: () => boolean;

  /** @param isAtEnd  whether the reader sees the end of what is here */
  constructor(isAtEnd: () => boolean) {
    this.#isAtEnd = isAtEnd;
  }

  get messages(): readonly ShownMessage[] {
    return this.#messages;
  }

  get hasOldest(): boolean {
    return this.#hasOldest;
  }

  get hasNewest(): boolean {
    return this.#hasNewest;
  }

  clear(): void {
    this.#messages = [];
    this.#arrived = [];
    this.#hasOldest = false;
    this.#hasNewest = false;
  }

  replace(page: MessagePage): void {
    this.#hasOldest = page.hasOldest;
    this.#hasNewest = page.hasNewest;
    const before = new Map(this.#messages.map((message) => [message.id, message]));
    this.#messages = page.messages.map((message) =>
      withoutReceivedTopic(message, before.get(message.id)),
    );
    this.#connect();
  }

  /**
   * @param page        what is older than `oldestId`, which was the oldest when it was asked for
   * @param isIndexing  older ones may come that a search does not find yet
   */
  addOlder({ messages, hasOldest }: MessagePage, oldestId: number, isIndexing: boolean): void {
    const older = messages.filter(({ id }) => id < oldestId);
    this.#hasOldest = hasOldest || (older.length === 0 && !isIndexing);
    this.#messages = mergeMessages(this.#messages, older);
  }

  /** @param page  what is newer than `newestId`, which was the newest when it was asked for */
  addNewer({ messages, hasNewest }: MessagePage, newestId: number): void {
    const newer = messages.filter(({ id }) => id > newestId);
    this.#hasNewest = hasNewest || newer.length === 0;
    this.#messages = mergeMessages(this.#messages, newer);
    this.#connect();
  }

  addArrived(fresh: readonly ShownMessage[]): void {
    this.#arrived = mergeMessages(this.#arrived, fresh);
    this.#connect();
  }

  /** @param isComplete  nothing is missing between those that are here: others may join them */
  change(messages: readonly ShownMessage[], view: View, isComplete: boolean): void {
    const changed = new Map(messages.map((message) => [message.id, message]));
    const staying = (list: readonly ShownMessage[]): readonly ShownMessage[] =>
      list.some(({ id }) => changed.has(id)) ? applyChanges(list, changed, view) : list;
    this.#messages = staying(this.#messages);
    this.#arrived = staying(this.#arrived);
    if (!isComplete) return;
    const joined = messages.filter(
      (message) =>
        isInView(message, view) && !this.isKnown(message.id) && this.#isInRange(message.id),
    );
    if (joined.length > 0) this.#messages = mergeMessages(this.#messages, joined);
  }

  remove(ids: ReadonlySet<number>): void {
    const rest = (list: readonly ShownMessage[]): readonly ShownMessage[] =>
      list.some(({ id }) => ids.has(id)) ? list.filter(({ id }) => !ids.has(id)) : list;
    this.#messages = rest(this.#messages);
    this.#arrived = rest(this.#arrived);
  }

  isKnown(id: number): boolean {
    // From the end: what is asked about is mostly new.
    return (
      this.#messages.findLast((message) => message.id <= id)?.id === id ||
      this.#arrived.some((message) => message.id === id)
    );
  }

  /** Whether what lies around the id is here, so that a message belongs between what is shown. */
  #isInRange(id: number): boolean {
    const [first, last] = [this.#messages[0]?.id, this.#messages.at(-1)?.id];
    if (first === undefined || last === undefined) return this.#hasOldest && this.#hasNewest;
    return (id > first || this.#hasOldest) && (id < last || this.#hasNewest);
  }

  /** Joins what arrived, once everything before it is here. */
  #connect(): void {
    if (!this.#hasNewest || this.#arrived.length === 0) return;
    const merged = mergeMessages(this.#messages, this.#arrived);
    this.#arrived = [];
    const surplus = this.#isAtEnd() ? merged.length - KEPT_MESSAGES : 0;
    this.#messages = surplus > 0 ? merged.slice(surplus) : merged;
    if (surplus > 0) this.#hasOldest = false;
  }
}
