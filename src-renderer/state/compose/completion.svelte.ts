import type { ShownMessage } from '#shared/bridge/models/client.ts';
import {
  accepted,
  commandsFor,
  emojiFor,
  languagesFor,
  peopleFor,
  streamsFor,
  topicPlaceOf,
  topicsFor,
  triggerAt,
  type Candidate,
  type Trigger,
} from '#renderer/lib/writing/completion.ts';
import type { ComposeDestination } from './drafts.svelte.ts';
import type { ListedEmoji } from '#renderer/lib/writing/emoji-list.ts';
import { plain } from '#shared/text/fuzzy.ts';
import type { OrganizationState } from '../organization.svelte.ts';
import type { TextEdit } from '#renderer/lib/writing/text-edit.ts';
import type { Topics } from '../places/topics.svelte.ts';

interface CompletionParts {
  readonly organization: OrganizationState;
  readonly topics: Topics;
  readonly messages: () => readonly ShownMessage[];
  readonly destination: () => ComposeDestination | null;
}

/** What is offered where somebody stands in a text, and which of it is chosen. */
export class Completion {
  readonly #parts: CompletionParts;
  #text = $state('');
  #caret = $state(0);
  #trigger = $state.raw<Trigger | null>(null);
  #index = $state(0);
  #emoji = $state.raw<readonly ListedEmoji[]>([]);
  /** Where the list was closed: it stays so until something else is asked for. */
  #closedAt: number | null = null;
  readonly #candidates = $derived(this.#find());

  constructor(parts: CompletionParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#candidates.length > 0;
  }

  get trigger(): Trigger | null {
    return this.#trigger;
  }

  get candidates(): readonly Candidate[] {
    return this.#candidates;
  }

  get index(): number {
    return Math.min(this.#index, this.#candidates.length - 1);
  }

  /** The text or the caret is another one. @param isTyped  moving the caret closes, and never opens */
  update(text: string, caret: number, isTyped: boolean): void {
    this.#text = text;
    this.#caret = caret;
    const trigger = triggerAt(text, caret);
    if (trigger?.from !== this.#closedAt) this.#closedAt = null;
    const { from, query } = this.#trigger ?? {};
    const isSame = trigger !== null && trigger.from === from;
    if (!isSame || trigger.query !== query) this.#index = 0;
    const isWanted = this.#closedAt === null && (isTyped || isSame);
    this.#trigger = isWanted ? trigger : null;
    if (this.#trigger !== null) this.#load(this.#trigger);
  }

  move(step: number): void {
    const { length } = this.#candidates;
    this.#index = (this.index + step + length) % length;
  }

  /** The edit that takes the candidate into the text; the list is closed by it. */
  accept(chosen: Candidate): TextEdit | null {
    const trigger = this.#trigger;
    if (trigger === null) return null;
    const edit = accepted(this.#text, this.#caret, trigger, chosen);
    this.#trigger = null;
    return edit;
  }

  /** Goes on to the topics of a stream that is chosen. */
  openTopics(): TextEdit | null {
    const chosen = this.#candidates[this.index];
    if (this.#trigger?.kind !== 'stream' || chosen?.stream === undefined) return null;
    const { from } = this.#trigger;
    const insert = `#**${chosen.stream.name}>`;
    const at = from + insert.length;
    return { from, to: this.#caret, insert, start: at, end: at };
  }

  close(): void {
    this.#closedAt = this.#trigger?.from ?? null;
    this.#trigger = null;
  }

  #topicPlace(trigger: Trigger) {
    const { streams, state } = this.#parts.organization;
    const all = [...streams, ...state.otherStreams];
    return topicPlaceOf(trigger, (name) => {
      const wanted = plain(name);
      return all.find((stream) => plain(stream.name) === wanted);
    });
  }

  #load(trigger: Trigger): void {
    if (trigger.kind === 'emoji' && this.#emoji.length === 0) {
      void import('#renderer/lib/writing/emoji-list.ts').then(
        ({ allEmoji }) => (this.#emoji = allEmoji()),
      );
    }
    if (trigger.kind !== 'topic') return;
    const streamId = this.#topicPlace(trigger)?.stream.streamId;
    if (streamId !== undefined && this.#parts.topics.of(streamId).length === 0)
      void this.#parts.topics.load(streamId);
  }

  #find(): readonly Candidate[] {
    const trigger = this.#trigger;
    const { organization, topics } = this.#parts;
    switch (trigger?.kind) {
      case 'person':
        return peopleFor(trigger, this.#people());
      case 'stream':
        return this.#streamsFor(trigger.query);
      case 'topic': {
        const place = this.#topicPlace(trigger);
        if (place === undefined) return this.#streamsFor(`${trigger.stream}>${trigger.query}`);
        return topicsFor(place.query, place.stream, topics.of(place.stream.streamId));
      }
      case 'emoji':
        return emojiFor(trigger.query, this.#emoji, organization.state.customEmoji);
      case 'language':
        return languagesFor(trigger.query, this.#text.slice(this.#caret));
      case 'command':
        return commandsFor(trigger.query);
      case undefined:
        return [];
    }
  }

  #streamsFor(query: string): readonly Candidate[] {
    const { streams, state } = this.#parts.organization;
    return streamsFor(query, streams, state.otherStreams);
  }

  #people() {
    const { organization, messages, destination } = this.#parts;
    const to = destination();
    const senders = messages()
      .map(({ senderId }) => senderId)
      .reverse();
    const named = to?.kind === 'private' ? to.userIds : [];
    return {
      people: organization.state.people,
      lookAlikes: organization.lookAlikes,
      groups: organization.state.userGroups,
      present: [...new Set([...senders, ...named])],
      familiar: organization.familiar,
      isStream: to?.kind !== 'private',
      ownUserId: organization.ownUserId,
    };
  }
}
