/** Full-text search within a narrow (API decisions 3.4). */
import {
  anyOf,
  beginningsOf,
  prefixTokens,
  queryClauses,
  type SearchClause,
} from '#shared/search/index-tokens.ts';
import { INDEX_ALTERNATIVES } from '#shared/search/limits.ts';
import { recipientToken } from '#shared/search/place-tokens.ts';
import { isWordsOnly, matches, type Search } from '#shared/search/query.ts';
import type {
  Condition,
  HitRequest,
  Hits,
  Page,
  PageCounts,
  PageSelection,
  PersonalMessageRow,
  SearchExpression,
  Store,
} from '#service/db/port.ts';
import { scopeClauses } from '../rules/index-entry.ts';
import { yieldToOthers } from '#service/core/yield-thread.ts';

export interface SearchPage extends Page {
  /** What is older was not searched, because the index has not come to it; null where that is of no concern. */
  readonly indexedFrom: number | null;
}

export interface SearchOperations {
  /**
   * A page around an anchor, as `pageMessages` of the store. While the index has not come to all messages, a page without an older
   * hit waits for one up to a second: whoever asks until there are no more is not to ask without end.
   */
  readonly page: (place: SearchPlace, anchor: number, counts: PageCounts) => Promise<SearchPage>;
  /** The smallest id of at least `fromId` that is found. */
  readonly findFirstId: (place: SearchPlace, fromId: number) => Promise<number | undefined>;
  /** Those of the given messages that are found, ascending; all that are selected where nothing is sought. */
  readonly listFound: (
    selection: PageSelection,
    search: Search | null,
    ids: readonly number[],
  ) => Promise<readonly PersonalMessageRow[]>;
}

export interface SearchPlace {
  readonly selection: PageSelection;
  readonly search: Search;
}

const MIN_BATCH = 8;
const MAX_BATCH = 1000;
/** Where the text of each has to be read. */
const MAX_CHECKED_BATCH = 250;
/** So many are read for themselves where a narrow leaves no more. */
const MAX_AMONG = 1000;
const EVERYTHING = Number.MAX_SAFE_INTEGER;
const FIRST_SPAN = 2 ** 11;
const QUICK_MS = 5;
const SLOW_MS = 15;
/** From here on it is worth asking in which places the account may see anything. */
const MANY_HIDDEN = 50;
/** How often the index is asked again for a page without an older hit. */
const MAX_PAUSES = 6;

/** How one search asks the index. */
interface SearchPlan extends SearchPlace, Pick<HitRequest, 'indexed'> {
  /** Null where no clause would make the index quicker than reading the messages. */
  readonly expression: SearchExpression | null;
  /** No message below it is selected, and none above the ceiling. */
  readonly floor: number;
  readonly ceiling: number;
}

interface Sources {
  readonly store: Store;
  readonly pause: () => Promise<void>;
}

interface CollectedHits extends Pick<SearchPage, 'indexedFrom'> {
  readonly rows: readonly PersonalMessageRow[];
}

interface SearchSide {
  readonly direction: HitRequest['direction'];
  /** Exclusive. */
  readonly from: number;
  readonly limit: number;
}

/** Conditions that few messages fulfil, as a rule. */
const sparse: ReadonlySet<Condition['kind']> = new Set<Condition['kind']>([
  'flag',
  'mentioned',
  'message',
]);

const streamOf = ({ predicates }: PageSelection): number | null => {
  for (const { condition, isNegated } of predicates) {
    if (condition.kind === 'recipient' && !isNegated) return condition.recipientId;
  }
  return null;
};

async function topicIdsOf(
  store: Store,
  selection: PageSelection,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, readonly number[]>();
  for (const { condition, isNegated } of selection.predicates) {
    if (condition.kind !== 'topic' || isNegated) continue;
    const { topicKey } = condition;
    const ids = await store.listTopicIds(topicKey, streamOf(selection), INDEX_ALTERNATIVES + 1);
    if (ids.length <= INDEX_ALTERNATIVES) found.set(topicKey, ids);
  }
  return found;
}

async function prefixClauses(
  store: Store,
  prefixes: readonly string[],
): Promise<readonly SearchClause[]> {
  const clauses: SearchClause[] = [];
  for (const prefix of prefixes) {
    const words = await store.listSearchWords(prefix, INDEX_ALTERNATIVES + 1);
    if (words !== undefined && words.length <= INDEX_ALTERNATIVES)
      clauses.push(anyOf(...prefixTokens(words)));
  }
  return clauses;
}

/** Where the account may see anything, unless the narrow names one place or they are too many. */
async function placeClauses(
  store: Store,
  selection: PageSelection,
): Promise<readonly SearchClause[]> {
  if (streamOf(selection) !== null) return [];
  const { base, userId } = selection;
  const scope = await store.listSearchScope(userId, base === 'open', INDEX_ALTERNATIVES + 1);
  const ids = new Set([...scope, ...(typeof base === 'object' ? base.alsoIn : [])]);
  return ids.size > INDEX_ALTERNATIVES ? [] : [anyOf(...[...ids].map(recipientToken))];
}

/** The oldest unread message, else the oldest that the account holds: both are mostly new, and all of a new account is. */
async function floorOf(store: Store, selection: PageSelection): Promise<number> {
  if (selection.base !== 'held') return 1;
  const isUnread = selection.predicates.some(
    ({ condition, isNegated }) => condition.kind === 'unread' && !isNegated,
  );
  const floor = isUnread
    ? await store.findFirstId(selection)
    : await store.findSearchFloor(selection.userId);
  return floor ?? EVERYTHING;
}

async function planOf(store: Store, place: SearchPlace): Promise<SearchPlan> {
  const { selection, search } = place;
  const { wanted, unwanted } = search;
  const indexed = await store.findIndexedRange();
  const scope = scopeClauses(selection, await topicIdsOf(store, selection));
  const none = [...scope.none, ...unwanted.filter(isWordsOnly).map(queryClauses)];
  const prefixed = await prefixClauses(store, beginningsOf(wanted));
  const clauses = [...queryClauses(wanted), ...prefixed, ...scope.all];
  // The index cannot leave out unless it also knows from what.
  const isOnlyNegative = clauses.length === 0 && none.length > 0;
  const bounds = await store.findIdBounds(selection);
  const all = isOnlyNegative ? await placeClauses(store, selection) : clauses;
  return {
    ...place,
    indexed,
    expression: all.length === 0 ? null : { all, none },
    floor: Math.max(await floorOf(store, selection), bounds?.low ?? 0),
    ceiling: bounds?.high ?? EVERYTHING,
  };
}

/** As many hits as can be read without holding the thread for long, on a disk that has to look for them too. */
function nextBatch(batch: number, tookMs: number, maxBatch: number): number {
  if (tookMs < QUICK_MS) return Math.min(batch * 2, maxBatch);
  return tookMs > SLOW_MS ? Math.max(Math.ceil(batch / 4), MIN_BATCH) : batch;
}

function nextSpan(span: number, tookMs: number): number {
  if (tookMs < QUICK_MS) return Math.min(span * 4, EVERYTHING);
  return tookMs > SLOW_MS ? Math.max(Math.ceil(span / 4), FIRST_SPAN) : span;
}

/** Where to go on from; null where nothing further is selected. */
const furtherOf = (
  { next }: Pick<Hits, 'next'>,
  direction: SearchSide['direction'],
  { ceiling }: SearchPlan,
): number | null => (direction === 'newer' && next !== null && next >= ceiling ? null : next);

/** Also what the account sees otherwise than the index has it. */
async function collect(store: Store, plan: SearchPlan, side: SearchSide): Promise<CollectedHits> {
  const collected = await collectIndexed(store, plan, side);
  const { selection, search } = plan;
  if (selection.hasVisibleRevisions !== true) return collected;
  const { direction, from, limit } = side;
  const isOlder = direction === 'older';
  const kept = (await store.listVisibleRevisions(selection)).filter(
    (row) => (isOlder ? row.id < from : row.id > from) && matches(row.topic, row.content, search),
  );
  const rows = [...collected.rows, ...kept].sort((a, b) => (isOlder ? b.id - a.id : a.id - b.id));
  return { ...collected, rows: rows.slice(0, limit) };
}

/** The index knows nothing of a message that the account sees otherwise than it is now. */
const isHitOf = ({ search }: SearchPlan, row: PersonalMessageRow): boolean =>
  row.kept_edit_id === null && matches(row.topic, row.content, search);

async function collectIndexed(
  store: Store,
  plan: SearchPlan,
  { direction, from, limit }: SearchSide,
): Promise<CollectedHits> {
  const { selection, search, floor, indexed } = plan;
  // Of words alone the index offers hardly anything that is no hit.
  const maxBatch = isWordsOnly(search.wanted) ? MAX_BATCH : MAX_CHECKED_BATCH;
  const found: PersonalMessageRow[] = [];
  let { expression } = plan;
  let isScoped = false;
  let span = FIRST_SPAN;
  let batch = Math.min(Math.max(limit, MIN_BATCH), maxBatch);
  let next = from;
  for (;;) {
    const startedAt = performance.now();
    const hits = await store.findHits({
      selection,
      indexed,
      expression,
      direction,
      from: next,
      floor,
      limit: batch,
      span,
    });
    found.push(...hits.rows.filter((row) => isHitOf(plan, row)));
    const further = furtherOf(hits, direction, plan);
    if (found.length >= limit || further === null) {
      const { indexedFrom } = hits;
      return { rows: found.slice(0, limit), indexedFrom: indexedFrom > floor ? indexedFrom : null };
    }
    next = further;
    const tookMs = performance.now() - startedAt;
    span = nextSpan(span, tookMs);
    batch = nextBatch(batch, tookMs, maxBatch);
    const hidden = hits.candidates - hits.rows.length;
    if (!isScoped && expression !== null && hidden > MANY_HIDDEN) {
      isScoped = true;
      const places = await placeClauses(store, selection);
      expression = { ...expression, all: [...expression.all, ...places] };
    }
    await yieldToOthers();
  }
}

/** Those of the given messages that are found, in the same order; all that are selected where nothing is sought. */
async function foundAmong(
  store: Store,
  selection: PageSelection,
  search: Search | null,
  ids: readonly number[],
): Promise<readonly PersonalMessageRow[]> {
  const found: PersonalMessageRow[] = [];
  for (let at = 0; at < ids.length; at += MAX_CHECKED_BATCH) {
    if (at > 0) await yieldToOthers();
    const some = ids.slice(at, at + MAX_CHECKED_BATCH);
    for (const row of await store.listSelectedAmong(selection, some)) {
      if (search === null || matches(row.topic, row.content, search)) found.push(row);
    }
  }
  return found;
}

const isAmong = (
  { predicates }: PageSelection,
  isKind: (kind: Condition['kind']) => boolean,
): boolean => predicates.some(({ condition, isNegated }) => !isNegated && isKind(condition.kind));

/** All that is found, ascending, where the narrow alone leaves few messages; undefined where it leaves many. */
async function findAmongFew(
  store: Store,
  { selection, search }: SearchPlace,
): Promise<readonly PersonalMessageRow[] | undefined> {
  if (isAmong(selection, (kind) => sparse.has(kind))) {
    const ids = await store.listSelectedIds(selection, MAX_AMONG + 1);
    if (ids.length <= MAX_AMONG) return foundAmong(store, selection, search, ids.toReversed());
  } else if (isAmong(selection, (kind) => kind === 'unread')) {
    const rows = await store.listSelected(selection, MAX_CHECKED_BATCH + 1);
    if (rows.length > MAX_CHECKED_BATCH) return undefined;
    return rows.filter((row) => matches(row.topic, row.content, search)).reverse();
  }
  return undefined;
}

function pageAmong(
  rows: readonly PersonalMessageRow[],
  anchor: number,
  { before, after }: PageCounts,
): SearchPage {
  const older = rows.filter(({ id }) => id < anchor);
  const exact = rows.filter(({ id }) => id === anchor);
  const newer = rows.filter(({ id }) => id > anchor);
  return {
    rows: [...older.slice(Math.max(0, older.length - before)), ...exact, ...newer.slice(0, after)],
    hasAnchor: exact.length > 0,
    hasOlder: older.length > before,
    hasNewer: newer.length > after,
    indexedFrom: null,
  };
}

/** Once more after a while, and again, where there is no hit and the index has not come to all messages. */
async function collectOlder(
  { store, pause }: Sources,
  plan: SearchPlan,
  [from, { before, isPassing }]: readonly [number, PageCounts],
): Promise<CollectedHits> {
  const limit = before + 1;
  let older = await collect(store, plan, { direction: 'older', from, limit });
  if (before === 0 || isPassing === true) return older;
  for (let pauses = 0; pauses < MAX_PAUSES; pauses += 1) {
    const { indexedFrom, rows } = older;
    if (indexedFrom === null || rows.length > 0) break;
    await pause();
    // Anew, for what was indexed meanwhile has other words.
    older = await collect(store, await planOf(store, plan), {
      direction: 'older',
      from: Math.min(from, indexedFrom),
      limit,
    });
  }
  return older;
}

/** @param pause  waits for a tenth of a second */
export function searchOperations(store: Store, pause: Sources['pause']): SearchOperations {
  return {
    listFound: (...asked) => foundAmong(store, ...asked),
    async page(place, anchor, counts) {
      const few = await findAmongFew(store, place);
      if (few !== undefined) return pageAmong(few, anchor, counts);
      const plan = await planOf(store, place);
      const { before, after } = counts;
      const from = Math.min(anchor, EVERYTHING);
      const below = Math.min(from, plan.ceiling + 1);
      const { rows: older, indexedFrom } = await collectOlder({ store, pause }, plan, [
        below,
        counts,
      ]);
      const hasOlder = older.length > before;
      if (from === EVERYTHING) {
        const rows = older.slice(0, before).reverse();
        return { rows, hasAnchor: false, hasOlder, hasNewer: false, indexedFrom };
      }
      const exact = await foundAmong(store, place.selection, place.search, [from]);
      const { rows: newer } = await collect(store, plan, {
        direction: 'newer',
        from,
        limit: after + 1,
      });
      return {
        rows: [...older.slice(0, before).reverse(), ...exact, ...newer.slice(0, after)],
        hasAnchor: exact.length > 0,
        hasOlder,
        hasNewer: newer.length > after,
        indexedFrom,
      };
    },
    async findFirstId(place, fromId) {
      const few = await findAmongFew(store, place);
      if (few !== undefined) return few.find(({ id }) => id >= fromId)?.id;
      const plan = await planOf(store, place);
      const side: SearchSide = { direction: 'newer', from: fromId - 1, limit: 1 };
      return (await collect(store, plan, side)).rows[0]?.id;
    },
  };
}
