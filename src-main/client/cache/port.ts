/** What a session keeps of its account: messages as the service gave them, and the state that belongs to them. */
import type {
  CacheStatus,
  ConversationSummary,
  StreamTopic,
} from '#shared/bridge/models/client.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { NarrowTerm, HistoryScope } from '#shared/api/narrow.ts';
import type { NarrowScope } from './narrow-scope.ts';
import { ExplainedError, type Explanation } from '#shared/i18n/explained-error.ts';

/**
 * Where messages lie that a page of the service has all of: a stream, all private conversations, or everything that the
 * account holds, which a page without a narrow has. What an account holds may stand in streams that it has left, so
 * only the last one covers views of everything.
 */
export type CoverageScope =
  | { readonly kind: 'stream'; readonly streamId: number }
  | { readonly kind: 'private' }
  | { readonly kind: 'held' };

/** What one page may have all of: a place, or at once everything that the account holds and these streams. */
export type PageCoverageScope =
  CoverageScope | { readonly kind: 'subscribed'; readonly streamIds: readonly number[] };

/** A page as GET /messages takes it; `newest` stands for an anchor beyond every message. */
export interface PageQuery {
  readonly narrow: readonly NarrowTerm[];
  readonly anchor: number | 'newest' | 'first-unread';
  readonly numBefore: number;
  readonly numAfter: number;
  /** The best of the newest hits first; only with a search term, the newest anchor and nothing after it. */
  readonly order?: 'relevance' | undefined;
  /** What the account holds where it is absent. */
  readonly historyScope?: HistoryScope | undefined;
}

/** A page as the service would give it, with its own keys (specification 4, GET /messages). */
export interface CachedPage {
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  /** While the search index is made anew: nothing older was searched. */
  readonly indexed_from?: number | undefined;
  readonly messages: readonly Message[];
  /** Nothing that the service would give can be missing. */
  readonly isComplete: boolean;
  /** Nothing can be missing but what stands in streams that the account is not subscribed to. */
  readonly isOwnComplete: boolean;
}

/**
 * What an answer is worth by what events told since it was asked for: `changed` where some of its messages may be other ones now,
 * or others belong to it; `outdated` where any of them may, or may not be read any more.
 */
export type AnswerAge = 'current' | 'changed' | 'outdated';

/** What an event did to messages. */
export interface MessageChanges {
  /** As they are now, of those that are kept; where they are more than 5,000, the newest of them. */
  readonly changed: readonly Message[];
  readonly removedIds: readonly number[];
}

/** The place in the event log up to which everything here is applied. */
export interface CachedPosition {
  readonly queueId: string;
  readonly lastEventId: number;
  /** Every message that the account received up to this one is here, as far down as the places are covered. */
  readonly newestMessageId: number;
  /** UNIX seconds at which the service last answered. */
  readonly liveUntilSeconds: number;
  /** Messages after the newest came before the queue was registered: they are still to be fetched. */
  readonly isBehind?: boolean | undefined;
}

export interface CachedSession {
  readonly position: CachedPosition;
  /** Slices by name, as `saveSession` got them. */
  readonly slices: Readonly<Record<string, unknown>>;
}

/**
 * Everything is synchronous: no call takes longer than a few milliseconds. Every call may throw CacheError, after which the
 * session goes on without what could not be kept, and says so.
 */
export interface Cache {
  /** False where nothing outlives the process. */
  readonly isKept: boolean;
  /** What was kept the last time; null at first, or where it was of another version. */
  readonly loadSession: () => CachedSession | null;
  /**
   * Runs everything in it as one transaction; where a part fails, all of it fails. What failed is taken for lost: nothing is
   * covered any more, unless it is only a file.
   */
  readonly transact: <T>(run: () => T) => T;
  /** Slices that are absent stay as they were. Null forgets the position: the queue is lost. */
  readonly saveSession: (
    position: CachedPosition | null,
    slices: Readonly<Record<string, unknown>>,
  ) => void;

  /** Counts what events, and people here, have changed. Whoever asks the service takes it first, and gives it with the answer. */
  readonly changeCount: () => number;
  readonly ageOf: (ids: readonly number[], askedAt: number) => AnswerAge;
  /** Messages of an answer as they are by now: those that are gone are left out. */
  readonly current: (messages: readonly Message[], askedAt: number) => readonly Message[];

  /**
   * Keeps messages as a page or an event gave them; those that are here are replaced. What was said before an edit is not
   * kept, and of gravatars no address. What changed since `askedAt` is not brought back to what it was before: that message is
   * stale then. Without `askedAt` they are taken for what they are now.
   */
  readonly put: (messages: readonly Message[], askedAt?: number) => void;
  /**
   * The messages are all that the place has from `fromId` to `throughId`: others that are here between them are removed, and
   * told. `throughId` Infinity stands for the newest, and so does every id from which on events have told all: of a place that
   * tells no events, an unsubscribed stream, nothing is ever covered.
   */
  readonly putRange: (
    place: PageCoverageScope,
    messages: readonly Message[],
    range: { readonly fromId: number; readonly throughId: number; readonly askedAt?: number },
  ) => readonly number[];
  /**
   * Applies what happened to messages: edits, moves, deletions, flags, reactions, submessages, and to the names that they show.
   * Others change nothing.
   */
  readonly apply: (event: unknown) => MessageChanges;
  readonly find: (ids: readonly number[]) => readonly Message[];
  /** Messages that the office would know again, ascending, from after an id on. */
  readonly listSignedMessages: (
    afterId: number,
    limit: number,
  ) => readonly { readonly id: number; readonly proof: string }[];
  /**
   * Messages of which an event told less than what they are now, as a move does, and such that should be here and are
   * not: to be fetched one by one. As long as they wait, no page that may contain them is complete.
   * @param coming  what these places lack is fetched anyway, and such messages with it
   */
  readonly findStale: (limit: number, coming?: readonly CoverageScope[]) => readonly number[];
  /**
   * What became of fetching them: those of the ids that have no message may not be read, or are gone; answers what is removed.
   * Those that changed since `askedAt` stay stale.
   */
  readonly putFetchedMessage: (
    ids: readonly number[],
    messages: readonly Message[],
    askedAt?: number,
  ) => readonly number[];
  /** @throws ServiceError BAD_NARROW or BAD_REQUEST with the words of the service */
  readonly page: (query: PageQuery, scope: NarrowScope) => CachedPage;
  /** The id from which on nothing of the place is missing; 0 when all of it is here, null when nothing is covered. */
  readonly coveredFrom: (place: CoverageScope) => number | null;
  /** The first id from `fromId` on that is not covered. */
  readonly uncoveredFrom: (place: CoverageScope, fromId: number) => number;
  /** Nothing is covered any more: what is here may be out of date. */
  readonly forgetCoverage: () => void;
  /** The stream was left, archived or closed: removes what the account never received, which it may no longer read: the ids. */
  readonly removeStream: (streamId: number) => readonly number[];
  /** Flags that were changed here before the service knew. */
  readonly setFlag: (ids: readonly number[], flag: string, isSet: boolean) => MessageChanges;

  /**
   * Conversations by their newest message, newest first, at most `limit`: those that the account holds something of, and
   * those of its streams.
   */
  readonly recent: (limit: number, scope: NarrowScope) => readonly ConversationSummary[];
  /** Topic names of a stream, newest first, at most `limit`. */
  readonly topics: (streamId: number, limit: number) => readonly string[];
  /** Of the topics of all streams those that answer what was typed, newest first: the best of them, at most `limit`. */
  readonly findTopics: (query: string, limit: number) => readonly StreamTopic[];
  /** Topics in which something was written of late, newest first, at most `limit`. */
  readonly newestTopics: (limit: number) => readonly StreamTopic[];

  /** Files of the service by their address. */
  readonly findFile: (
    url: string,
  ) => { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> } | null;
  readonly putFile: (url: string, type: string, bytes: Uint8Array<ArrayBuffer>) => void;

  /** @param places  of which `completeSinceSeconds` tells, all together; what the account holds where they are absent */
  readonly size: (
    places?: readonly CoverageScope[],
  ) => Pick<CacheStatus, 'messages' | 'bytes' | 'completeSinceSeconds'>;
  /**
   * Removes files, the least recently used ones first, then the oldest messages, which are no longer covered; a few
   * milliseconds of it. Answers whether it fits now: otherwise there is more to do.
   */
  readonly shrinkTo: (limitBytes: number) => boolean;
  /** Removes everything. */
  readonly clear: () => void;
  /** Gives back the memory of what was read, which is read anew when it is asked for. */
  readonly returnMemory: () => void;
  readonly close: () => void;
}

/** The cache cannot be read or written. */
export class CacheError extends ExplainedError {
  override readonly name = 'CacheError';
  readonly code: 'DISK_FULL' | 'DAMAGED' | 'UNAVAILABLE';

  constructor(code: CacheError['code'], told: string | Explanation, options?: ErrorOptions) {
    super(told, options);
    this.code = code;
  }
}
