/** A page of GET /messages, answered from what is kept (API decisions 4). */
import { PAGE_MESSAGES } from '#shared/api/bounds.ts';
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import { badRequest } from '#shared/api/errors.ts';
import { rankedOperands } from '#shared/search/narrow-terms.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';
import { createHighlighter, matchFields } from '#shared/search/highlight.ts';
import { byRelevance, createScorer, RANKED_HITS } from '#shared/search/rank.ts';
import { FOREVER } from './coverage.ts';
import {
  type FindLeftStream,
  type Predicate,
  type ResolvedNarrow,
  resolveNarrow,
  type Selection,
} from './narrow.ts';
import { unreadSelection } from '#shared/search/narrow.ts';
import type { NarrowScope } from './narrow-scope.ts';
import type { CachedPage, PageQuery, CoverageScope } from './port.ts';

export interface SearchedText {
  readonly id: number;
  /** Null for a private message. */
  readonly topic: string | null;
  readonly text: string;
}

/** What is kept, as far as a page asks for it. */
export interface PageSource {
  readonly findLeftStream: FindLeftStream;
  /** Selected ids below one, descending. */
  readonly older: (narrow: ResolvedNarrow, belowId: number, limit: number) => readonly number[];
  /** Selected ids above one, ascending. */
  readonly newer: (narrow: ResolvedNarrow, aboveId: number, limit: number) => readonly number[];
  readonly isSelected: (narrow: ResolvedNarrow, id: number) => boolean;
  readonly isKept: (id: number) => boolean;
  /** In the order of the ids. */
  readonly load: (ids: readonly number[]) => readonly Message[];
  /** From where on a search has looked until now; null where it has looked at everything. */
  readonly indexedFrom: () => number | null;
  /** What a search looks at, in any order. */
  readonly texts: (ids: readonly number[]) => readonly SearchedText[];
  readonly isCovered: (place: CoverageScope, fromId: number, throughId: number) => boolean;
  /** Whether a message between them waits to be fetched. */
  readonly hasStale: (fromId: number, throughId: number) => boolean;
}

interface PageRequest {
  readonly source: PageSource;
  readonly scope: NarrowScope;
}

const isPlacedPrivately = ({ condition, isNegated }: Predicate): boolean =>
  !isNegated && ['private', 'conversation', 'group-with'].includes(condition.kind);

const streamPlace = (streamId: number): CoverageScope => ({ kind: 'stream', streamId });

/** Lists of places, each of which has everything that may be selected. */
function placesOf(
  { base, predicates }: Selection,
  scope: NarrowScope,
): readonly (readonly CoverageScope[])[] {
  const lists: (readonly CoverageScope[])[] = [];
  if (base === 'held') lists.push([{ kind: 'held' }]);
  else if (base !== 'open') lists.push([{ kind: 'held' }, ...base.alsoIn.map(streamPlace)]);
  for (const { condition, isNegated } of predicates) {
    if (isNegated) continue;
    if (condition.kind === 'stream') lists.push([streamPlace(condition.streamId)]);
    if (condition.kind === 'public-streams') {
      const isPublic = scope.streams.filter(({ isPrivate }) => !isPrivate);
      lists.push(isPublic.map(({ streamId }) => streamPlace(streamId)));
    }
  }
  if (base !== 'open' && predicates.some(isPlacedPrivately)) lists.push([{ kind: 'private' }]);
  return lists;
}

/** Whether everything that is selected from one id through another is kept, and known as it is. */
function isKnown({ source, scope }: PageRequest, selection: Selection, range: Interval): boolean {
  let [from, through] = range;
  for (const { condition, isNegated } of selection.predicates) {
    if (condition.kind !== 'message' || isNegated) continue;
    from = Math.max(from, condition.id);
    through = Math.min(through, condition.id);
  }
  if (from > through) return true;
  if (source.hasStale(from, through)) return false;
  if (from === through && source.isKept(from)) return true;
  // Nobody tells what is new in a stream that the account does not follow.
  const isTold = (place: CoverageScope): boolean =>
    place.kind !== 'stream' || scope.findStream(place.streamId)?.isSubscribed === true;
  return placesOf(selection, scope).some((places) =>
    places.every((place) => isTold(place) && source.isCovered(place, from, through)),
  );
}

/** The same without streams that the account is not subscribed to, where it reaches for them. */
function ownOf(narrow: ResolvedNarrow, { streams }: NarrowScope): ResolvedNarrow {
  const { base } = narrow;
  if (typeof base !== 'object') return narrow;
  const own = new Set(
    streams.filter(({ isSubscribed }) => isSubscribed).map(({ streamId }) => streamId),
  );
  return { ...narrow, base: { alsoIn: base.alsoIn.filter((streamId) => own.has(streamId)) } };
}

type Interval = readonly [from: number, through: number];

interface Anchor {
  readonly anchor: number;
  readonly isUnreadMissing: boolean;
  readonly isKnown: boolean;
}

function firstUnread(
  asked: PageRequest,
  narrow: ResolvedNarrow,
  terms: readonly NarrowTerm[],
): Anchor {
  const { source, scope } = asked;
  const selection = unreadSelection(narrow, terms);
  const floor = scope.oldestUnreadId;
  // Most of a stream was read long ago: nothing of that is gone through.
  const start = floor ?? 0;
  const [id] = floor === null ? [] : source.newer(selection, start - 1, 1);
  const range: Interval = [start, id === undefined ? FOREVER : id - 1];
  return {
    anchor: id ?? NEWEST_ANCHOR,
    isUnreadMissing: id === undefined,
    isKnown: floor === null || isKnown(asked, selection, range),
  };
}

function anchorOf(asked: PageRequest, narrow: ResolvedNarrow, query: PageQuery): Anchor {
  if (query.anchor === 'first-unread') return firstUnread(asked, narrow, query.narrow);
  const given = query.anchor === 'newest' ? NEWEST_ANCHOR : query.anchor;
  const anchor = given >= 2 ** 53 ? NEWEST_ANCHOR : Math.max(0, given);
  return { anchor, isUnreadMissing: false, isKnown: true };
}

function withMatches(messages: readonly Message[], { search }: ResolvedNarrow): readonly Message[] {
  if (search === null) return messages;
  const highlighter = createHighlighter(search.wanted);
  return messages.map((message) => {
    const topic = message.type === 'stream' ? message.subject : null;
    return { ...message, ...matchFields({ rendered: message.content, topic }, highlighter) };
  });
}

/** The ids on one side of the anchor, the nearest first, with one more where there is one. */
interface Side {
  readonly ids: readonly number[];
  readonly count: number;
}

interface Counts {
  readonly before: number;
  readonly after: number;
}

/** The id through which the side has to be known; `end` where it has fewer than were asked for. */
const reachOf = ({ ids, count }: Side, anchor: number, end: number): number =>
  count === 0 ? anchor : (ids[count - 1] ?? end);

/** The ids around an anchor, and from which to which nothing may be missing for them to be right. */
interface PageBounds {
  readonly older: Side;
  readonly newer: Side;
  readonly hasAnchor: boolean;
  readonly range: Interval;
}

function around(
  asked: PageRequest,
  narrow: ResolvedNarrow,
  anchor: number,
  counts: Counts,
): PageBounds {
  const { source } = asked;
  const isNewest = anchor >= NEWEST_ANCHOR;
  const at = Math.min(anchor, FOREVER);
  const older = { ids: source.older(narrow, at, counts.before + 1), count: counts.before };
  const newer = isNewest
    ? { ids: [], count: 0 }
    : { ids: source.newer(narrow, at, counts.after + 1), count: counts.after };
  return {
    older,
    newer,
    hasAnchor: !isNewest && source.isSelected(narrow, at),
    range: [reachOf(older, at, 0), isNewest ? FOREVER : reachOf(newer, at, FOREVER)],
  };
}

const hasMore = ({ ids, count }: Side): boolean => ids.length > count;

function checkCounts({ numBefore, numAfter }: PageQuery): void {
  if (numBefore + numAfter <= PAGE_MESSAGES) return;
  throw badRequest(
    `Too many messages requested (limit: ${String(PAGE_MESSAGES)} in num_before and num_after together)`,
  );
}

function inOrder(messages: readonly Message[], ids: readonly number[]): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const isSearched = ({ indexedFrom }: PageSource): boolean => indexedFrom() === null;

function indexedKey({ indexedFrom }: PageSource): Pick<CachedPage, 'indexed_from'> {
  const from = indexedFrom();
  return from === null ? {} : { indexed_from: from };
}

/** The best of the newest hits first, as the service ranks them. */
function answerRanked(asked: PageRequest, narrow: ResolvedNarrow, query: PageQuery): CachedPage {
  const { source } = asked;
  const { anchor, numAfter, numBefore } = query;
  const isNewest = anchor === 'newest' || (typeof anchor === 'number' && anchor >= 2 ** 53);
  const scoreOf = createScorer(rankedOperands(query.narrow, { isNewest, numAfter }));
  const hits = source.older(narrow, FOREVER, RANKED_HITS + 1);
  const isMore = hits.length > RANKED_HITS;
  const ranked = source
    .texts(hits.slice(0, RANKED_HITS))
    .map(({ id, topic, text }) => ({ id, score: scoreOf(topic, text) }))
    .sort(byRelevance)
    .map(({ id }) => id);
  const ids = ranked.slice(0, numBefore);
  const from = isMore ? (hits[RANKED_HITS - 1] ?? 0) : 0;
  const range: Interval = [from, FOREVER];
  const isComplete = isKnown(asked, narrow, range);
  return {
    anchor: NEWEST_ANCHOR,
    found_anchor: false,
    found_oldest: isComplete && !isMore && ranked.length <= numBefore && isSearched(source),
    found_newest: true,
    ...indexedKey(source),
    messages: withMatches(inOrder(source.load(ids), ids), narrow),
    isComplete,
    isOwnComplete: isComplete || isKnown(asked, ownOf(narrow, asked.scope), range),
  };
}

/** @throws BAD_NARROW, BAD_REQUEST */
export function readPage(source: PageSource, query: PageQuery, scope: NarrowScope): CachedPage {
  checkCounts(query);
  const asked = { source, scope };
  const narrow = resolveNarrow(query, scope, source.findLeftStream);
  if (query.order === 'relevance') return answerRanked(asked, narrow, query);
  const { anchor, isUnreadMissing, isKnown: isAnchorKnown } = anchorOf(asked, narrow, query);
  const counts = { before: query.numBefore, after: isUnreadMissing ? 0 : query.numAfter };
  const found = around(asked, narrow, anchor, counts);
  const { older, newer, hasAnchor } = found;
  const [low, high] = found.range;
  const ids = [
    ...older.ids.slice(0, older.count).reverse(),
    ...(hasAnchor ? [anchor] : []),
    ...newer.ids.slice(0, newer.count),
  ];
  const isOldest = !hasMore(older) && isKnown(asked, narrow, [0, low - 1]);
  const isNewest = !hasMore(newer) && isKnown(asked, narrow, [high + 1, FOREVER]);
  const isComplete = isAnchorKnown && isKnown(asked, narrow, [low, high]);
  return {
    anchor,
    found_anchor: hasAnchor,
    found_oldest: (anchor === 0 || isOldest) && isSearched(source),
    found_newest: anchor >= NEWEST_ANCHOR || isNewest,
    ...indexedKey(source),
    messages: withMatches(source.load(ids), narrow),
    isComplete,
    isOwnComplete:
      isComplete || (isAnchorKnown && isKnown(asked, ownOf(narrow, scope), [low, high])),
  };
}
