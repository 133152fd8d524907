import { canSubscribe } from '#shared/policies/streams.ts';
import { fold } from '#shared/text/fold.ts';
import {
  conversationKey,
  type Conversation,
  type Draft,
  type OutboxItem,
  type ShownMessage,
} from '#shared/bridge/models/client.ts';
import type { ListedStream } from '#shared/bridge/models/client-state.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { composeWords } from '#renderer/i18n/compose.ts';
import { words } from '#renderer/i18n/common.ts';
import type { ComposeDestination, Drafts } from './drafts.svelte.ts';
import { CONTENT_BYTES, TOPIC_CHARACTERS } from '#shared/api/bounds.ts';
import { characters, contentBytes } from '#renderer/lib/writing/limits.ts';
import { groupsOf, wildcardOf } from '#renderer/lib/writing/mentions.ts';
import { NO_TOPIC } from '#renderer/lib/writing/no-topic.ts';
import { isSamePlace, placeKey, viewKey, type Place } from '../places/places.ts';
import type { OrganizationState } from '../organization.svelte.ts';
import type { Preferences } from '../settings/preferences.svelte.ts';
import { TypingNotices } from './typing-notices.ts';
import { Uploads, type UploadCalls } from './uploads.svelte.ts';

export type ComposeProblem = 'empty' | 'topic-missing' | 'topic-too-long' | 'content-too-long';

/** More people than that are notified by nobody who did not mean it. */
export const MANY_PEOPLE = 15;

/** Whom a text would notify, beyond what somebody may have thought of. */
export interface WideMention {
  readonly name: string;
  readonly isGroup: boolean;
  /** Null where nobody could say. */
  readonly people: number | null;
}

interface Sending {
  readonly waiting: readonly Draft[];
  readonly failure: string;
}

interface ComposeParts {
  readonly bridge: Pick<Bridge, 'sendMessage' | 'request'> & UploadCalls;
  readonly accountId: string;
  readonly drafts: Drafts;
  readonly organization: OrganizationState;
  readonly preferences: Pick<Preferences, 'choices'>;
}

const idle: Sending = { waiting: [], failure: '' };

/** A place is written in where it is one conversation, or one stream. */
const isDestination = (place: Place): place is ComposeDestination =>
  place.kind === 'stream' || place.kind === 'private';

/** What is written where, and its way to the service. A text that did not get onto the disk comes back. */
export class Compose {
  readonly #parts: ComposeParts;
  readonly uploads: Uploads;
  readonly typing: TypingNotices;
  #sendings = $state.raw<ReadonlyMap<string, Sending>>(new Map());
  /** Where one writes to in a place that is no conversation, by its key. */
  #chosen = $state.raw<ReadonlyMap<string, ComposeDestination>>(new Map());
  /** Files that had not arrived when a text was sent: nobody waits for them once it is out. */
  readonly #given = new WeakMap<Draft, readonly string[]>();
  /** The keys of texts that go out when their files have arrived. */
  #afterUploads = $state.raw<ReadonlySet<string>>(new Set());

  constructor(parts: ComposeParts) {
    this.#parts = parts;
    const { bridge, accountId, organization, preferences } = parts;
    this.uploads = new Uploads(bridge, accountId, {
      removesCameraData: () => preferences.choices.removeCameraData,
      read: (view) => this.contentOf(view),
      write: (view, content) => this.writeContent(view, content),
      maxUploadMiB: () => organization.settings.max_file_upload_size,
    });
    this.uploads.onSettled((view) => this.#uploadsSettled(view));
    this.typing = new TypingNotices(
      (op, userIds) => void bridge.request(accountId, 'typing.notify', { op, to: [...userIds] }),
    );
  }

  readonly stop = (): void => {
    this.uploads.stop();
    this.typing.stop();
  };

  /** Where what is written in a place goes; null where that has to be chosen. */
  destinationOf(place: Place): ComposeDestination | null {
    return isDestination(place) ? place : (this.#chosen.get(placeKey(place)) ?? null);
  }

  /** In a place that is no conversation: writes there from now on, and takes along what was written. */
  choose(place: Place, to: ComposeDestination | null): void {
    if (isDestination(place)) return;
    const from = this.destinationOf(place);
    const chosen = new Map(this.#chosen);
    if (to === null) chosen.delete(placeKey(place));
    else chosen.set(placeKey(place), to);
    this.#chosen = chosen;
    if (from !== null && to !== null && !isSamePlace(from, to)) this.move(from, to);
  }

  /** Answers a message from where it is shown: sets where the text goes, and says it. */
  replyTo(place: Place, { conversation }: Pick<ShownMessage, 'conversation'>): ComposeDestination {
    if (!isDestination(place)) {
      this.#chosen = new Map(this.#chosen).set(placeKey(place), conversation);
      this.#parts.drafts.write(conversation, { topic: null });
      return conversation;
    }
    if (place.kind === 'stream' && conversation.kind === 'stream') {
      if (place.streamId !== conversation.streamId) return conversation;
      this.writeTopic(place, conversation.topic);
    }
    return place;
  }

  contentOf(view: ComposeDestination): string {
    return this.#parts.drafts.of(viewKey(view)).content;
  }

  topicOf(view: ComposeDestination): string {
    const topic = this.#parts.drafts.of(viewKey(view)).topic;
    return topic ?? (view.kind === 'stream' ? (view.topic ?? '') : '');
  }

  isSending(view: ComposeDestination): boolean {
    return this.#of(viewKey(view)).waiting.length > 0;
  }

  /** The text goes out when its files have arrived. */
  waitsForUploads(view: ComposeDestination): boolean {
    return this.#afterUploads.has(viewKey(view));
  }

  /** Why the last text of this place could not be taken; empty when it was. */
  failureOf(view: ComposeDestination): string {
    return this.#of(viewKey(view)).failure;
  }

  writeContent(view: ComposeDestination, content: string): void {
    this.uploads.follow(view, this.contentOf(view), content);
    this.#parts.drafts.write(view, { content });
  }

  writeTopic(view: ComposeDestination, topic: string): void {
    this.#parts.drafts.write(view, { topic });
  }

  /** Adds a text behind what is being written there. */
  insert(view: ComposeDestination, text: string): void {
    const before = this.contentOf(view);
    const between = text.includes('\n') ? '\n\n' : ' ';
    const gap = before === '' || /\s$/.test(before) ? '' : between;
    this.writeContent(view, `${before}${gap}${text}`);
  }

  /** Gives back a text that was in the outbox. What is being written there stays, before it. @returns what undoes it */
  edit({ conversation, content }: Draft): () => void {
    const { drafts } = this.#parts;
    const former = drafts.of(viewKey(conversation));
    const before = former.content.trimEnd();
    if (before === '') drafts.write(conversation, { topic: null });
    const merged = before === '' ? content : `${before}\n\n${content}`;
    this.writeContent(conversation, merged);
    return () => {
      const now = this.contentOf(conversation);
      // What was written on meanwhile stays.
      const rest = now.startsWith(merged) ? former.content + now.slice(merged.length) : now;
      this.writeContent(conversation, rest);
      drafts.write(conversation, { topic: former.topic });
    };
  }

  /** @returns why the text of the place is not on the disk now; null when it is */
  save(view: ComposeDestination): Promise<string | null> {
    return this.#parts.drafts.save(view);
  }

  /** Where the text goes, when that is another place than the one shown. */
  elsewhere(place: Place): ComposeDestination | null {
    const destination = this.destinationOf(place);
    if (destination === null) return null;
    const topic = destination.kind === 'stream' ? this.topicOf(destination).trim() : '';
    const goal: ComposeDestination =
      destination.kind === 'stream' && topic !== ''
        ? { kind: 'stream', streamId: destination.streamId, topic }
        : destination;
    return isSamePlace(goal, place) ? null : goal;
  }

  /** The text goes to another topic than the one that is shown, which nobody would expect. */
  goesElsewhere(place: Place): boolean {
    if (place.kind !== 'stream' || place.topic === null) return false;
    const topic = this.topicOf(place).trim();
    return topic !== '' && fold(topic) !== fold(place.topic);
  }

  /** Takes the text along to where it goes, behind what is written there. */
  move(from: ComposeDestination, to: ComposeDestination): void {
    if (isSamePlace(from, to)) return;
    const content = this.contentOf(from);
    this.uploads.move(from, to);
    this.#parts.drafts.write(from, { content: '', topic: null });
    if (content.trim() === '') return;
    const before = this.contentOf(to).trimEnd();
    this.writeContent(to, before === '' ? content : `${before}\n\n${content}`);
  }

  /** The stream that one has to join before one writes there; null where that is not it. */
  toJoin(view: ComposeDestination): ListedStream | null {
    const { organization } = this.#parts;
    if (view.kind === 'private' || organization.findStream(view.streamId) !== undefined)
      return null;
    const stream = organization.findSeenStream(view.streamId);
    return stream !== undefined && canSubscribe(organization.actor, stream, false) ? stream : null;
  }

  /** Why nobody can write there; empty where one can. */
  closedReason(view: ComposeDestination): string {
    const { organization } = this.#parts;
    if (view.kind === 'private') {
      const gone = view.userIds.filter((id) => organization.findPerson(id)?.isActive === false);
      if (gone.length === 0) {
        return organization.canWriteTo(view.userIds) ? '' : composeWords.privateOff;
      }
      const say = view.userIds.length > 1 ? 'deactivatedInGroup' : 'deactivated';
      return composeWords[say](organization.namesOf(gone));
    }
    const stream = organization.findSeenStream(view.streamId);
    if (stream === undefined) return composeWords.streamGone;
    if (organization.canPostIn(stream)) return '';
    const isForAdmins = stream.isAnnouncementOnly && organization.actor.role !== 'admin';
    return isForAdmins ? words.compose.announcement : composeWords.subscribersOnly;
  }

  /** Whom the text would notify, where that is more people than anybody may have thought of. */
  async wideMentionOf(view: ComposeDestination): Promise<WideMention | null> {
    const content = this.contentOf(view);
    const { organization } = this.#parts;
    const name = wildcardOf(content);
    if (name !== null) {
      const people = await this.#peopleIn(view);
      return people !== null && people <= MANY_PEOPLE ? null : { name, people, isGroup: false };
    }
    const group = organization.state.userGroups.find(
      (each) => each.userIds.length > MANY_PEOPLE && groupsOf(content).includes(each.name),
    );
    return group === undefined
      ? null
      : { name: group.name, people: group.userIds.length, isGroup: true };
  }

  /** Nothing can be sent before it has a topic: the organization wants one. */
  wantsTopic(view: ComposeDestination): boolean {
    if (view.kind === 'private' || !this.#parts.organization.settings.mandatory_topics)
      return false;
    return ['', NO_TOPIC].includes(this.topicOf(view).trim());
  }

  /** What stands in the way of sending; null when nothing does. */
  problemOf(view: ComposeDestination): ComposeProblem | null {
    const content = this.contentOf(view);
    if (content.trim() === '' && !this.uploads.isRunning(view)) return 'empty';
    if (contentBytes(content) > CONTENT_BYTES) return 'content-too-long';
    if (view.kind === 'private') return null;
    if (this.wantsTopic(view)) return 'topic-missing';
    const topic = this.topicOf(view);
    return characters(topic) > TOPIC_CHARACTERS ? 'topic-too-long' : null;
  }

  /** Sends the text of the view, or does so when its files are there; what stands in the way is answered at once. */
  send(view: ComposeDestination): ComposeProblem | null {
    const problem = this.problemOf(view);
    if (problem !== null) return problem;
    const key = viewKey(view);
    if (this.uploads.isRunning(view)) {
      this.#afterUploads = new Set([...this.#afterUploads, key]);
      return null;
    }
    this.doNotSend(view);
    const draft = { conversation: this.#conversationOf(view), content: this.contentOf(view) };
    this.#given.set(
      draft,
      this.uploads.of(view).map(({ id }) => id),
    );
    const waiting = [...this.#of(key).waiting, draft];
    this.#set(key, { waiting, failure: '' });
    this.typing.ended();
    this.#parts.drafts.write(view, { content: '' });
    if (waiting.length === 1) {
      void this.#parts.drafts.holding(key, () => this.#deliver(key, view));
    }
    return null;
  }

  /** Takes back that the text goes out when its files are there. */
  doNotSend(view: ComposeDestination): void {
    if (!this.waitsForUploads(view)) return;
    const key = viewKey(view);
    this.#afterUploads = new Set([...this.#afterUploads].filter((each) => each !== key));
  }

  /** Told to the others of a private conversation, as long as it goes on. */
  noticeTyping(view: ComposeDestination): void {
    if (view.kind !== 'private' || this.contentOf(view).trim() === '') this.typing.ended();
    else this.typing.typed(view.userIds);
  }

  /** Those who type in a conversation at the moment. */
  typistsIn(view: ComposeDestination): readonly string[] {
    const { organization } = this.#parts;
    if (view.kind !== 'private') return [];
    const userIds = organization.state.typing[conversationKey(view)] ?? [];
    return userIds
      .filter((id) => id !== organization.ownUserId)
      .map((id) => organization.distinctNameOf(id));
  }

  #uploadsSettled(view: ComposeDestination): void {
    if (!this.waitsForUploads(view)) return;
    this.doNotSend(view);
    // A file that did not arrive is for the person to decide about.
    if (this.uploads.of(view).length === 0) this.send(view);
  }

  async #peopleIn(view: ComposeDestination): Promise<number | null> {
    if (view.kind === 'private') return view.userIds.length;
    const { bridge, accountId } = this.#parts;
    try {
      const args = { streamId: view.streamId };
      const outcome = await bridge.request(accountId, 'streams.members', args);
      return outcome.ok ? outcome.value.subscribers.length : null;
    } catch {
      // A rejection is a bug on the other side, which logs it; then nobody can say.
      return null;
    }
  }

  #conversationOf(view: ComposeDestination): Conversation {
    return view.kind === 'private'
      ? view
      : {
          kind: 'stream',
          streamId: view.streamId,
          topic: this.topicOf(view).trim() || NO_TOPIC,
        };
  }

  /** One after the other, so that they arrive in the order in which they were written. */
  async #deliver(key: string, view: ComposeDestination): Promise<void> {
    for (;;) {
      const next = this.#of(key).waiting[0];
      if (next === undefined) return;
      const outcome = await this.#call(next, key);
      const { waiting } = this.#of(key);
      if (!outcome.ok) {
        this.#takeBack(view, waiting, outcome.failure.message);
        return;
      }
      this.uploads.drop(this.#given.get(next) ?? []);
      this.#set(key, { waiting: waiting.slice(1), failure: '' });
    }
  }

  #takeBack(view: ComposeDestination, drafts: readonly Draft[], failure: string): void {
    const texts = [...drafts.map(({ content }) => content), this.contentOf(view)];
    this.writeContent(view, texts.filter((text) => text.trim() !== '').join('\n\n'));
    this.#set(viewKey(view), { waiting: [], failure });
  }

  async #call(draft: Draft, key: string): Promise<Outcome<OutboxItem>> {
    try {
      return await this.#parts.bridge.sendMessage(this.#parts.accountId, draft, key);
    } catch {
      // A rejection is a bug on the other side, which logs it; the text has to come back all the same.
      return { ok: false, failure: { code: 'INTERNAL_ERROR', message: words.bug } };
    }
  }

  #of(key: string): Sending {
    return this.#sendings.get(key) ?? idle;
  }

  #set(key: string, sending: Sending): void {
    this.#sendings = new Map(this.#sendings).set(key, sending);
  }
}
