/** Searches in the full-text index, which is SQLite's FTS5 in a file of its own (`search-file.ts`). */
import {
  completePersonal,
  MAX_CACHED_ROWS,
  personalFor,
  type PersonalRead,
  selectPersonal,
} from '#service/features/messages/queries/personal-rows.ts';
import type { PersonalMessageRow } from '#service/features/messages/queries/message-rows.ts';
import { INDEX_FORM, type SearchClause } from '#shared/search/index-tokens.ts';
import { findOne, cached, list, listColumn, type Operation, run } from '../operation.ts';
import type {
  HitRequest,
  Hits,
  IndexedRange,
  PendingVersion,
  SearchExpression,
  SearchStore,
} from '#service/features/reading/queries/search.ts';
import {
  type PageSelection,
  type Where,
  whereOf,
} from '#service/features/reading/queries/narrow-sql.ts';
import { INDEXED_RANGE } from './search-file.ts';
import { type Bounds, quickPart, type Window, windowOf, within } from './search-window.ts';

// The form of the index: a function of the connection (`search-file.ts`).
const IS_OLD = `index_form() < ${String(INDEX_FORM)}`;
const FORM = 'SELECT index_form() AS form';
const BOUNDS = `SELECT index_form() AS form,
  indexed_from AS "from", indexed_through AS through, COALESCE((SELECT MAX(id) FROM message), 0) AS newest,
  (SELECT MAX(message_id) FROM search_pending) AS pending FROM search_progress`;
const IS_BEHIND = `SELECT (SELECT COALESCE(MAX(id), 0) FROM message) > indexed_through OR indexed_from > 1
  OR EXISTS (SELECT 1 FROM search_pending) OR ${IS_OLD} AS is_behind FROM search_progress`;
const SETTLE = `DELETE FROM search_pending WHERE (message_id, version) IN
  (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:settled))`;
const WORDS = `SELECT word FROM search_word WHERE word >= :prefix AND word < :end ORDER BY word LIMIT :limit`;
const SCOPE = `SELECT recipient_id AS id FROM membership WHERE account_id = :userId
  UNION SELECT m.recipient_id FROM message_flag f JOIN message m ON m.id = f.message_id
    WHERE f.account_id = :userId AND f.flag = 'historical'
  UNION SELECT recipient_id FROM stream WHERE :isOpen = 1 AND is_private = 0 AND is_archived = 0
  LIMIT :limit`;
const FIRST_HELD = 'SELECT MIN(from_id) + 1 AS id FROM membership WHERE account_id = :userId';
const FIRST_GIVEN = `SELECT MIN(message_id) AS id FROM message_flag
  WHERE account_id = :userId AND flag = 'historical'`;
const nothingIndexed: IndexedRange = { from: 1, through: 0 };
const noBounds: Bounds = { ...nothingIndexed, newest: 0, pending: null, form: INDEX_FORM };
const TOPICS = 'SELECT id FROM topic WHERE name_key = :topicKey LIMIT :limit';
const TOPICS_OF_STREAM = `SELECT id FROM topic
  WHERE recipient_id = :recipientId AND name_key = :topicKey LIMIT :limit`;

const quote = (token: string): string => `"${token.replaceAll('"', '""')}"`;

function clauseText({ kind, tokens }: SearchClause): string {
  if (kind === 'phrase') return quote(tokens.join(' '));
  if (kind === 'beginning') return `${quote(tokens.join(' '))} *`;
  return `(${tokens.map(quote).join(' OR ')})`;
}

const allText = (clauses: readonly SearchClause[]): string => clauses.map(clauseText).join(' AND ');

/** Every token is a quoted string: nothing in it is an operator. One NOT for all: the index limits how deep they nest. */
function matchText({ all, none }: SearchExpression): string {
  const wanted = `(${allText(all)})`;
  if (none.length === 0) return wanted;
  return `${wanted} NOT (${none.map((clauses) => `(${allText(clauses)})`).join(' OR ')})`;
}

/** The form that brought the words of now. */
const FIRST_OF_WORDS = 2;

/** What an index of a form knows of: the first one only of words in plain letters and of places, the second of no symbols. */
const isKnownIn =
  (form: number) =>
  ({ tokens }: SearchClause): boolean => {
    if (form >= INDEX_FORM) return true;
    const pattern = form < FIRST_OF_WORDS ? /^(?:[a-z\d]+|\ue000[^x].*)$/ : /^(?!\ue000x)/;
    return tokens.every((token) => pattern.test(token));
  };

/** What of an expression an index knows that may be of an older form: it may offer more. */
function knownPart({ all, none }: SearchExpression, form: number): SearchExpression | null {
  const isKnown = isKnownIn(form);
  const known = all.filter(isKnown);
  return known.length === 0
    ? null
    : { all: known, none: none.filter((clauses) => clauses.every(isKnown)) };
}

const orderOf = ({ direction }: HitRequest): 'ASC' | 'DESC' =>
  direction === 'older' ? 'DESC' : 'ASC';

/** @param rest  what follows the narrow in the statement: a condition of `message m` and its order */
function* selectRows(
  read: PersonalRead,
  where: Where,
  rest: string,
  values: Readonly<Record<string, string | number>>,
): Operation<readonly PersonalMessageRow[]> {
  const rows = yield* selectPersonal(read, `WHERE ${where.sql} AND ${rest}`, {
    ...where.values,
    ...values,
  });
  return yield* completePersonal(read, rows);
}

/**
 * Rows of some ids, in their order. Whether the account was there is read with what else is its own: asked for here, it would
 * take as long as the index.
 */
function* rowsAmong(
  selection: PageSelection,
  ids: readonly number[],
  order: 'ASC' | 'DESC',
): Operation<readonly PersonalMessageRow[]> {
  const read = yield* personalFor(selection.userId, ids.length <= MAX_CACHED_ROWS);
  const isOfHeld = selection.base === 'held';
  let rows: readonly PersonalMessageRow[];
  if (isOfHeld && selection.predicates.length === 0 && read.known !== undefined) {
    const sorted = [...new Set(ids)].sort((a, b) => (order === 'ASC' ? a - b : b - a));
    const selected = sorted.map((id) => ({ id }));
    rows = yield* completePersonal(read, selected);
  } else {
    rows = yield* selectRows(
      read,
      whereOf(isOfHeld ? { ...selection, base: 'open' } : selection, true),
      `m.id IN (SELECT value FROM json_each(:ids)) ORDER BY m.id ${order}`,
      { ids: JSON.stringify(ids) },
    );
  }
  return isOfHeld ? rows.filter((row) => row.is_held === 1) : rows;
}

/** The window without what lies beyond the last id that a limited statement answered. */
function cutWindow(window: Window, request: HitRequest, ids: readonly number[]): Window {
  const last = ids.length < request.limit ? undefined : ids.at(-1);
  if (last === undefined) return window;
  return request.direction === 'older' ? { ...window, low: last } : { ...window, high: last };
}

function nextOf(window: Window, request: HitRequest, { newest }: Bounds): number | null {
  if (request.direction === 'older') return window.low <= request.floor ? null : window.low;
  return window.high >= newest ? null : window.high;
}

function* listIds(
  sql: string,
  window: Window,
  request: HitRequest,
  values: Readonly<Record<string, string>>,
): Operation<readonly number[]> {
  const { low, high } = window;
  return yield* listColumn<number>(`${sql} ORDER BY 1 ${orderOf(request)} LIMIT :limit`, {
    low,
    high,
    limit: request.limit,
    ...values,
  });
}

// The casts matter: the index ignores a bound that is not an integer, and goes through everything.
const HITS = `SELECT rowid AS id FROM search_index WHERE search_index MATCH :match
  AND rowid >= CAST(:low AS INTEGER) AND rowid <= CAST(:high AS INTEGER)`;
const CHANGED = `SELECT message_id AS id FROM search_pending
  WHERE message_id >= :low AND message_id <= :high`;

function* findIndexed(
  request: HitRequest,
  expression: SearchExpression,
  window: Window,
  bounds: Bounds,
): Operation<Hits> {
  const match = matchText(window.isKept ? within(window, expression) : expression);
  const hits = yield* listIds(HITS, window, request, { match });
  const covered = cutWindow(window, request, hits);
  // Hardly ever does one wait, and the bounds told of it.
  const isWaiting = bounds.pending !== null && bounds.pending >= covered.low;
  const changed = isWaiting ? yield* listIds(CHANGED, covered, request, {}) : [];
  const { low, high } = cutWindow(covered, request, changed);
  const ids = [...hits.filter((id) => id >= low && id <= high), ...changed];
  return {
    rows: yield* rowsAmong(request.selection, ids, orderOf(request)),
    next: nextOf({ ...window, low, high }, request, bounds),
    candidates: ids.length,
    indexedFrom: bounds.from,
  };
}

function* findUnindexed(request: HitRequest, window: Window, bounds: Bounds): Operation<Hits> {
  const { low, high } = window;
  const { selection, limit } = request;
  const rows = yield* selectRows(
    yield* personalFor(selection.userId, limit <= MAX_CACHED_ROWS),
    whereOf(selection),
    `m.id >= :low AND m.id <= :high ORDER BY m.id ${orderOf(request)} LIMIT :limit`,
    { low, high, limit },
  );
  const ids = rows.map(({ id }) => id);
  return {
    rows,
    next: nextOf(cutWindow(window, request, ids), request, bounds),
    candidates: ids.length,
    indexedFrom: request.expression === null ? 1 : bounds.from,
  };
}

/** What both have, of what the index has now and had when the search began: it may have been made anew. */
const inBoth = (bounds: Bounds, { from, through }: IndexedRange): Bounds => ({
  ...bounds,
  from: Math.max(bounds.from, from),
  through: Math.min(bounds.through, through),
});

/** What is done with the file, and no operation. */
type SearchMending = Pick<SearchStore, 'remakeIndex' | 'adoptIndex' | 'onIndexDamage'>;

type SearchReads = {
  readonly [K in Exclude<keyof SearchStore, keyof SearchWrites | keyof SearchMending>]: (
    ...values: Parameters<SearchStore[K]>
  ) => Operation<Awaited<ReturnType<SearchStore[K]>>>;
};

export const searchReads: SearchReads = {
  *isSearchBehind(): Operation<boolean> {
    return (yield* findOne<{ is_behind: number }>(IS_BEHIND))?.is_behind === 1;
  },
  *findIndexedRange(): Operation<IndexedRange> {
    return (yield* findOne<IndexedRange>(INDEXED_RANGE)) ?? nothingIndexed;
  },
  *findHits(asked: HitRequest): Operation<Hits> {
    const now = (yield* findOne<Bounds>(BOUNDS)) ?? noBounds;
    const bounds = inBoth(now, asked.indexed);
    const known = asked.expression === null ? null : knownPart(asked.expression, bounds.form);
    const expression = known === null ? null : yield* quickPart(known);
    const indexedFrom = expression === null ? 1 : bounds.from;
    const request = { ...asked, expression, floor: Math.max(asked.floor, indexedFrom) };
    const window = yield* windowOf(request, bounds);
    if (window.low > window.high) return { rows: [], next: null, candidates: 0, indexedFrom };
    return request.expression !== null && window.isIndexed
      ? yield* findIndexed(request, request.expression, window, bounds)
      : yield* findUnindexed(request, window, bounds);
  },
  *listSelectedAmong(
    selection: PageSelection,
    ids: readonly number[],
  ): Operation<readonly PersonalMessageRow[]> {
    return yield* rowsAmong(selection, ids, 'ASC');
  },
  *listSelectedIds(selection: PageSelection, limit: number): Operation<readonly number[]> {
    const where = whereOf(selection);
    return yield* listColumn<number>(
      `SELECT m.id FROM message m WHERE ${where.sql} ORDER BY m.id DESC LIMIT :limit`,
      { ...where.values, limit },
    );
  },
  *findSearchFloor(userId: number): Operation<number | undefined> {
    const held = yield* cached('directory', `first held ${String(userId)}`, () =>
      findOne<{ id: number | null }>(FIRST_HELD, { userId }),
    );
    const given = yield* findOne<{ id: number | null }>(FIRST_GIVEN, { userId });
    const first = Math.min(held?.id ?? Infinity, given?.id ?? Infinity);
    return first === Infinity ? undefined : first;
  },
  *listSearchWords(prefix: string, limit: number): Operation<readonly string[] | undefined> {
    const isPlain = /^[a-z\d]+$/.test(prefix);
    if (!isPlain && ((yield* findOne<{ form: number }>(FORM))?.form ?? INDEX_FORM) < FIRST_OF_WORDS)
      return undefined;
    const end = `${prefix}\u{10ffff}`;
    return (yield* list<{ word: string }>(WORDS, { prefix, end, limit })).map(({ word }) => word);
  },
  *listSearchScope(userId: number, isOpen: boolean, limit: number): Operation<readonly number[]> {
    const rows = yield* list<{ id: number }>(SCOPE, { userId, isOpen: Number(isOpen), limit });
    return rows.map(({ id }) => id);
  },
  *listTopicIds(
    topicKey: string,
    recipientId: number | null,
    limit: number,
  ): Operation<readonly number[]> {
    const rows =
      recipientId === null
        ? yield* list<{ id: number }>(TOPICS, { topicKey, limit })
        : yield* list<{ id: number }>(TOPICS_OF_STREAM, { topicKey, recipientId, limit });
    return rows.map(({ id }) => id);
  },
};

type SearchWrites = {
  readonly [K in 'settleIndexed']: (
    ...values: Parameters<SearchStore[K]>
  ) => Operation<Awaited<ReturnType<SearchStore[K]>>>;
};

export const searchWrites: SearchWrites = {
  *settleIndexed(settled: readonly PendingVersion[]): Operation<void> {
    yield* run(SETTLE, { settled: JSON.stringify(settled) });
  },
};
