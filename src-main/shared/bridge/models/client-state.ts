/** Everything beside messages that a window shows of one organization, in slices that change one by one. */
import type { LostStatus, OutboxItem, StoredDraft } from './client.ts';
import type { Conversation } from './conversation.ts';
import type { OrganizationSettings } from '#shared/api/models/organization-settings.ts';
import type { DisplaySettings, NotificationSettings } from '#shared/api/models/settings.ts';

export interface Organization {
  readonly settings: OrganizationSettings;
  /** Relative to the service or absolute; null where there is none. */
  readonly iconUrl: string | null;
  readonly canCreateStreams: boolean;
  readonly canSubscribeOthers: boolean;
  /** How many wait for an answer; 0 for those who do not decide. */
  readonly joinRequests: number;
  readonly notificationSounds: readonly string[];
}

export interface Person {
  readonly userId: number;
  readonly email: string;
  readonly fullName: string;
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
  readonly isBot: boolean;
  readonly isActive: boolean;
  readonly botOwnerId: number | null;
  /** Relative to the service or absolute; null where a picture has to be made from the name. */
  readonly avatarUrl: string | null;
  /** A name of the IANA database; empty where it is not known. */
  readonly timezone: string;
  /** ISO 8601; empty where it is not known. */
  readonly joinedAt: string;
  /** Answers to profile fields as the service keeps them, by the id of the field. */
  readonly profile: Readonly<Record<number, string>>;
}

/** What people of the organization are asked about themselves. */
export interface ProfileField {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  /** 1 short text, 2 long text, 3 choice, 4 date, 5 link, 6 people. */
  readonly type: number;
  /** What a field of type 3 offers, in its order. */
  readonly choices: readonly { readonly value: string; readonly text: string }[];
}

export interface Presence {
  readonly status: 'active' | 'idle';
  /** UNIX seconds of the newest report. */
  readonly atSeconds: number;
}

export interface Status {
  readonly isAway: boolean;
  readonly text: string;
}

/** A stream that the account may see. */
export interface ListedStream {
  readonly streamId: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  readonly hasSharedHistory: boolean;
  readonly firstMessageId: number | null;
  readonly weeklyTraffic: number | null;
}

/** A stream that the account no longer sees; what it received there stays. */
export interface GoneStream extends ListedStream {
  /** `hidden` where all that is known is that it is not seen: it was archived, or closed to the account. */
  readonly how: 'left' | 'archived' | 'hidden';
  /** UNIX seconds, when this computer was told; null where it never was. */
  readonly sinceSeconds: number | null;
}

export interface SubscribedStream extends ListedStream {
  readonly isMuted: boolean;
  readonly isPinned: boolean;
  /** `#rrggbb` */
  readonly color: string;
  readonly desktopNotifications: boolean;
  readonly audibleNotifications: boolean;
  readonly pushNotifications: boolean;
  readonly emailNotifications: boolean;
}

export interface MutedTopic {
  readonly streamId: number;
  readonly topic: string;
}

/** The unread messages of one conversation. */
export interface UnreadConversation {
  readonly conversation: Conversation;
  readonly count: number;
  /** Those of them that mention the account, by name or by a wildcard. */
  readonly mentions: number;
  readonly newestId: number;
}

/** By `conversationKey`; a conversation without unread messages is absent. */
export type UnreadConversations = Readonly<Record<string, UnreadConversation>>;

/** A private conversation of the left column, newest first. */
export interface PrivateConversation {
  readonly userIds: readonly number[];
  readonly newestMessageId: number;
}

export interface CustomEmoji {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly isActive: boolean;
}

export interface UserGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly userIds: readonly number[];
}

/** A bot that the account owns or administers. Its key is fetched when it is asked for. */
export interface OwnedBot {
  readonly userId: number;
  readonly fullName: string;
  readonly email: string;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  readonly type: number;
  readonly isActive: boolean;
  readonly ownerId: number | null;
}

export interface ClientState {
  readonly ownUserId: number;
  /** How far the clock of the service is ahead of the one of this computer: negative where it is behind. */
  readonly clockAheadSeconds: number;
  /** The newest event of an uploaded file of the account's; 0 before the first. Which files there are is asked for. */
  readonly fileChange: number;
  readonly organization: Organization;
  /** Deactivated people too: their messages stay. */
  readonly people: readonly Person[];
  /** By user id. */
  readonly presences: Readonly<Record<number, Presence>>;
  /** By user id; absent where nothing is set. */
  readonly statuses: Readonly<Record<number, Status>>;
  readonly streams: readonly SubscribedStream[];
  /** Those that the account may see and is not subscribed to. */
  readonly otherStreams: readonly ListedStream[];
  /** Those of which messages may be here all the same. One that is seen again may still be among them. */
  readonly goneStreams: readonly GoneStream[];
  /**
   * The newest event by which people came to a stream or left it, by stream id; 0 stands for all streams. Who they are is asked for
   * where somebody looks.
   */
  readonly memberChanges: Readonly<Record<number, number>>;
  /** Those that new people are subscribed to; guests are not told. */
  readonly defaultStreamIds: readonly number[];
  readonly mutedTopics: readonly MutedTopic[];
  readonly unread: UnreadConversations;
  /** Newest first. */
  readonly privateConversations: readonly PrivateConversation[];
  readonly starredCount: number;
  readonly notifications: NotificationSettings;
  readonly display: DisplaySettings;
  readonly alertWords: readonly string[];
  readonly customEmoji: readonly CustomEmoji[];
  readonly userGroups: readonly UserGroup[];
  /** In their order. */
  readonly profileFields: readonly ProfileField[];
  readonly bots: readonly OwnedBot[];
  /** Who is typing, by `conversationKey` of a private conversation. */
  readonly typing: Readonly<Record<string, readonly number[]>>;
  /** Newest change first. */
  readonly drafts: readonly StoredDraft[];
  /** In the order in which they are sent. */
  readonly outbox: readonly OutboxItem[];
  /** What cannot be kept on this computer, as a sentence that says what to do; null while all is well. */
  readonly storageProblem: string | null;
  /** Messages that this computer still has and the organization has lost. */
  readonly lost: LostStatus;
}
