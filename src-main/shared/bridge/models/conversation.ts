/** Where messages belong and which of them a list shows. Nothing here needs a library: windows load it. */
import { fold } from '#shared/text/fold.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';

/** Where a message belongs. The user ids are those of the other participants; none means notes to oneself. */
export type Conversation = StreamConversation | PrivateView;

export interface StreamConversation {
  readonly kind: 'stream';
  readonly streamId: number;
  readonly topic: string;
}

export interface PrivateView {
  readonly kind: 'private';
  readonly userIds: readonly number[];
}

export interface StreamView {
  readonly kind: 'stream';
  readonly streamId: number;
  /** Null for the whole stream. */
  readonly topic: string | null;
}

/** Everything that came, what mentions the account, what it starred. */
export interface MixedView {
  readonly kind: 'feed' | 'mentions' | 'starred';
}

/** The hits of a search, which may have no words: then its terms alone decide. */
export interface SearchView {
  readonly kind: 'search';
  readonly terms: readonly NarrowTerm[];
  /** The best of the newest hits first, of a search that has words; otherwise hits stand in the order of time. */
  readonly order?: 'relevance' | undefined;
}

/** What a message list shows. */
export type View = StreamView | PrivateView | MixedView | SearchView;

/** A key that is equal exactly for equal conversations; topics compare without case. */
export const conversationKey = (conversation: Conversation): string =>
  conversation.kind === 'stream'
    ? `stream:${String(conversation.streamId)}:${fold(conversation.topic)}`
    : `private:${[...conversation.userIds].sort((a, b) => a - b).join(',')}`;

/** A key that is equal exactly for equal views; that of a conversation is the conversation's. */
export function viewKey(view: View): string {
  switch (view.kind) {
    case 'stream':
      return view.topic === null
        ? `stream:${String(view.streamId)}`
        : conversationKey({ ...view, topic: view.topic });
    case 'private':
      return conversationKey(view);
    case 'search':
      return `search:${view.order ?? ''}:${JSON.stringify(view.terms)}`;
    default:
      return view.kind;
  }
}

/** Whether the view is one conversation, so that what is written there can only belong there. */
export const isConversation = (view: View): view is Conversation =>
  view.kind === 'private' || (view.kind === 'stream' && view.topic !== null);

interface Placed {
  readonly conversation: Conversation;
  readonly isMentioned: boolean;
  readonly isStarred: boolean;
}

/**
 * Whether a message belongs into the view. What a search finds only its service or the cache knows: never here.
 */
export function isInView(message: Placed, view: View): boolean {
  switch (view.kind) {
    case 'feed':
      return true;
    case 'mentions':
      return message.isMentioned;
    case 'starred':
      return message.isStarred;
    case 'search':
      return false;
    case 'stream':
      if (view.topic !== null) break;
      return (
        message.conversation.kind === 'stream' && message.conversation.streamId === view.streamId
      );
    default:
      break;
  }
  return conversationKey(message.conversation) === viewKey(view);
}
