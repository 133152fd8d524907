import type {
  ClientState,
  GoneStream,
  ListedStream,
  Person,
  Presence,
  SubscribedStream,
} from '#shared/bridge/models/client-state.ts';
import type { OrganizationSettings } from '#shared/api/models/organization-settings.ts';
import type { Conversation } from '#shared/bridge/models/conversation.ts';
import { GENERIC_BOT } from '#shared/api/bot-types.ts';
import { type Actor, personActor } from '#shared/policies/actor.ts';
import { canSendPrivately } from '#shared/policies/messages.ts';
import { accessOf, canPost } from '#shared/policies/streams.ts';
import {
  createIsQuiet,
  summarizeUnread,
  type UnreadSummary,
} from '#shared/policies/unread-counts.ts';
import type { Bridge } from '#preload/bridge.ts';
import type { Hours } from '../i18n/dates.ts';
import { words } from '../i18n/common.ts';
import { byFullName } from '../lib/by-name.ts';
import type { Confusables } from '#shared/text/look-alikes.ts';
import { loadConfusables, lookAlikesOf } from '../lib/links/look-alikes.ts';
import type { Place } from './places/places.ts';
import { presenceState, type PresenceState } from '../lib/presence.ts';

type Calls = Pick<Bridge, 'state' | 'on'>;
const nothingUnread: UnreadSummary = { wanted: 0, other: 0, badge: 0, titlePrefix: '' };

/** People, streams, settings and counts of one organization: the state of its session, slice by slice. */
export class OrganizationState {
  readonly #bridge: Calls;
  readonly #accountId: string;
  #state = $state.raw<ClientState | null>(null);
  #failure = $state<string | null>(null);
  /** What came while the whole was still asked for. */
  #early: Partial<ClientState> = {};
  readonly #people = $derived(new Map(this.#state?.people.map((each) => [each.userId, each])));
  readonly #streams = $derived(new Map(this.#state?.streams.map((each) => [each.streamId, each])));
  readonly #otherStreams = $derived(
    new Map(this.#state?.otherStreams.map((each) => [each.streamId, each])),
  );
  readonly #goneStreams = $derived(
    new Map(this.#state?.goneStreams.map((each) => [each.streamId, each])),
  );
  /** Empty until it is loaded: then only names that are the same look alike. */
  #confusables = $state.raw<Confusables>({});
  readonly #lookAlikes = $derived(lookAlikesOf(this.#state?.people ?? [], this.#confusables));
  readonly #isQuiet = $derived(createIsQuiet(this.#state ?? { streams: [], mutedTopics: [] }));
  /** By itself, so that what waits for the whole is not told of every change of it. */
  readonly #isLoaded = $derived(this.#state !== null);
  readonly #clockAheadSeconds = $derived(this.#state?.clockAheadSeconds ?? 0);
  readonly #unread = $derived(
    this.#state === null ? nothingUnread : summarizeUnread(this.#state.unread, this.#state),
  );
  readonly stop: () => void;

  constructor(bridge: Calls, accountId: string) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    void loadConfusables().then((table) => {
      this.#confusables = table;
    });
    this.stop = bridge.on('stateChanged', ({ accountId: changedId, changes }) => {
      if (changedId !== accountId) return;
      if (this.#state === null) this.#early = { ...this.#early, ...changes };
      else this.#state = { ...this.#state, ...changes };
    });
  }

  async load(): Promise<void> {
    this.#failure = null;
    try {
      const outcome = await this.#bridge.state(this.#accountId);
      if (this.#state !== null) return;
      // A change that came meanwhile is newer than this answer, or equal to it.
      if (outcome.ok) this.#state = { ...outcome.value, ...this.#early };
      else this.#failure = outcome.failure.message;
    } catch {
      // A rejection is a bug on the other side, which logs it; the person can try again.
      this.#failure = words.bug;
    }
  }

  /** The service answers: what could not be had before may be there now. */
  async loadIfFailed(): Promise<void> {
    if (this.#state === null && this.#failure !== null) await this.load();
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** How the account wants hours to be written. */
  get hours(): Hours {
    if (this.#state === null) return 'region';
    return this.#state.display.twenty_four_hour_time ? 24 : 12;
  }

  get failure(): string | null {
    return this.#failure;
  }

  /** Every slice. Only what is shown after `isLoaded` may ask. */
  get state(): ClientState {
    if (this.#state === null) throw new Error('asked for the state before it was loaded');
    return this.#state;
  }

  /** As policies take them. Only what is shown after `isLoaded` may ask. */
  get settings(): OrganizationSettings {
    return this.state.organization.settings;
  }

  get name(): string {
    return this.#state?.organization.settings.name ?? '';
  }

  get ownUserId(): number {
    return this.#state?.ownUserId ?? 0;
  }

  /** A moment of the clock of this computer, by the clock of the service. */
  serviceSeconds(localSeconds: number): number {
    return localSeconds + this.#clockAheadSeconds;
  }

  /** When somebody was here. Whoever looks at this window is here, before the service says so. */
  findPresence(userId: number): Presence | undefined {
    if (userId === this.ownUserId) return { status: 'active', atSeconds: Infinity };
    return this.state.presences[userId];
  }

  presenceOf(userId: number, nowSeconds: number): PresenceState {
    return presenceState(this.findPresence(userId), this.state.statuses[userId], nowSeconds);
  }

  get own(): Person | undefined {
    return this.#people.get(this.ownUserId);
  }

  /** Everybody who is active but oneself, by name. */
  get others(): readonly Person[] {
    return (this.#state?.people ?? [])
      .filter((person) => person.isActive && person.userId !== this.ownUserId)
      .sort(byFullName);
  }

  /** Those with whom private messages were exchanged, the latest first. */
  get familiar(): readonly number[] {
    return [...new Set(this.privateConversations.flatMap(({ userIds }) => userIds))];
  }

  /** Another number whenever people came to the stream or left it. */
  memberChangesOf(streamId: number): number {
    const { memberChanges } = this.state;
    return Math.max(memberChanges[streamId] ?? 0, memberChanges[0] ?? 0);
  }

  get streams(): readonly SubscribedStream[] {
    return this.#state?.streams ?? [];
  }

  get privateConversations(): ClientState['privateConversations'] {
    return this.#state?.privateConversations ?? [];
  }

  get unread(): ClientState['unread'] {
    return this.#state?.unread ?? {};
  }

  /** What is unread in the whole organization. */
  get unreadSummary(): UnreadSummary {
    return this.#unread;
  }

  /** Whether ordinary messages of the conversation stay quiet: it is muted. */
  isQuiet(conversation: Conversation): boolean {
    return this.#isQuiet(conversation);
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

  /** Those whose names look like others'. */
  get lookAlikes(): ReadonlySet<number> {
    return this.#lookAlikes;
  }

  /** What tells somebody from others whose names look the same; empty where nobody's does. */
  addressOf(userId: number): string {
    return this.#lookAlikes.has(userId) ? (this.#people.get(userId)?.email ?? '') : '';
  }

  /** The names of a private conversation: the others in it, or what notes to oneself are called. */
  namesOf(userIds: readonly number[]): string {
    if (userIds.length === 0) return words.timeline.notesToSelf;
    return userIds.map((userId) => this.distinctNameOf(userId)).join(', ');
  }

  /** The name, with the address where it looks like another one's. */
  distinctNameOf(userId: number): string {
    const address = this.addressOf(userId);
    return address === '' ? this.nameOf(userId) : `${this.nameOf(userId)} (${address})`;
  }

  /** A stream that the account may see, subscribed to or not. */
  findSeenStream(streamId: number): SubscribedStream | ListedStream | undefined {
    return this.#streams.get(streamId) ?? this.#otherStreams.get(streamId);
  }

  /** One that it no longer sees. */
  findGoneStream(streamId: number): GoneStream | undefined {
    return this.findSeenStream(streamId) === undefined
      ? this.#goneStreams.get(streamId)
      : undefined;
  }

  /** One that there may be messages of here. */
  findAnyStream(streamId: number): SubscribedStream | ListedStream | undefined {
    return this.findSeenStream(streamId) ?? this.#goneStreams.get(streamId);
  }

  streamNameOf(streamId: number): string {
    return this.findAnyStream(streamId)?.name ?? words.timeline.unknownStream;
  }

  /** The last part of where something is: its topic, else the stream, else the people. */
  titleOf(view: Place): string {
    switch (view.kind) {
      case 'private':
        return this.namesOf(view.userIds);
      case 'stream':
        return view.topic ?? this.streamNameOf(view.streamId);
      default:
        return words.views[view.kind];
    }
  }

  /** Who asks, for what the policies of the organization allow. */
  get actor(): Actor {
    return personActor(this.own ?? { isAdmin: false, isGuest: false });
  }

  canWriteTo(userIds: readonly number[]): boolean {
    const botTypes = userIds.map((id) =>
      this.#people.get(id)?.isBot === true ? GENERIC_BOT : null,
    );
    return this.#state === null || canSendPrivately(this.actor, botTypes, this.settings);
  }

  canPostIn(stream: ListedStream): boolean {
    return canPost(accessOf(this.actor, this.#streams.has(stream.streamId)), stream);
  }
}
