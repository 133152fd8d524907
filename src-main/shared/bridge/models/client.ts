/** What a client shows: the decoded, camelCase forms that cross from a session to a window. */
import type { JoinLink } from '#shared/join-link.ts';
import type { RestoreGeneration } from '#shared/api/restore-generation.ts';
import type { EditedPart } from '#shared/api/models/message.ts';
import type { Refusal } from '../outcome.ts';
import type { MarksOfAll } from '#shared/api/models/message-marks.ts';
import type { BackgroundUpload, Draft } from './client-codecs.ts';
import type { Conversation } from './conversation.ts';

export { conversationKey, isConversation, isInView } from './conversation.ts';
export type { Conversation, PrivateView, StreamView, View } from './conversation.ts';
export type {
  BackgroundUpload,
  ConnectRequest,
  Draft,
  FilePiece,
  HostRequest,
  InvitationRequest,
  JoinRequest,
  MessagePageRequest,
  NewPerson,
  NewStream,
  PasswordLinkRequest,
  PictureRequest,
  ReadTarget,
  SaveRequest,
  StoredDraft,
  UploadRequest,
} from './client-codecs.ts';

/** One user on one service as this application holds it. No secret is in here. */
export interface Account {
  /** Stable while the account is joined, and nothing to take apart: what is kept of the account is filed under it. */
  readonly id: string;
  /** The origin of the service, without a trailing slash. That of an office which is known by its fingerprint may change. */
  readonly address: string;
  /** Where else that office may be, the likeliest first. */
  readonly addresses?: readonly string[] | undefined;
  readonly realmName: string;
  /** The picture of the organization, relative to the service or absolute; absent where it has none. */
  readonly iconUrl?: string | undefined;
  readonly email: string;
  readonly fullName: string;
  readonly userId: number;
  /** True when this computer runs the service of the account's organization. */
  readonly isHosted: boolean;
  /** The fingerprint of the office that the account belongs to, where it is known: nobody else gets to hear of it. */
  readonly pin?: string | undefined;
  /** That office's, as it was seen last; absent where it was never restored. */
  readonly epoch?: RestoreGeneration | undefined;
  /** Fingerprints by which that office goes on once its key is stolen, as it has said itself. */
  readonly successors?: readonly string[] | undefined;
  /** By which it was known before its key was stolen: whoever shows one of these gets nothing any more. */
  readonly revoked?: readonly string[] | undefined;
}

/** How fresh what is shown is. Times are UNIX seconds. */
export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** Retrying by itself; what is shown is as of `liveUntilSeconds`. */
  | {
      readonly state: 'offline';
      readonly liveUntilSeconds: number | null;
      /** The computer of the service said then that it goes to sleep, and has not answered since. */
      readonly asleepSinceSeconds?: number;
      readonly reason: string;
    }
  /** The service refuses the key, or there is none; only signing in again helps. */
  | {
      readonly state: 'signed-out';
      readonly reason: string;
      /** The keychain did not answer: another try may find the key. */
      readonly isLocked?: true;
    };

/** A reaction of one kind with those who gave it, in the order in which they did. */
export interface ShownReaction {
  readonly name: string;
  readonly code: string;
  /** `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  readonly type: string;
  readonly userIds: readonly number[];
}

export interface ShownMessage extends MarksOfAll {
  readonly id: number;
  readonly conversation: Conversation;
  readonly senderId: number;
  readonly senderName: string;
  /** Relative to the service or absolute; null where a picture has to be made from the name. */
  readonly avatarUrl: string | null;
  /** HTML, sanitized by the service; a window sanitizes it again before it shows it. */
  readonly rendered: string;
  /** UNIX seconds. */
  readonly sentAtSeconds: number;
  /** UNIX seconds; null where it is as it was sent. */
  readonly editedAtSeconds: number | null;
  /** What of it was changed; absent where that is not known. */
  readonly editedParts?: readonly EditedPart[] | undefined;
  /** UNIX seconds; only of a message that the organization had lost and a member gave back. */
  readonly recoveredAtSeconds?: number;
  readonly isOwn: boolean;
  readonly isRead: boolean;
  readonly isStarred: boolean;
  /** By name, by group or by a wildcard. */
  readonly isMentioned: boolean;
  readonly hasAlertWord: boolean;
  readonly reactions: readonly ShownReaction[];
  /** What a search found: HTML with the hits in `span.highlight`. */
  readonly match: { readonly rendered: string; readonly topic: string } | null;
  /** The local id under which the outbox had a message that was written here. */
  readonly localId: string | null;
}

export interface MessagePage {
  /** Ascending by id; of a search in the order of relevance the best first. */
  readonly messages: readonly ShownMessage[];
  /** The message that `anchor` stood for; null for the newest where nothing is unread. */
  readonly anchorId: number | null;
  readonly hasOldest: boolean;
  readonly hasNewest: boolean;
  /** There may be more hits of a search, for its index is being made anew: who asks again later is given them. */
  readonly isIndexing?: boolean;
  /**
   * False where the service did not answer and the cache knows that messages of this page may be missing; what is
   * there is right all the same.
   */
  readonly isComplete: boolean;
  /** Present where a page is not complete: only what stands in public streams that the account is not in can be missing. */
  readonly isOwnComplete?: boolean;
}

/** A message between here and the service. */
export interface OutboxItem extends Draft {
  /** Never the same twice; the service accepts it once. */
  readonly localId: string;
  readonly writtenAtSeconds: number;
  /** `waiting` until there is a connection; `failed` until somebody decides. */
  readonly state: 'waiting' | 'sending' | 'failed';
  /** Why it failed; empty otherwise. */
  readonly failure: string;
  /** What it failed of; undefined otherwise, and where an earlier version kept it. */
  readonly refusal?: Refusal | undefined;
}

export interface StreamTopic {
  readonly streamId: number;
  readonly topic: string;
}

/** What happens last in a conversation. */
export interface ConversationSummary {
  readonly conversation: Conversation;
  readonly newestMessageId: number;
  readonly newestAtSeconds: number;
  readonly newestSenderId: number;
  /** One line, without markup. */
  readonly excerpt: string;
  /** The account has written there, among the messages that are known here. */
  readonly isParticipant: boolean;
}

/** One that a page before this one left. */
export interface ResumedUpload extends BackgroundUpload {
  /** The file is still here, and can be sent once more where it did not arrive. */
  readonly canRetry: boolean;
}

/** A file of the service, fetched with the account's key. */
export interface FetchedFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a person has taken along, as a folder. */
export interface ExportResult {
  readonly path: string;
  readonly messages: number;
  readonly files: number;
  /** Files that the service did not give. */
  readonly missingFiles: number;
}

/** How much of the account's history this computer has. */
export interface CacheStatus {
  /** False where nothing outlives the window: in a browser. */
  readonly isEnabled: boolean;
  readonly messages: number;
  readonly bytes: number;
  readonly limitBytes: number;
  /** `complete`: everything in the account's streams and private conversations is here; `full`: the limit is reached. */
  readonly backfill: 'running' | 'paused' | 'waiting' | 'complete' | 'full';
  /** UNIX seconds of the oldest message from which on nothing of that is missing; null where nothing is here. */
  readonly completeSinceSeconds: number | null;
}

/** An organization that tells of itself in a network of this computer. Anybody may say that they are one. */
export interface NearbyOrganization {
  /** What it is said to be called. */
  readonly name: string;
  /** An origin at which it is said to be. */
  readonly address: string;
}

/** A request that was made here, without its secret. */
export interface PendingJoinRequest {
  readonly realmName: string;
  readonly fullName: string;
  readonly email: string;
  /** Four digits that whoever decides sees, too. */
  readonly number: string;
  /** UNIX seconds until which somebody can decide. */
  readonly expires: number;
  readonly addresses: readonly string[];
  readonly pin: string | null;
  /** `unreached` where nobody answers for now. */
  readonly state: 'waiting' | 'accepted' | 'declined' | 'ended' | 'unreached';
  /** By which they join; null as long as nobody has accepted it. */
  readonly link: JoinLink | null;
}

/** What whoever was invited sees before they type anything. */
export interface InvitationView {
  /** At which the organization answered. */
  readonly address: string;
  readonly realmName: string;
  readonly inviterName: string;
  /** The picture of the organization; null where it has none, or it cannot be had. */
  readonly icon: FetchedFile | null;
  /** Theirs; empty where the link is for many, and they have to say it. */
  readonly email: string;
}

/** A message that the organization lost and this computer still has. */
export interface LostMessage {
  readonly id: number;
  readonly senderId: number;
  readonly sentAtSeconds: number;
  /** The Markdown. */
  readonly content: string;
  readonly conversation:
    | { readonly kind: 'stream'; readonly streamId: number; readonly topic: string }
    | { readonly kind: 'private'; readonly userIds: readonly number[] };
}

export interface LostStatus {
  readonly waiting: number;
  /** They are being given back. */
  readonly isAgreed: boolean;
  /** What became of those that were offered since the application started; null while there were none. */
  readonly done: { readonly back: number; readonly refused: number } | null;
}
