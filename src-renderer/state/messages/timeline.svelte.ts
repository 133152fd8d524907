import {
  isInView,
  type MessagePage,
  type MessagePageRequest,
  type ShownMessage,
  type View,
} from '#shared/bridge/models/client.ts';
import { AROUND_MESSAGES, openingOf } from '#shared/bridge/models/opening.ts';
import type { Bridge } from '#preload/bridge.ts';
import { timelineWords } from '#renderer/i18n/timeline.ts';
import { findMessage } from './find-message.ts';
import { LoadedMessages } from './loaded-messages.svelte.ts';
import { AwaitedHits } from './awaited-hits.svelte.ts';
import {
  hasMessage,
  isRankedView,
  type Landing,
  missingWords,
  moveOf,
  PAGE_MESSAGES,
  type TimelineWatch,
} from './timeline-parts.ts';
import { PageRequests } from './page-requests.svelte.ts';
import { UnreadLine } from './unread-line.svelte.ts';
import { isSameView } from '../places/places.ts';

/** At most this many are asked for at once when everything is fetched anew. */
const RELOADED_MESSAGES = 500;

type Calls = Pick<Bridge, 'messages' | 'on'>;

/** The messages of the view that is shown. */
export class Timeline {
  readonly #bridge: Calls;
  readonly #accountId: string;
  readonly #watch: TimelineWatch;
  readonly #requests: PageRequests;
  #view = $state.raw<View | null>(null);
  readonly #loaded = new LoadedMessages(() => this.#isAtEnd);
  #phase = $state<'loading' | 'ready' | 'failed'>('loading');
  #failure = $state('');
  #known = $state.raw<Pick<MessagePage, 'isComplete' | 'isOwnComplete'>>({ isComplete: true });
  readonly #awaited = new AwaitedHits({
    count: () => this.messages.length,
    ask: async () => {
      const oldest = this.messages[0];
      if (oldest === undefined || this.isRanked) await this.reload();
      else await this.#loadBefore(oldest);
    },
  });
  #isAtEnd = $state(true);
  #missedCount = $state(0);
  #missing = $state('');
  #reloads = $state(0);
  /** The message at the top of what the reader sees. */
  #readId: number | null = null;
  /** The message that the view was last opened at; null for where reading stopped. */
  #openedAt: number | null = null;
  readonly #line = new UnreadLine();
  #landing = $state.raw<Landing | null>(null);
  readonly stop: () => void;

  constructor(bridge: Calls, accountId: string, watch: TimelineWatch) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    this.#watch = watch;
    this.#requests = new PageRequests(bridge, accountId, () => this.#view);
    const stops = [
      () => this.#awaited.put(),
      bridge.on('messagesArrived', (event) => {
        if (event.accountId === accountId) this.#add(event.messages);
      }),
      bridge.on('messagesChanged', (event) => {
        if (event.accountId === accountId) this.#change(event.messages);
      }),
      bridge.on('messagesRemoved', (event) => {
        if (event.accountId === accountId) this.#loaded.remove(new Set(event.ids));
      }),
      bridge.on('messagesReset', (event) => {
        if (event.accountId === accountId) void this.reload();
      }),
      bridge.on('connectionChanged', (event) => {
        const isBack = event.accountId === accountId && event.connection.state === 'live';
        if (isBack && (!this.isComplete || this.#phase === 'failed')) void this.reload();
      }),
    ];
    this.stop = () => stops.forEach((end) => end());
  }

  get view(): View | null {
    return this.#view;
  }

  /** Whether the best hits of a search are shown, the best first: one page, which no other one goes on from. */
  get isRanked(): boolean {
    return isRankedView(this.#view);
  }

  /** Ascending by id, unless they are ranked. */
  get messages(): readonly ShownMessage[] {
    return this.#loaded.messages;
  }

  get phase(): 'loading' | 'ready' | 'failed' {
    return this.#phase;
  }

  get failure(): string {
    return this.#failure;
  }

  get hasOldest(): boolean {
    return this.#loaded.hasOldest;
  }

  get hasNewest(): boolean {
    return this.#loaded.hasNewest;
  }

  /** Older hits of a search are missing, and come by themselves: its index is being made anew. */
  get isIndexing(): boolean {
    return this.#awaited.areAwaited;
  }

  /** False where messages may be missing, because only what this computer has could be shown. */
  get isComplete(): boolean {
    return this.#known.isComplete;
  }

  /** False where more may be missing than messages of public streams that the reader is not in. */
  get isOwnComplete(): boolean {
    return this.isComplete || this.#known.isOwnComplete === true;
  }

  get isLoadingOlder(): boolean {
    return this.#requests.loading === 'older';
  }

  /** The reader sees the newest message. */
  get isAtNewest(): boolean {
    return this.#isAtEnd && this.hasNewest;
  }

  /** Messages that arrived below while the reader was further up. */
  get missedCount(): number {
    return this.#missedCount;
  }

  /** Above this message stands the line of what is new; null for no line. It stays until the view is left. */
  get unreadFromId(): number | null {
    return this.#line.fromId;
  }

  /** The message that the list does not run past by itself: what came since was not seen by anybody. */
  get heldId(): number | null {
    return this.#line.heldId;
  }

  get landing(): Landing | null {
    return this.#landing;
  }

  /** Why the message that was asked for is not shown; empty when it is. */
  get missing(): string {
    return this.#missing;
  }

  /** Counts how often everything was fetched anew, while the reader stays at the same place. */
  get reloads(): number {
    return this.#reloads;
  }

  find(id: number): ShownMessage | undefined {
    return this.messages.find((message) => message.id === id);
  }

  /** The message, else the next one that came after it, else the last. */
  findNear(id: number): ShownMessage | undefined {
    return this.find(id) ?? this.messages.find((each) => each.id >= id) ?? this.messages.at(-1);
  }

  /** @param messageId  the message to open at; null for where reading stopped */
  async show(view: View | null, messageId: number | null = null): Promise<void> {
    if (isSameView(view, this.#view)) {
      if (messageId !== null && view !== null) await this.showMessage(messageId);
      return;
    }
    this.#view = view;
    this.#awaited.put();
    this.#loaded.clear();
    this.#known = { isComplete: true };
    this.#line.put(null);
    this.#isAtEnd = true;
    this.#missedCount = 0;
    this.#missing = '';
    this.#readId = null;
    this.#landing = null;
    this.#phase = 'loading';
    await this.#open(messageId);
  }

  /** Goes to a message of the view; what lies around it is fetched where it is not here. */
  async showMessage(id: number, takesFocus = false): Promise<void> {
    if (this.find(id) !== undefined) this.#land({ messageId: id, isAskedFor: true, takesFocus });
    else if (this.#phase === 'ready') await this.#jump(id, takesFocus);
    else await this.#open(id);
  }

  async showNewest(takesFocus = true): Promise<void> {
    if (this.hasNewest) this.#land({ messageId: null, isAskedFor: false, takesFocus });
    else await this.#jump('newest', takesFocus);
  }

  async showOldest(): Promise<void> {
    if (!this.hasOldest && !this.isRanked) await this.#jump(0, true);
    const first = this.messages[0];
    if (first === undefined) return;
    this.#land({ messageId: first.id, isAskedFor: false, takesFocus: true });
  }

  /** Fetches anew what is here, around what is read. */
  async reload(): Promise<void> {
    if (this.#phase !== 'ready' || this.messages.length === 0) {
      await this.#open(this.#phase === 'failed' ? this.#openedAt : null);
      return;
    }
    const size = Math.min(Math.max(this.messages.length, PAGE_MESSAGES), RELOADED_MESSAGES);
    const readId = this.#readId ?? this.messages.at(-1)?.id ?? 0;
    const page = await this.#requests.ask(
      this.isAtNewest
        ? { anchor: 'newest', before: size, after: 0 }
        : { anchor: readId, before: size, after: size },
    );
    // Where it failed, the connection line says why, and what is here stays.
    if (page?.ok !== true) return;
    if (!this.isAtNewest) this.#reloads += 1;
    this.#replace(page.value);
  }

  async loadOlder(): Promise<void> {
    const oldest = this.messages[0];
    // What is not indexed yet cannot be scrolled to.
    if (this.hasOldest || this.isIndexing || this.isRanked || oldest === undefined) return;
    await this.#loadBefore(oldest);
  }

  async #loadBefore(oldest: ShownMessage): Promise<void> {
    if (this.#phase !== 'ready') return;
    const request = { anchor: oldest.id, before: PAGE_MESSAGES, after: 0 };
    const page = await this.#requests.extend('older', request);
    if (page === null) return;
    this.#known = page;
    this.#awaited.put(page.isIndexing);
    this.#loaded.addOlder(page, oldest.id, this.isIndexing);
  }

  async loadNewer(): Promise<void> {
    const newest = this.messages.at(-1);
    if (this.#phase !== 'ready' || this.hasNewest || newest === undefined) return;
    const request = { anchor: newest.id, before: 0, after: PAGE_MESSAGES };
    const page = await this.#requests.extend('newer', request);
    if (page === null) return;
    this.#loaded.addNewer(page, newest.id);
  }

  /** What the reader sees: the end of the list, or something further up. @param readId  the first message of it */
  standAt(isAtEnd: boolean, readId: number | null): void {
    this.#isAtEnd = isAtEnd;
    this.#readId = readId;
    if (this.isAtNewest) this.#missedCount = 0;
  }

  /** The reader knows that the message is not here. */
  forgetMissing(): void {
    this.#missing = '';
  }

  /** The message and those after it were made unread by hand. */
  markUnreadFrom(messageId: number): void {
    this.#line.put(messageId);
  }

  async #open(messageId: number | null): Promise<void> {
    this.#openedAt = messageId;
    if (this.#view === null) {
      // What is still on its way belongs to the view that was left.
      this.#requests.cancel();
      return;
    }
    const opening = openingOf(this.#view);
    const page = await this.#requests.ask({ ...opening, anchor: messageId ?? opening.anchor });
    if (page === null) return;
    if (!page.ok) {
      this.#phase = 'failed';
      this.#failure = page.failure.message;
      return;
    }
    if (messageId !== null && (await this.#isElsewhere(messageId, page.value))) return;
    const { anchorId } = page.value;
    this.#replace(page.value);
    const isWhereReadingStopped = messageId === null && opening.anchor === 'first-unread';
    if (isWhereReadingStopped) this.#line.put(anchorId);
    this.#phase = 'ready';
    this.#landFirst(messageId, page.value);
  }

  /** At the message that was asked for; as near as what is here goes, and says why, where it is not. */
  #landFirst(wantedId: number | null, page: MessagePage): void {
    if (wantedId === null || this.find(wantedId) !== undefined) {
      const first = this.isRanked ? (this.messages[0]?.id ?? null) : page.anchorId;
      const messageId = wantedId ?? first;
      this.#land({ messageId, isAskedFor: wantedId !== null, takesFocus: false });
      return;
    }
    const near = this.messages.findLast(({ id }) => id < wantedId) ?? this.messages[0];
    this.#land({ messageId: near?.id ?? null, isAskedFor: false, takesFocus: false });
    this.#missing = missingWords(page);
  }

  async #jump(anchor: MessagePageRequest['anchor'], takesFocus: boolean): Promise<void> {
    const page = await this.#requests.ask({
      anchor,
      before: AROUND_MESSAGES,
      after: AROUND_MESSAGES,
    });
    if (page === null) return;
    if (!page.ok) {
      this.#missing = timelineWords.notReached(page.failure.message);
      return;
    }
    const isMessage = typeof anchor === 'number' && anchor > 0;
    // Where it is not, what is read stays.
    if (isMessage && !hasMessage(page.value, anchor)) {
      if (await this.#isElsewhere(anchor, page.value)) return;
      this.#missing = missingWords(page.value);
      return;
    }
    this.#replace(page.value);
    this.#land({ messageId: isMessage ? anchor : null, isAskedFor: isMessage, takesFocus });
  }

  /** Whether there is nothing left to do here: the message is in another conversation, or something else is asked for. */
  async #isElsewhere(id: number, page: MessagePage): Promise<boolean> {
    const view = this.#view;
    // What a list of many selects, it selects by more than the place.
    if (view?.kind !== 'stream' && view?.kind !== 'private') return false;
    if (hasMessage(page, id)) return false;
    const isCurrent = this.#requests.mark();
    const to = await findMessage(this.#bridge, this.#accountId, id);
    if (!isCurrent()) return true;
    if (to === null || isSameView(to, view)) return false;
    this.#watch.onElsewhere(to, id, this.#phase === 'ready');
    return true;
  }

  #land(landing: Landing): void {
    this.#missing = '';
    this.#landing = landing;
  }

  #replace(page: MessagePage): void {
    this.#awaited.put(page.isIndexing);
    this.#known = page;
    this.#loaded.replace(page);
  }

  #add(messages: readonly ShownMessage[]): void {
    const view = this.#view;
    if (view === null) return;
    const fresh = messages.filter((each) => isInView(each, view) && !this.#loaded.isKnown(each.id));
    if (fresh.length === 0) return;
    const others = fresh.filter(({ isOwn }) => !isOwn);
    if (this.#phase === 'ready' && others.length > 0) {
      const first = others.find((each) => !each.isRead && !this.#watch.isWatched(each));
      this.#line.arrived(first, this.messages);
    }
    // Those that come with a page are in it, and not missed.
    if (this.#phase === 'ready' && !this.isAtNewest) this.#missedCount += others.length;
    this.#loaded.addArrived(fresh);
    if (this.#phase === 'ready') others.forEach((each) => this.#watch.onArrival(each));
  }

  #change(messages: readonly ShownMessage[]): void {
    const view = this.#view;
    if (view === null) return;
    const before = this.messages;
    this.#loaded.change(messages, view, this.#phase === 'ready');
    const move = this.messages.length === 0 ? moveOf(view, before, messages) : undefined;
    if (move !== undefined) {
      this.#watch.onMoved(move.from, move.to, this.isAtNewest ? null : this.#readId);
    }
  }
}
