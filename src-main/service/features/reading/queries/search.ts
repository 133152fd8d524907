/** What an engine's full-text index has to offer. Text is cut into tokens by operations. */
import type { SearchClause } from '#shared/search/index-tokens.ts';
import type { PersonalMessageRow } from '#service/features/messages/queries/message-rows.ts';
import type { PageSelection } from './narrow-sql.ts';

/** What a message is indexed from. */
export interface IndexableRow {
  readonly id: number;
  readonly recipient_id: number;
  /** Null for a private message, and so is `topic`. */
  readonly topic_id: number | null;
  readonly topic: string | null;
  readonly sender_id: number;
  readonly content: string;
  readonly has_link: 0 | 1;
  readonly has_image: 0 | 1;
  readonly has_attachment: 0 | 1;
}

export interface IndexEntry {
  /** Tokens joined by blanks, in an order in which phrases can be asked for. */
  readonly text: string;
  /** The words as they may be asked for by their beginning. */
  readonly words: Iterable<string>;
}

/** Messages that fulfil every clause of `all`, and of no list in `none` every clause. `all` is not empty. */
export interface SearchExpression {
  readonly all: readonly SearchClause[];
  readonly none: readonly (readonly SearchClause[])[];
}

/** Every message from one id through another is in the index: it is filled from the newest on. */
export interface IndexedRange {
  readonly from: number;
  readonly through: number;
}

export interface HitRequest {
  readonly selection: PageSelection;
  /** What was in the index when the expression was made: of what came later it may not know every word. */
  readonly indexed: IndexedRange;
  /** Null where the index cannot help: then every selected message is a hit to be checked. */
  readonly expression: SearchExpression | null;
  readonly direction: 'older' | 'newer';
  /** Exclusive. */
  readonly from: number;
  /** The smallest id that is of interest. */
  readonly floor: number;
  /** How many hits of the index, or messages that are read, are looked at. */
  readonly limit: number;
  /**
   * How many message ids are gone through where messages are read without the index; with it as many times that as
   * it is quicker. Both up to a bound.
   */
  readonly span: number;
}

export interface Hits {
  /** In the direction of the request; those of the selection only. Whether they are hits is decided by what they say. */
  readonly rows: readonly PersonalMessageRow[];
  /** Where to go on from, or null when there is nothing further. */
  readonly next: number | null;
  /** How many hits the index had. */
  readonly candidates: number;
  /** No message below it was looked for, because the index has not come to them. */
  readonly indexedFrom: number;
}

/** A message that waited to be indexed anew, and how often it had changed when that was done. */
export type PendingVersion = readonly [id: number, version: number];

/** What was done of all that waited. */
export interface IndexedBlock {
  /** What `settleIndexed` has to be told before the next block. */
  readonly settled: readonly PendingVersion[];
  /** Whether there was more to do. */
  readonly isBehind: boolean;
  /** An index of a new form has everything: it is to be adopted, and then to be gone on with. */
  readonly isBuilt?: boolean;
}

export type EntryOf = (row: IndexableRow) => IndexEntry;

/** The index is not what was written into it. Nothing is lost: it can be made anew. */
export class IndexDamaged extends Error {
  override readonly name = 'IndexDamaged';
}

/** Writes the index, one block after the other, beside the thread that answers. */
export interface Indexing {
  /**
   * Brings a block of what waits into the index. What is changed later waits again.
   * @throws IndexDamaged, or another Error where the index cannot be written; the next call starts anew
   */
  readonly index: () => Promise<IndexedBlock>;
  /** Copies the log of the database into its file, as far as it goes. Absent where there is no other thread for it. */
  readonly copyLog?: () => Promise<void>;
  /** Gives back what indexing has needed, until it is asked again. */
  readonly rest: () => Promise<void>;
}

/** Full-text search; each engine does it in a way of its own. */
export interface SearchStore {
  /** Whether messages wait to be indexed. */
  readonly isSearchBehind: () => Promise<boolean>;
  readonly findIndexedRange: () => Promise<IndexedRange>;
  /**
   * A stretch of a search: the hits of the selection among a bounded number of messages. The caller goes on from
   * `next` until it has enough, so that no search holds the thread for long.
   */
  readonly findHits: (request: HitRequest) => Promise<Hits>;
  /** The given messages as far as they are selected, ascending. */
  readonly listSelectedAmong: (
    selection: PageSelection,
    ids: readonly number[],
  ) => Promise<readonly PersonalMessageRow[]>;
  /** Ids of selected messages, the newest first. */
  readonly listSelectedIds: (selection: PageSelection, limit: number) => Promise<readonly number[]>;
  /** No message with a smaller id is held by the account; undefined where it holds none. */
  readonly findSearchFloor: (userId: number) => Promise<number | undefined>;
  /** Words of the index that begin with a folded prefix; undefined where it is of a form that does not know. */
  readonly listSearchWords: (
    prefix: string,
    limit: number,
  ) => Promise<readonly string[] | undefined>;
  /** Recipients in which an account may hold messages; with `isOpen` the public streams too. */
  readonly listSearchScope: (
    userId: number,
    isOpen: boolean,
    limit: number,
  ) => Promise<readonly number[]>;
  /** The topics of a name, in one stream or, for null, in all of them. */
  readonly listTopicIds: (
    topicKey: string,
    recipientId: number | null,
    limit: number,
  ) => Promise<readonly number[]>;
  /** Makes the index anew, with nothing in it. Nobody else may have it open. */
  readonly remakeIndex: () => Promise<void>;
  /** Puts the index of a new form in the place of the old one, which has answered until then. Nobody else may have them open. */
  readonly adoptIndex: () => Promise<void>;
  /** @param mend  asked when a search meets damage: the search is tried once more when it is settled, whatever came of it */
  readonly onIndexDamage: (mend: () => Promise<void>) => void;
  /** What is in the index now as it was in these versions waits no longer; what has changed since does. */
  readonly settleIndexed: (settled: readonly PendingVersion[]) => Promise<void>;
}
