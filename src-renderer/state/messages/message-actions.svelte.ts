import { fold } from '#shared/text/fold.ts';
import type { EmojiType } from '#shared/api/models/emoji.ts';
import type {
  Account,
  Conversation,
  Draft,
  ShownMessage,
  ShownReaction,
  View,
} from '#shared/bridge/models/client.ts';
import { mentionById } from '#shared/text/mention-syntax.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { RequestArguments, RequestName } from '#shared/bridge/requestable.ts';
import type { Bridge } from '#preload/bridge.ts';
import { timelineWords as text } from '#renderer/i18n/timeline.ts';
import { words } from '#renderer/i18n/common.ts';
import { plainTextOf } from '#renderer/lib/plain-text.ts';
import type { Announcer } from '../announcer.svelte.ts';
import { Edits } from './edits.svelte.ts';
import { conversationLink, linkToPassOn } from '#renderer/lib/links/links.ts';
import { quoteOf } from '#renderer/lib/writing/fence.ts';
import { messageRights, type MessageRights } from '#renderer/lib/message-rights.ts';
import type { Navigation } from '../places/navigation.svelte.ts';
import type { Overlays } from '../overlays.svelte.ts';
import type { Reading } from './reading.ts';
import type { OrganizationState } from '../organization.svelte.ts';
import type { Timeline } from './timeline.svelte.ts';

export interface ChosenEmoji {
  readonly name: string;
  readonly code: string;
  readonly type: string;
}

export interface MessageDialog {
  readonly kind: 'history' | 'source' | 'delete' | 'move';
  readonly message: ShownMessage;
}

/** Where an emoji is being chosen, and for which message. */
export interface EmojiChoice {
  readonly messageId: number;
  readonly anchor: HTMLElement;
}

/** What writing needs of the compose box. */
export interface ComposePort {
  /** What is written from now on answers the message; returns what adds a text to it, in the box, which gets the focus. */
  readonly replyTo: (message: ShownMessage) => (text: string) => void;
  /**
   * Gives an unsent text back to be written on, where it belongs: it is a draft on the disk before `release` takes it out of
   * the outbox, so that it is always in one of them. `release` answers why it cannot, and then nothing has changed.
   */
  readonly edit: (draft: Draft, release: () => Promise<string | null>) => Promise<string | null>;
  readonly focus: () => void;
}

export interface ActionParts {
  readonly bridge: Bridge;
  readonly account: Account;
  readonly organization: OrganizationState;
  readonly timeline: Timeline;
  readonly navigation: Navigation;
  readonly overlays: Overlays;
  readonly announcer: Announcer;
  readonly reading: Reading;
  readonly compose: ComposePort;
}

const THUMBS_UP: ChosenEmoji = { name: '+1', code: '1f44d', type: 'unicode_emoji' };

/** What a person can do with a message. What cannot be done says why in a notice. */
export class MessageActions {
  readonly #parts: ActionParts;
  /** The messages that are edited in their place. */
  readonly edits = new Edits();
  #dialog = $state.raw<MessageDialog | null>(null);
  #choice = $state.raw<EmojiChoice | null>(null);
  /** A second press while the first one works would write the text twice. */
  readonly #takenBack = new Set<string>();

  constructor(parts: ActionParts) {
    this.#parts = parts;
  }

  get dialog(): MessageDialog | null {
    return this.#dialog;
  }

  get emojiChoice(): EmojiChoice | null {
    return this.#choice;
  }

  rightsOf(message: ShownMessage): MessageRights {
    const { organization } = this.#parts;
    const nowSeconds = organization.serviceSeconds(Math.floor(Date.now() / 1000));
    return messageRights(message, organization.actor, organization.settings, nowSeconds);
  }

  openDialog(kind: MessageDialog['kind'], message: ShownMessage): void {
    this.#dialog = { kind, message };
  }

  closeDialog(): void {
    this.#dialog = null;
  }

  edit(message: ShownMessage): void {
    const { canEditContent, canEditTopic } = this.rightsOf(message);
    if (canEditContent) this.edits.begin(message.id);
    else if (canEditTopic) this.openDialog('move', message);
  }

  /** Opens the newest message of one's own that may still be edited. @returns whether there was one */
  editLast(): boolean {
    const last = this.#parts.timeline.messages.findLast(({ isOwn }) => isOwn);
    if (last === undefined || !this.rightsOf(last).canEditContent) return false;
    void this.#parts.timeline.showMessage(last.id);
    this.edit(last);
    return true;
  }

  chooseEmoji(messageId: number, anchor: HTMLElement): void {
    this.#choice = { messageId, anchor };
  }

  endChoice(): void {
    this.#choice = null;
  }

  async toggleReaction(message: ShownMessage, emoji: ChosenEmoji | ShownReaction): Promise<void> {
    const { ownUserId } = this.#parts.organization;
    const given = message.reactions.find(
      ({ code, type }) => code === emoji.code && type === emoji.type,
    );
    const args = {
      messageId: message.id,
      emojiName: emoji.name,
      emojiCode: emoji.code,
      reactionType: emoji.type as EmojiType,
    };
    const isMine = given?.userIds.includes(ownUserId) === true;
    await this.#request(isMine ? 'reactions.remove' : 'reactions.add', args);
  }

  thumbsUp(message: ShownMessage): Promise<void> {
    return this.toggleReaction(message, THUMBS_UP);
  }

  async repeatReaction(message: ShownMessage): Promise<void> {
    const first = message.reactions[0];
    if (first !== undefined) await this.toggleReaction(message, first);
  }

  async toggleStar(message: ShownMessage): Promise<void> {
    const { bridge, account } = this.#parts;
    await this.#run(() => bridge.star(account.id, message.id, !message.isStarred));
  }

  async markUnreadFrom(message: ShownMessage): Promise<void> {
    const { bridge, account, timeline, reading } = this.#parts;
    if (timeline.view === null) return;
    const view = timeline.view;
    reading.suspend();
    if (await this.#run(() => bridge.markUnreadFrom(account.id, view, message.id)))
      timeline.markUnreadFrom(message.id);
  }

  async markViewRead(view: View): Promise<void> {
    const { bridge, account, announcer } = this.#parts;
    if (await this.#run(() => bridge.markRead(account.id, { kind: 'view', view })))
      announcer.announce(text.markedRead);
  }

  async copyText(message: ShownMessage): Promise<void> {
    await this.copy(plainTextOf(message.rendered));
  }

  async copyLink(message: ShownMessage): Promise<void> {
    await this.copy(linkToPassOn(this.linkTo(message), this.#parts.account));
  }

  linkTo({ conversation, id }: ShownMessage): string {
    const { account, organization } = this.#parts;
    const names = {
      ownUserId: organization.ownUserId,
      streamNameOf: (streamId: number) => organization.streamNameOf(streamId),
    };
    return conversationLink(account.address, conversation, names, id);
  }

  async copy(content: string): Promise<void> {
    const { announcer, overlays } = this.#parts;
    try {
      await navigator.clipboard.writeText(content);
      announcer.announce(text.copied);
    } catch {
      // Over plain HTTP a browser offers no clipboard: the person has to do it.
      overlays.notify(text.cannotCopy);
    }
  }

  /** What is written from now on goes to the conversation of the message; the box says so. */
  reply(message: ShownMessage): void {
    const { compose } = this.#parts;
    compose.replyTo(message);
    compose.focus();
  }

  replyPrivately(message: ShownMessage): void {
    const { navigation, compose, organization } = this.#parts;
    const userIds = message.senderId === organization.ownUserId ? [] : [message.senderId];
    navigation.go({ kind: 'private', userIds });
    compose.focus();
  }

  mention(message: ShownMessage): void {
    this.#write(message, `${mentionById(senderOf(message))} `);
  }

  async quote(message: ShownMessage): Promise<void> {
    const { bridge, account } = this.#parts;
    const outcome = await this.#ask(() => bridge.source(account.id, message.id));
    if (outcome === null) return;
    const sender = mentionById(senderOf(message), true);
    const quoted = `${sender} [${text.said}](${this.linkTo(message)}):\n${quoteOf(outcome)}`;
    this.#write(message, quoted);
  }

  async toggleTopicMute(conversation: Conversation): Promise<void> {
    if (conversation.kind !== 'stream') return;
    const { streamId, topic } = conversation;
    const op = this.isTopicMuted(conversation) ? 'remove' : 'add';
    await this.#request('subscriptions.muteTopic', { streamId, topic, op });
  }

  isTopicMuted(conversation: Conversation): boolean {
    if (conversation.kind !== 'stream') return false;
    const key = fold(conversation.topic);
    return this.#parts.organization.state.mutedTopics.some(
      (muted) => muted.streamId === conversation.streamId && fold(muted.topic) === key,
    );
  }

  async toggleStreamMute(streamId: number): Promise<void> {
    const value = this.#parts.organization.findStream(streamId)?.isMuted !== true;
    await this.#request('subscriptions.setProperties', {
      subscriptionData: [{ stream_id: streamId, property: 'is_muted', value }],
    });
  }

  async retry(localId: string): Promise<void> {
    const { bridge, account } = this.#parts;
    await this.#run(() => bridge.retryMessage(account.id, localId));
  }

  async editUnsent(localId: string): Promise<void> {
    const { bridge, account, compose, organization, overlays } = this.#parts;
    const item = organization.state.outbox.find((each) => each.localId === localId);
    if (item === undefined || this.#takenBack.has(localId)) return;
    this.#takenBack.add(localId);
    const { conversation, content } = item;
    const problem = await compose.edit({ conversation, content }, async () => {
      const outcome = await settled(() => bridge.withdrawMessage(account.id, localId));
      return outcome.ok ? null : outcome.failure.message;
    });
    this.#takenBack.delete(localId);
    if (problem === null) compose.focus();
    else overlays.notify(problem);
  }

  async discardUnsent(localId: string): Promise<void> {
    const { bridge, account } = this.#parts;
    await this.#run(() => bridge.withdrawMessage(account.id, localId));
  }

  /** Adds a text to the answer to the message. */
  #write(message: ShownMessage, content: string): void {
    this.#parts.compose.replyTo(message)(content);
  }

  async #request<N extends RequestName>(name: N, args: RequestArguments<N>): Promise<boolean> {
    const { bridge, account } = this.#parts;
    return this.#run(() => bridge.request(account.id, name, args));
  }

  async #run(call: () => Promise<Outcome<unknown>>): Promise<boolean> {
    const outcome = await settled(call);
    if (!outcome.ok) this.#parts.overlays.notify(outcome.failure.message);
    return outcome.ok;
  }

  async #ask<T>(call: () => Promise<Outcome<T>>): Promise<T | null> {
    const outcome = await settled(call);
    if (outcome.ok) return outcome.value;
    this.#parts.overlays.notify(outcome.failure.message);
    return null;
  }
}

/** A rejection is a bug on the other side, which logs it; here it is one more thing that did not work. */
async function settled<T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await call();
  } catch {
    return { ok: false, failure: { code: 'INTERNAL_ERROR', message: words.bug } };
  }
}

const senderOf = ({ senderId, senderName }: ShownMessage) => ({
  userId: senderId,
  fullName: senderName,
});
