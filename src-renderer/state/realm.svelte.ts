import type {
  Conversation,
  Person,
  RealmState,
  SubscribedStream,
  View,
} from '../../src-main/contract/models/client.ts';
import type { Bridge } from '../../src-preload/bridge.ts';
import { words } from '../text/words.ts';
import { wantedCount } from './unread.ts';

const empty: RealmState = {
  realmName: '',
  ownUserId: 0,
  people: [],
  streams: [],
  privateConversations: [],
  unreadCounts: {},
};

/** People, streams and unread counts of one organization. */
export class Realm {
  readonly #bridge: Pick<Bridge, 'realm' | 'on'>;
  readonly #accountId: string;
  #state = $state.raw<RealmState>(empty);
  #isLoaded = $state(false);
  #failure = $state<string | null>(null);
  readonly #people = $derived(new Map(this.#state.people.map((each) => [each.userId, each])));
  readonly #streams = $derived(new Map(this.#state.streams.map((each) => [each.streamId, each])));
  readonly #wanted = $derived(wantedCount(this.#state.unreadCounts));
  readonly stop: () => void;

  constructor(bridge: Pick<Bridge, 'realm' | 'on'>, accountId: string) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    this.stop = bridge.on('realmChanged', (change) => {
      if (change.accountId === accountId) this.#take(change.realm);
    });
  }

  async load(): Promise<void> {
    this.#failure = null;
    try {
      const outcome = await this.#bridge.realm(this.#accountId);
      // An event that came meanwhile is newer than this answer, or equal to it.
      if (this.#isLoaded) return;
      if (outcome.ok) this.#take(outcome.value);
      else this.#failure = outcome.failure.message;
    } catch {
      // A rejection is a bug on the other side, which logs it; the person can try again.
      this.#failure = words.bug;
    }
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get failure(): string | null {
    return this.#failure;
  }

  get name(): string {
    return this.#state.realmName;
  }

  get ownUserId(): number {
    return this.#state.ownUserId;
  }

  get own(): Person | undefined {
    return this.#people.get(this.#state.ownUserId);
  }

  /** Everybody but oneself, by name. */
  get others(): readonly Person[] {
    return this.#state.people
      .filter((person) => person.userId !== this.#state.ownUserId)
      .sort((a, b) => a.fullName.localeCompare(b.fullName));
  }

  get streams(): readonly SubscribedStream[] {
    return this.#state.streams;
  }

  get privateConversations(): RealmState['privateConversations'] {
    return this.#state.privateConversations;
  }

  get unreadCounts(): RealmState['unreadCounts'] {
    return this.#state.unreadCounts;
  }

  /** Unread messages that want the reader. */
  get wanted(): number {
    return this.#wanted;
  }

  findPerson(userId: number): Person | undefined {
    return this.#people.get(userId);
  }

  findStream(streamId: number): SubscribedStream | undefined {
    return this.#streams.get(streamId);
  }

  nameOf(userId: number): string {
    return this.#people.get(userId)?.fullName ?? words.timeline.unknownPerson;
  }

  /** The names of a private conversation: the others in it, or what notes to oneself are called. */
  namesOf(userIds: readonly number[]): string {
    if (userIds.length === 0) return words.timeline.notesToSelf;
    return userIds.map((userId) => this.nameOf(userId)).join(', ');
  }

  streamNameOf(streamId: number): string {
    return this.#streams.get(streamId)?.name ?? words.timeline.unknownStream;
  }

  /** The last part of where something is: its topic, else the stream, else the people. */
  titleOf(view: View | Conversation): string {
    if (view.kind === 'private') return this.namesOf(view.userIds);
    return view.topic ?? this.streamNameOf(view.streamId);
  }

  canPostIn(stream: SubscribedStream): boolean {
    return !stream.isAnnouncementOnly || this.own?.isAdmin === true;
  }

  #take(state: RealmState): void {
    this.#state = state;
    this.#isLoaded = true;
    this.#failure = null;
  }
}
