import { untrack } from 'svelte';
import type { Person } from '#shared/bridge/models/client-state.ts';
import {
  countKinds,
  isOfKind,
  lastSeen,
  type PeopleKind,
  type PeopleOrder,
  type LastSeen,
  sortPeople,
} from '#renderer/lib/people-list.ts';
import { fuzzyFilter } from '#shared/text/fuzzy.ts';
import { namesFor } from '#shared/text/transliterations.ts';
import { settingsWords } from '#renderer/i18n/settings/settings.ts';
import type { OrganizationState } from '../organization.svelte.ts';
import type { SettingsWrites } from './settings-writes.ts';

/** The people of the organization as an administrator looks for them. */
export class PeopleList {
  readonly #organization: OrganizationState;
  readonly #writes: Pick<SettingsWrites, 'request'>;
  /** The day of the last use by user id; null until it is here. */
  #uses = $state.raw<ReadonlyMap<number, number> | null>(null);
  #failure = $state('');
  search = $state('');
  kind = $state<PeopleKind>('all');
  order = $state<PeopleOrder>('name');
  readonly #all = $derived.by(() => this.#organization.state.people.filter(({ isBot }) => !isBot));
  readonly #sorted = $derived.by(() => {
    const uses = this.#uses;
    // Rows stay where they are while people come and go: somebody may be about to press one of their buttons.
    const seenOf = (userId: number): LastSeen | null => untrack(() => this.#seenOf(userId, uses));
    return sortPeople(this.#all, this.order, seenOf);
  });
  readonly counts = $derived.by(() => countKinds(this.#all));
  readonly found = $derived.by(() =>
    fuzzyFilter(
      this.search,
      this.#sorted.filter((person: Person) => isOfKind(person, this.kind)),
      (person) => namesFor(this.search, person),
    ),
  );

  constructor(organization: OrganizationState, writes: Pick<SettingsWrites, 'request'>) {
    this.#organization = organization;
    this.#writes = writes;
  }

  /** Why the days could not be had; empty otherwise. */
  get failure(): string {
    return this.#failure;
  }

  /** Whether somebody of whom nothing is known was never here. */
  get isWhole(): boolean {
    return this.#uses !== null;
  }

  seenOf(userId: number): LastSeen | null {
    return this.#seenOf(userId, this.#uses);
  }

  async load(): Promise<void> {
    const outcome = await this.#writes.request('devices.lastUses', {});
    this.#failure = outcome.ok ? '' : settingsWords.loadFailed(outcome.failure.message);
    if (!outcome.ok) return;
    const { last_uses: uses } = outcome.value;
    this.#uses = new Map(uses.map(({ user_id: userId, last_used: day }) => [userId, day]));
  }

  #seenOf(userId: number, uses: ReadonlyMap<number, number> | null): LastSeen | null {
    return lastSeen(this.#organization.findPresence(userId)?.atSeconds, uses?.get(userId));
  }
}
