import type { View } from '../../src-main/contract/models/client.ts';
import { isSameView } from './places.ts';
import type { Realm } from './realm.svelte.ts';

const HISTORY_LENGTH = 50;

/** Where the window is, and how it came there. */
export class Navigation {
  readonly #realm: Pick<Realm, 'streams' | 'privateConversations' | 'findStream'>;
  #wanted = $state.raw<View | null>(null);
  #past = $state.raw<readonly View[]>([]);
  #future = $state.raw<readonly View[]>([]);
  /** Where there is room for one column only: which one. */
  #column = $state<'list' | 'conversation'>('list');
  readonly #view = $derived(this.#isOpen(this.#wanted) ? this.#wanted : this.#firstView());

  constructor(realm: Pick<Realm, 'streams' | 'privateConversations' | 'findStream'>) {
    this.#realm = realm;
  }

  /** What the centre shows; null when there is nothing to show. */
  get view(): View | null {
    return this.#view;
  }

  get column(): 'list' | 'conversation' {
    return this.#column;
  }

  go(view: View): void {
    this.#column = 'conversation';
    const from = this.#view;
    if (isSameView(from, view)) return;
    if (from !== null) this.#past = [...this.#past, from].slice(-HISTORY_LENGTH);
    this.#future = [];
    this.#wanted = view;
  }

  goBack(): void {
    const view = this.#past.at(-1);
    if (view === undefined) return;
    if (this.#view !== null) this.#future = [this.#view, ...this.#future];
    this.#past = this.#past.slice(0, -1);
    this.#wanted = view;
  }

  goForward(): void {
    const view = this.#future[0];
    if (view === undefined) return;
    if (this.#view !== null) this.#past = [...this.#past, this.#view];
    this.#future = this.#future.slice(1);
    this.#wanted = view;
  }

  showList(): void {
    this.#column = 'list';
  }

  #isOpen(view: View | null): boolean {
    if (view === null) return false;
    return view.kind === 'private' || this.#realm.findStream(view.streamId) !== undefined;
  }

  #firstView(): View | null {
    const streams = this.#realm.streams;
    const stream = streams.find(({ isMuted }) => !isMuted) ?? streams[0];
    if (stream !== undefined) return { kind: 'stream', streamId: stream.streamId, topic: null };
    const conversation = this.#realm.privateConversations[0];
    return conversation === undefined
      ? null
      : { kind: 'private', userIds: [...conversation.userIds] };
  }
}
