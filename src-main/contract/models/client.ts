/** What a client shows: the decoded, camelCase forms that cross from a session to a window. */
import { z } from 'zod';

/** One user on one service as this application holds it. No secret is in here. */
export interface Account {
  /** Stable while the account is joined: `<user id>@<origin>`. */
  readonly id: string;
  /** The origin of the service, without a trailing slash. */
  readonly address: string;
  readonly realmName: string;
  readonly email: string;
  readonly fullName: string;
  readonly userId: number;
  /** True when this computer runs the service of the account's organization. */
  readonly isHosted: boolean;
}

/** How fresh what is shown is. Times are UNIX seconds. */
export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** Retrying by itself; what is shown is as of `liveUntilSeconds`. */
  | { readonly state: 'offline'; readonly liveUntilSeconds: number | null; readonly reason: string }
  /** The service refuses the key; only signing in again helps. */
  | { readonly state: 'signed-out'; readonly reason: string };

export interface Person {
  readonly userId: number;
  readonly email: string;
  readonly fullName: string;
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
  readonly isBot: boolean;
}

export interface SubscribedStream {
  readonly streamId: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  readonly isMuted: boolean;
  readonly isPinned: boolean;
  /** `#rrggbb` */
  readonly color: string;
}

/** Where a message belongs. The user ids are those of the other participants; none means notes to oneself. */
export const Conversation = z.union([
  z.object({ kind: z.literal('stream'), streamId: z.int(), topic: z.string() }),
  z.object({ kind: z.literal('private'), userIds: z.array(z.int()).max(100) }),
]);
export type Conversation = z.infer<typeof Conversation>;

/** What a message list shows: a whole stream, one topic, or one private conversation. */
export const View = z.union([
  z.object({ kind: z.literal('stream'), streamId: z.int(), topic: z.string().nullable() }),
  z.object({ kind: z.literal('private'), userIds: z.array(z.int()).max(100) }),
]);
export type View = z.infer<typeof View>;

export interface ShownMessage {
  readonly id: number;
  readonly conversation: Conversation;
  readonly senderId: number;
  readonly senderName: string;
  /** HTML, sanitized by the service; a window sanitizes it again before it shows it. */
  readonly rendered: string;
  /** UNIX seconds. */
  readonly sentAtSeconds: number;
  readonly isOwn: boolean;
  readonly isRead: boolean;
}

/** A private conversation of the left column, newest first. */
export interface PrivateConversation {
  readonly userIds: readonly number[];
  readonly newestMessageId: number;
}

/** Everything beside messages that a window shows of one organization. */
export interface RealmState {
  readonly realmName: string;
  readonly ownUserId: number;
  readonly people: readonly Person[];
  readonly streams: readonly SubscribedStream[];
  readonly privateConversations: readonly PrivateConversation[];
  /** Unread messages by conversation key (`conversationKey`); absent means none. */
  readonly unreadCounts: Readonly<Record<string, number>>;
}

export const MessagePageRequest = z.object({
  view: View,
  /** Exclusive: only older messages. Null for the newest page. */
  beforeId: z.int().nullable(),
  limit: z.int().min(1).max(1000),
});
export type MessagePageRequest = z.infer<typeof MessagePageRequest>;

export interface MessagePage {
  /** Ascending by id. */
  readonly messages: readonly ShownMessage[];
  readonly hasOldest: boolean;
}

export const Draft = z.object({ conversation: Conversation, content: z.string() });
export type Draft = z.infer<typeof Draft>;

export const HostRequest = z.object({
  realmName: z.string(),
  fullName: z.string(),
  email: z.string(),
  password: z.string(),
});
/** What creating an organization on this computer takes. */
export type HostRequest = z.infer<typeof HostRequest>;

export const ConnectRequest = z.object({
  /** As typed: scheme and port may be left out. */
  address: z.string(),
  email: z.string(),
  /** May be empty only for a development service, which hands out keys without one. */
  password: z.string(),
});
export type ConnectRequest = z.infer<typeof ConnectRequest>;

export const NewStream = z.object({
  name: z.string(),
  description: z.string(),
  isPrivate: z.boolean(),
  /** People to subscribe beside oneself. */
  userIds: z.array(z.int()),
});
export type NewStream = z.infer<typeof NewStream>;

export const NewPerson = z.object({
  fullName: z.string(),
  email: z.string(),
  password: z.string(),
});
export type NewPerson = z.infer<typeof NewPerson>;

/** A key that is equal exactly for equal conversations; topics compare without case. */
export const conversationKey = (conversation: Conversation): string =>
  conversation.kind === 'stream'
    ? `stream:${String(conversation.streamId)}:${conversation.topic.trim().toLowerCase()}`
    : `private:${[...conversation.userIds].sort((a, b) => a - b).join(',')}`;

/** Whether a message of the conversation belongs into the view. */
export function isInView(conversation: Conversation, view: View): boolean {
  if (view.kind === 'stream' && conversation.kind === 'stream' && view.topic === null) {
    return conversation.streamId === view.streamId;
  }
  return view.kind === 'stream' && view.topic === null
    ? false
    : conversationKey(conversation) === conversationKey(view as Conversation);
}
