import type { View } from '#shared/bridge/models/conversation.ts';
import { isPage, isSamePlace, placeKey, type Place } from './places.ts';
import type { OrganizationState } from '../organization.svelte.ts';

const HISTORY_LENGTH = 50;
const FIRST: Place = { kind: 'inbox' };
const MISSING: Place = { kind: 'missing' };

/** Where the window was, and at which message. */
interface Step {
  readonly place: Place;
  readonly messageId: number | null;
}

/** Where the window is, and how it came there. */
export class Navigation {
  readonly #organization: Pick<OrganizationState, 'findAnyStream'>;
  #wanted = $state.raw<Place>(FIRST);
  /** Nobody asked for the place: the window was left there. */
  #isRestored = $state(false);
  #past = $state.raw<readonly Step[]>([]);
  #future = $state.raw<readonly Step[]>([]);
  /** The message that a list opens at; null for where reading stopped. */
  #messageId = $state.raw<number | null>(null);
  /** Counts the times that a message was asked for, so that asking for the same one again counts too. */
  #visit = $state(0);
  /** Where there is room for one column only: which one. */
  #column = $state<'list' | 'conversation'>('list');
  /** A stream may have gone since, or never have been there for this account. */
  readonly #place = $derived.by(() => {
    if (this.#isOpen(this.#wanted)) return this.#wanted;
    return this.#isRestored ? FIRST : MISSING;
  });

  constructor(organization: Pick<OrganizationState, 'findAnyStream'>) {
    this.#organization = organization;
  }

  get place(): Place {
    return this.#place;
  }

  /** The message list that is shown; null on a page of another kind. */
  get view(): View | null {
    return isPage(this.#place) ? null : this.#place;
  }

  get messageId(): number | null {
    return this.#messageId;
  }

  get visit(): number {
    return this.#visit;
  }

  get column(): 'list' | 'conversation' {
    return this.#column;
  }

  get canGoBack(): boolean {
    return this.#past.length > 0;
  }

  get canGoForward(): boolean {
    return this.#future.length > 0;
  }

  /** Where the window was before, each place once, latest first. */
  get visited(): readonly Place[] {
    const here = placeKey(this.#place);
    const seen = new Set([here]);
    return this.#past
      .map(({ place }) => place)
      .reverse()
      .filter((place) => !seen.has(placeKey(place)) && seen.add(placeKey(place)));
  }

  /** @param messageId  the message to show there */
  go(place: Place, messageId: number | null = null): void {
    this.#column = 'conversation';
    const from = this.#place;
    if (isSamePlace(from, place)) {
      if (messageId !== null) this.#visitMessage(messageId);
      return;
    }
    // Whoever comes back to a list of hits comes back to the one that was opened.
    this.#past = [...this.#past, ...this.#here(messageId)].slice(-HISTORY_LENGTH);
    this.#future = [];
    this.#want(place);
    this.#visitMessage(messageId);
  }

  /** Shows another place instead of this one: going back leads to what was before both. */
  replace(place: Place, messageId: number | null = null): void {
    this.#want(place);
    this.#visitMessage(messageId);
  }

  /** Opens where the window was left. */
  restore(place: Place): void {
    this.replace(place);
    this.#isRestored = true;
    this.#column = 'conversation';
  }

  goBack(): void {
    const step = this.#past.at(-1);
    if (step === undefined) return;
    this.#future = [...this.#here(), ...this.#future];
    this.#past = this.#past.slice(0, -1);
    this.#return(step);
  }

  goForward(): void {
    const step = this.#future[0];
    if (step === undefined) return;
    this.#past = [...this.#past, ...this.#here(step.messageId)];
    this.#future = this.#future.slice(1);
    this.#return(step);
  }

  showList(): void {
    this.#column = 'list';
  }

  showConversation(): void {
    this.#column = 'conversation';
  }

  /** Nobody comes back to what is not there. */
  #here(messageId: number | null = this.#messageId): readonly Step[] {
    return this.#place === MISSING ? [] : [{ place: this.#place, messageId }];
  }

  #want(place: Place): void {
    this.#wanted = place;
    this.#isRestored = false;
  }

  #return({ place, messageId }: Step): void {
    this.#want(place);
    // The message was opened out of a list of many; a conversation opens where reading stopped.
    const isConversation = place.kind === 'private' || place.kind === 'stream';
    this.#visitMessage(isConversation ? null : messageId);
  }

  #visitMessage(id: number | null): void {
    this.#messageId = id;
    this.#visit += 1;
  }

  #isOpen(place: Place): boolean {
    return (
      place.kind !== 'stream' || this.#organization.findAnyStream(place.streamId) !== undefined
    );
  }
}
