/** Which message ids a call of the full-text index goes through, so that it never holds the thread for long. */
import { findOne, type Operation } from '../operation.ts';
import { endOf, INDEX_PAGES, MAX_BEGINNING_PAGES } from '#shared/search/index-pages.ts';
import type { SearchClause } from '#shared/search/index-tokens.ts';
import type {
  HitRequest,
  IndexedRange,
  IndexEntry,
  SearchExpression,
} from '#service/features/reading/queries/search.ts';

const OLDER = 'SELECT MAX(id) AS id FROM message WHERE id <= :id';
const NEWER = 'SELECT MIN(id) AS id FROM message WHERE id >= :id';
/** Ids that share a token, which keeps the index within a stretch of them: it does not stop at a bound by itself. */
const BLOCK = 2 ** 14;
/** Opens the token of a block: no other token has this character. */
const BLOCK_MARK = '\ue001';
/** How much further the index goes than reading does in the same time. */
const REACH_OF_SPAN = 32;
/** So much takes a fraction of what the thread may be held, also for words that every message has. */
const MAX_REACH = 2 ** 18;
const MAX_READ = 2 ** 14;
/** Pages of the rarest clause by tokens: below it the index is done in a fraction of that time with everything. */
const MAX_LIGHT = 600;
/** Alternatives of a clause of which it is worth knowing how many messages they have. */
const MAX_ESTIMATED = 8;
/** With more tokens each step of the index takes longer. */
const EASY_TOKENS = 64;

const blockOf = (id: number): number => Math.floor(id / BLOCK);
const blockToken = (block: number): string => `${BLOCK_MARK}${String(block)}`;

/** What the index is given for a message. */
export const entryText = (id: number, { text }: IndexEntry): string =>
  `${blockToken(blockOf(id))} ${text}`;

/** Whether the index may have to go through many messages to find the next one that fulfils it. */
const isSearching = ({ all, none }: SearchExpression): boolean =>
  all.length + none.length > 1 || all.some(({ kind }) => kind === 'phrase');

const countTokens = ({ all, none }: SearchExpression): number =>
  [...all, ...none.flat()].reduce((sum, { tokens }) => sum + tokens.length, 0);

/** About how many pages the index has of a token: at least one for every 1,400 messages that have it. */
function* countPages({ kind }: SearchClause, token: string): Operation<number> {
  const end = kind === 'beginning' ? endOf(token) : token;
  return (yield* findOne<{ pages: number }>(INDEX_PAGES, { token, end }))?.pages ?? 0;
}

/** Without beginnings that the index is slow to find; null where nothing is left to be asked for. */
export function* quickPart({ all, none }: SearchExpression): Operation<SearchExpression | null> {
  const quick: SearchClause[] = [];
  for (const clause of all) {
    const [token = ''] = clause.tokens;
    const isSlow =
      clause.kind === 'beginning' && (yield* countPages(clause, token)) > MAX_BEGINNING_PAGES;
    if (!isSlow) quick.push(clause);
  }
  return quick.length === 0 ? null : { all: quick, none };
}

/**
 * Whether the index may hold the thread for long where it is not kept within a stretch of ids. It does not where there are few
 * pages of one clause: the others are only asked about the messages that fulfil that one.
 */
function* isHeavy(expression: SearchExpression): Operation<boolean> {
  if (!isSearching(expression)) return false;
  const most = MAX_LIGHT / countTokens(expression) - 1;
  for (const clause of expression.all) {
    const { kind, tokens } = clause;
    if (kind === 'any' && tokens.length > MAX_ESTIMATED) continue;
    const pages: number[] = [];
    for (const token of tokens) pages.push(yield* countPages(clause, token));
    const total = kind === 'any' ? pages.reduce((a, b) => a + b, 0) : Math.min(...pages);
    if (total <= most) return false;
  }
  return true;
}

function reachOf(expression: SearchExpression, span: number): number {
  const most = Math.floor(MAX_REACH / Math.ceil(countTokens(expression) / EASY_TOKENS));
  return Math.max(BLOCK, Math.min(span * REACH_OF_SPAN, most));
}

/** Ids from `low` to `high`, both included. */
export interface Window {
  readonly low: number;
  readonly high: number;
  /** Whether the index has seen these messages. */
  readonly isIndexed: boolean;
  /** Whether the index has to be kept within them. */
  readonly isKept: boolean;
}

export interface Bounds extends IndexedRange {
  readonly newest: number;
  /** The newest message that waits for the index once more; null where none does. */
  readonly pending: number | null;
  /** Of the index. */
  readonly form: number;
}

/** An expression that the index fulfils within some blocks only. */
export function within({ low, high }: Window, { all, none }: SearchExpression): SearchExpression {
  const tokens: string[] = [];
  for (let block = blockOf(low); block <= blockOf(high); block += 1) tokens.push(blockToken(block));
  const here: SearchClause = { kind: 'any', tokens };
  return { all: [here, ...all], none: none.map((clauses) => [here, ...clauses]) };
}

/** Up to the border of a block, except where the index is done with everything in a short time. */
function* indexedWindow(
  request: HitRequest,
  expression: SearchExpression,
  window: Omit<Window, 'isKept'>,
): Operation<Window> {
  if (!(yield* isHeavy(expression))) return { ...window, isKept: false };
  const { low, high } = window;
  const reach = reachOf(expression, request.span);
  return request.direction === 'older'
    ? { ...window, low: Math.max(low, blockOf(high - reach + 1) * BLOCK), isKept: true }
    : { ...window, high: Math.min(high, (blockOf(low + reach) + 1) * BLOCK - 1), isKept: true };
}

/** Without the ids that no message has: after a restore they are a hundred million. */
function* overGap(
  { direction, from, floor }: HitRequest,
  newest: number,
): Operation<Pick<Window, 'low' | 'high'>> {
  if (direction === 'older') {
    if (from > newest) return { low: floor, high: newest };
    const high = (yield* findOne<{ id: number | null }>(OLDER, { id: from - 1 }))?.id;
    return { low: floor, high: high ?? 0 };
  }
  const low = (yield* findOne<{ id: number | null }>(NEWER, { id: Math.max(floor, from + 1) }))?.id;
  return { low: low ?? newest + 1, high: newest };
}

export function* windowOf(request: HitRequest, { through, newest }: Bounds): Operation<Window> {
  const { direction, expression } = request;
  const isOlder = direction === 'older';
  const { low, high } = yield* overGap(request, newest);
  const known = expression === null ? 0 : through;
  if (expression !== null && low <= high && (isOlder ? high : low) <= known) {
    const window = { low, high: Math.min(high, known), isIndexed: true };
    return yield* indexedWindow(request, expression, window);
  }
  const unknown = { isIndexed: false, isKept: false };
  const span = Math.min(request.span, MAX_READ);
  return isOlder
    ? { low: Math.max(low, known + 1, high - span + 1), high, ...unknown }
    : { low, high: Math.min(high, low + span - 1), ...unknown };
}
