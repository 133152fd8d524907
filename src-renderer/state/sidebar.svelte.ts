import type { SubscribedStream, View } from '../../src-main/contract/models/client.ts';
import type { Navigation } from './navigation.svelte.ts';
import { holdOrder, orderStreams } from './order.ts';
import { isSameView, viewKey } from './places.ts';
import { plain } from './fuzzy.ts';
import type { Realm } from './realm.svelte.ts';
import type { Topics } from './topics.svelte.ts';
import { privateCount, streamCount, topicCount } from './unread.ts';

const TOPICS_SHOWN = 5;

export type PrivateView = View & { readonly kind: 'private' };

/** What the left column lists, in its order. */
export class Sidebar {
  readonly #realm: Realm;
  readonly #navigation: Navigation;
  readonly #topics: Topics;
  #showsAllTopics = $state(false);
  #heldOrder = $state.raw<readonly string[] | null>(null);

  readonly #openStreamId = $derived.by(() => {
    const view = this.#navigation.view;
    return view?.kind === 'stream' ? view.streamId : null;
  });

  readonly #privates = $derived.by((): readonly PrivateView[] => {
    const views = this.#realm.privateConversations.map(({ userIds }): PrivateView => ({
      kind: 'private',
      userIds: [...userIds],
    }));
    const open = this.#navigation.view;
    const isNew = open?.kind === 'private' && !views.some((view) => isSameView(view, open));
    const rows = isNew ? [open, ...views] : views;
    return this.#heldOrder === null ? rows : holdOrder(rows, this.#heldOrder, viewKey);
  });

  readonly #streams = $derived.by(() => orderStreams(this.#realm.streams));

  /** Topics of the open stream; the one that is open is always among them. */
  readonly #openTopics = $derived.by((): readonly string[] => {
    if (this.#openStreamId === null) return [];
    const known = this.#topics.of(this.#openStreamId);
    const view = this.#navigation.view;
    const open = view?.kind === 'stream' ? view.topic : null;
    if (open === null || known.some((topic) => plain(topic) === plain(open))) return known;
    return [open, ...known];
  });

  constructor(realm: Realm, navigation: Navigation, topics: Topics) {
    this.#realm = realm;
    this.#navigation = navigation;
    this.#topics = topics;
  }

  get privates(): readonly PrivateView[] {
    return this.#privates;
  }

  get streams(): readonly SubscribedStream[] {
    return this.#streams;
  }

  /** The stream that is expanded. */
  get openStreamId(): number | null {
    return this.#openStreamId;
  }

  get shownTopics(): readonly string[] {
    if (this.#showsAllTopics) return this.#openTopics;
    const shown = this.#openTopics.slice(0, TOPICS_SHOWN);
    const view = this.#navigation.view;
    const open = view?.kind === 'stream' ? view.topic : null;
    const isMissing = open !== null && !shown.some((topic) => plain(topic) === plain(open));
    return isMissing ? [...shown, open] : shown;
  }

  get hiddenTopicCount(): number {
    return this.#openTopics.length - this.shownTopics.length;
  }

  get canShowFewerTopics(): boolean {
    return this.#showsAllTopics && this.#openTopics.length > TOPICS_SHOWN;
  }

  /** Every row from top to bottom. */
  get rows(): readonly View[] {
    const streams = this.#streams.flatMap(({ streamId }): readonly View[] => {
      const whole: View = { kind: 'stream', streamId, topic: null };
      if (streamId !== this.#openStreamId) return [whole];
      return [
        whole,
        ...this.shownTopics.map((topic): View => ({ kind: 'stream', streamId, topic })),
      ];
    });
    return [...this.#privates, ...streams];
  }

  unreadOf(view: View): number {
    const counts = this.#realm.unreadCounts;
    if (view.kind === 'private') return privateCount(counts, view.userIds);
    return view.topic === null
      ? streamCount(counts, view.streamId)
      : topicCount(counts, view.streamId, view.topic);
  }

  /** Whether unread messages may show: what is muted stays quiet. */
  isMuted(view: View): boolean {
    return view.kind === 'stream' && this.#realm.findStream(view.streamId)?.isMuted === true;
  }

  toggleTopics(): void {
    this.#showsAllTopics = !this.#showsAllTopics;
  }

  /** Rows never move under the pointer. */
  holdOrder(isHeld: boolean): void {
    this.#heldOrder = isHeld ? this.#privates.map(viewKey) : null;
  }

  /** The row before (-1) or after (1) the open one, optionally the nearest unread one in that direction. */
  neighbour(step: -1 | 1, onlyUnread: boolean): View | null {
    const { rows } = this;
    const open = this.#navigation.view;
    const at = rows.findIndex((row) => isSameView(row, open));
    for (let i = 1; i <= rows.length; i += 1) {
      const row = rows[(at + step * i + rows.length * 2) % rows.length];
      if (row === undefined) return null;
      if (!onlyUnread || (this.unreadOf(row) > 0 && !this.isMuted(row))) return row;
    }
    return null;
  }
}
