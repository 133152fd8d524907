import { fold } from '#shared/text/fold.ts';
import type { SubscribedStream } from '#shared/bridge/models/client-state.ts';
import {
  conversationKey,
  type Conversation,
  type PrivateView,
  type View,
} from '#shared/bridge/models/conversation.ts';
import type { UnreadMark } from '#shared/policies/unread-counts.ts';
import { plain } from '#shared/text/fuzzy.ts';
import { isIn } from '#shared/text/transliterations.ts';
import type { Navigation } from './navigation.svelte.ts';
import { holdOrder, orderStreams } from '#renderer/lib/order.ts';
import { nextConversation, nextRow } from './next-unread.ts';
import { isSamePlace, viewKey, type Place } from './places.ts';
import type { OrganizationState } from '../organization.svelte.ts';
import type { Topics } from './topics.svelte.ts';
import {
  addMarks,
  conversationMark,
  isUnread,
  noMark,
  unreadByStream,
  type StreamUnread,
} from './unread.ts';

const TOPICS_SHOWN = 5;
const PRIVATES_SHOWN = 8;

export type SectionName = 'privates' | 'pinned' | 'streams';

const noUnread: StreamUnread = { mark: noMark, topics: [] };
const streamKey = ({ streamId }: { readonly streamId: number }): string =>
  `stream:${String(streamId)}`;

/** What the left column lists, in its order. */
export class Sidebar {
  readonly #organization: OrganizationState;
  readonly #navigation: Navigation;
  readonly #topics: Topics;
  #filter = $state('');
  #collapsed = $state.raw<ReadonlySet<SectionName>>(new Set());
  /** Streams whose topics somebody unfolded (true) or folded (false); of the others only the open one shows them. */
  #unfolded = $state.raw<ReadonlyMap<number, boolean>>(new Map());
  /** Streams of which all topics are shown. */
  #whole = $state.raw<ReadonlySet<number>>(new Set());
  #showsAllPrivates = $state(false);
  #isHidden = $state(false);
  #held = $state.raw<readonly string[] | null>(null);
  /** What was unread when it was opened stays among the unread until it is left. */
  #unreadWhenOpened = $state.raw<number | null>(null);

  readonly #openStreamId = $derived.by(() => {
    const view = this.#navigation.view;
    return view?.kind === 'stream' ? view.streamId : null;
  });
  readonly #byStream = $derived.by(() =>
    unreadByStream(this.#organization.unread, (conversation) =>
      this.#organization.isQuiet(conversation),
    ),
  );

  readonly #drafted = $derived.by(() => {
    const drafts = this.#organization.isLoaded ? this.#organization.state.drafts : [];
    return new Set(drafts.filter(({ content }) => content.trim() !== '').map(({ key }) => key));
  });

  readonly #allPrivates = $derived.by((): readonly PrivateView[] => {
    const views = this.#organization.privateConversations.map(({ userIds }): PrivateView => ({
      kind: 'private',
      userIds,
    }));
    const open = this.#navigation.view;
    const isNew = open?.kind === 'private' && !views.some((view) => isSamePlace(view, open));
    return this.#keep(isNew ? [open, ...views] : views, viewKey);
  });

  readonly #ordered = $derived.by(() => {
    const { pinned, others } = orderStreams(this.#organization.streams, {
      isUnread: (id) => id === this.#unreadWhenOpened || isUnread(this.#streamUnread(id).mark),
      demotesInactive: this.#organization.isLoaded
        ? this.#organization.state.display.demote_inactive_streams
        : 3,
    });
    return { pinned: this.#keep(pinned, streamKey), others: this.#keep(others, streamKey) };
  });

  constructor(organization: OrganizationState, navigation: Navigation, topics: Topics) {
    this.#organization = organization;
    this.#navigation = navigation;
    this.#topics = topics;
  }

  /** The whole column. */
  get isHidden(): boolean {
    return this.#isHidden;
  }

  toggle(): void {
    this.#isHidden = !this.#isHidden;
  }

  get filter(): string {
    return this.#filter;
  }

  /** Shows the private conversations, people and streams that are meant. */
  setFilter(filter: string): void {
    this.#filter = filter;
  }

  get privates(): readonly PrivateView[] {
    if (this.#filter.trim() !== '') return this.#foundPrivates();
    if (this.#showsAllPrivates) return this.#allPrivates;
    const open = this.#navigation.view;
    return this.#allPrivates.filter(
      (view, at) => at < PRIVATES_SHOWN || isUnread(this.markOf(view)) || isSamePlace(view, open),
    );
  }

  get hiddenPrivateCount(): number {
    return this.#filter.trim() === '' ? this.#allPrivates.length - this.privates.length : 0;
  }

  get showsMorePrivates(): boolean {
    return this.#showsAllPrivates && this.#allPrivates.length > PRIVATES_SHOWN;
  }

  get pinned(): readonly SubscribedStream[] {
    return this.#ordered.pinned.filter((stream) => this.#isMeant(stream));
  }

  get streams(): readonly SubscribedStream[] {
    return this.#ordered.others.filter((stream) => this.#isMeant(stream));
  }

  /** Without the filter, in the order of the column. */
  get allPrivates(): readonly PrivateView[] {
    return this.#allPrivates;
  }

  get allStreams(): readonly SubscribedStream[] {
    return [...this.#ordered.pinned, ...this.#ordered.others];
  }

  isCollapsed(section: SectionName): boolean {
    return this.#collapsed.has(section) && this.#filter.trim() === '';
  }

  toggleSection(section: SectionName): void {
    const next = new Set(this.#collapsed);
    if (!next.delete(section)) next.add(section);
    this.#collapsed = next;
  }

  togglePrivates(): void {
    this.#showsAllPrivates = !this.#showsAllPrivates;
  }

  isUnfolded(streamId: number): boolean {
    const wanted = plain(this.#filter.trim());
    if (wanted !== '') return this.#allTopics(streamId).some((topic) => isIn(wanted, topic));
    return this.#unfolded.get(streamId) ?? streamId === this.#openStreamId;
  }

  unfold(streamId: number, isUnfolded: boolean): void {
    this.#unfolded = new Map(this.#unfolded).set(streamId, isUnfolded);
    if (isUnfolded) void this.#topics.load(streamId);
  }

  /** The newest unread topics and, where they are few, the newest others; the open one is always among them. */
  topicsOf(streamId: number): readonly string[] {
    const all = this.#allTopics(streamId);
    if (this.#filter.trim() !== '') {
      const wanted = plain(this.#filter.trim());
      const found = all.filter((topic) => isIn(wanted, topic));
      if (found.length > 0) return found.slice(0, TOPICS_SHOWN);
    }
    if (this.#whole.has(streamId)) return all;
    const unread = new Set(this.#streamUnread(streamId).topics.map(fold));
    const isNew = (topic: string): boolean => unread.has(fold(topic));
    const chosen = new Set(
      [...all.filter(isNew).slice(0, TOPICS_SHOWN), ...all.filter((topic) => !isNew(topic))].slice(
        0,
        TOPICS_SHOWN,
      ),
    );
    const open = this.#openTopicOf(streamId);
    return all.filter(
      (topic) => chosen.has(topic) || (open !== null && fold(topic) === fold(open)),
    );
  }

  hiddenTopicCount(streamId: number): number {
    return this.#filter.trim() === ''
      ? this.#allTopics(streamId).length - this.topicsOf(streamId).length
      : 0;
  }

  canShowFewerTopics(streamId: number): boolean {
    return this.#whole.has(streamId) && this.#allTopics(streamId).length > TOPICS_SHOWN;
  }

  toggleTopics(streamId: number): void {
    const next = new Set(this.#whole);
    if (!next.delete(streamId)) next.add(streamId);
    this.#whole = next;
  }

  markOf(view: View): UnreadMark {
    if (view.kind === 'private') return this.#conversationMark(view);
    if (view.kind !== 'stream') return noMark;
    return view.topic === null
      ? this.#streamUnread(view.streamId).mark
      : this.#conversationMark({ ...view, topic: view.topic });
  }

  hasDraft(view: View): boolean {
    return this.#drafted.has(viewKey(view));
  }

  isTopicMuted(streamId: number, topic: string): boolean {
    const key = conversationKey({ kind: 'stream', streamId, topic });
    return this.#organization.state.mutedTopics.some(
      (muted) => conversationKey({ kind: 'stream', ...muted }) === key,
    );
  }

  /** Rows never move under the pointer. */
  holdOrder(isHeld: boolean): void {
    this.#held = isHeld
      ? [
          ...this.#allPrivates.map(viewKey),
          ...[...this.#ordered.pinned, ...this.#ordered.others].map(streamKey),
        ]
      : null;
  }

  /** To be told of every place that is opened. */
  visit(place: Place): void {
    const streamId = place.kind === 'stream' ? place.streamId : null;
    if (streamId === null) this.#unreadWhenOpened = null;
    else if (isUnread(this.#streamUnread(streamId).mark)) this.#unreadWhenOpened = streamId;
    else if (streamId !== this.#unreadWhenOpened) this.#unreadWhenOpened = null;
  }

  /** What is unread in a section as a whole. */
  sectionMark(section: SectionName): UnreadMark {
    const views: readonly View[] =
      section === 'privates'
        ? this.#allPrivates
        : this.#ordered[section === 'pinned' ? 'pinned' : 'others'].map(({ streamId }): View => ({
            kind: 'stream',
            streamId,
            topic: null,
          }));
    return views.map((view) => this.markOf(view)).reduce(addMarks, noMark);
  }

  /** Every row of messages from top to bottom. */
  get rows(): readonly View[] {
    const streams = [...this.pinned, ...this.streams].flatMap(({ streamId }): readonly View[] => {
      const whole: View = { kind: 'stream', streamId, topic: null };
      if (!this.isUnfolded(streamId)) return [whole];
      const topics = this.topicsOf(streamId);
      return [whole, ...topics.map((topic): View => ({ kind: 'stream', streamId, topic }))];
    });
    return [...this.privates, ...streams];
  }

  /** The row before (-1) or after (1) the open one, optionally the nearest unread one in that direction. */
  neighbour(step: -1 | 1, onlyUnread: boolean): View | null {
    const accepts = (row: View): boolean => !onlyUnread || isUnread(this.markOf(row));
    return nextRow(this.rows, this.#navigation.view, step, accepts);
  }

  /** The unread topic after the open one, stream by stream in the order of the column; null when there is none. */
  nextUnreadTopic(): View | null {
    const topics = [...this.#ordered.pinned, ...this.#ordered.others].flatMap(({ streamId }) =>
      this.#streamUnread(streamId).topics.map((topic): Conversation => ({
        kind: 'stream',
        streamId,
        topic,
      })),
    );
    return nextConversation(topics, this.#navigation.view, this.#openStreamId);
  }

  nextUnreadPrivate(): View | null {
    const unread = this.#allPrivates.filter((view) => isUnread(this.markOf(view)));
    const listed = new Set(unread.map(viewKey));
    const others = Object.values(this.#organization.unread)
      .map(({ conversation }) => conversation)
      .filter((each) => each.kind === 'private' && !listed.has(conversationKey(each)));
    return nextConversation([...unread, ...others], this.#navigation.view, null);
  }

  #allTopics(streamId: number): readonly string[] {
    const known = this.#topics.of(streamId);
    const names = new Set(known.map(fold));
    const open = this.#openTopicOf(streamId);
    const missing = [
      ...this.#streamUnread(streamId).topics,
      ...(open === null ? [] : [open]),
    ].filter((topic) => !names.has(fold(topic)) && names.add(fold(topic)));
    return [...missing, ...known];
  }

  #openTopicOf(streamId: number): string | null {
    const view = this.#navigation.view;
    return view?.kind === 'stream' && view.streamId === streamId ? view.topic : null;
  }

  #streamUnread(streamId: number): StreamUnread {
    return this.#byStream.get(streamId) ?? noUnread;
  }

  #conversationMark(conversation: Conversation): UnreadMark {
    return conversationMark(this.#organization.unread, conversation, (each) =>
      this.#organization.isQuiet(each),
    );
  }

  #keep<T>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] {
    return this.#held === null ? rows : holdOrder(rows, this.#held, keyOf);
  }

  #isMeant({ streamId, name }: SubscribedStream): boolean {
    const wanted = plain(this.#filter.trim());
    if (wanted === '' || isIn(wanted, name)) return true;
    return this.#allTopics(streamId).some((topic) => isIn(wanted, topic));
  }

  /** Conversations first, then people with whom there is none yet. */
  #foundPrivates(): readonly PrivateView[] {
    const wanted = plain(this.#filter.trim());
    const found = this.#allPrivates.filter((view) =>
      isIn(wanted, this.#organization.namesOf(view.userIds)),
    );
    const listed = new Set(found.map(viewKey));
    const people = this.#organization.others
      .filter(({ fullName }) => isIn(wanted, fullName))
      .map(({ userId }): PrivateView => ({ kind: 'private', userIds: [userId] }))
      .filter((view) => !listed.has(viewKey(view)));
    return [...found, ...people].slice(0, 2 * PRIVATES_SHOWN);
  }
}
