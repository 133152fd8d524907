/** Which messages a narrow selects, in the order of their ids, with or without a search. */
import type { SearchedText } from '#client/cache/answer-page.ts';
import type { ResolvedNarrow, Selection } from '#client/cache/narrow.ts';
import type { NarrowScope } from '#client/cache/narrow-scope.ts';
import { searchedText } from '#client/cache/match-narrow.ts';
import { endOf, INDEX_PAGES, MAX_BEGINNING_PAGES } from '#shared/search/index-pages.ts';
import { INDEX_ALTERNATIVES } from '#shared/search/limits.ts';
import { matches, type Search } from '#shared/search/query.ts';
import { boundsOf } from './hours.ts';
import { matchOf } from './search-index.ts';
import { findConversationId, topicIdsOf, whereOf } from './selection.ts';
import type { IdRow, Sql, Values } from './sql.ts';
import { idList, idsOf } from './sql.ts';

/** So few messages are read quicker than the index is asked about all that have the words. */
const FEW = 250;

const WORDS =
  'SELECT word FROM search_word WHERE word >= :prefix AND word < :end ORDER BY word LIMIT :limit';
const TEXT = 'b.subject, b.content, b.source, m.stream_id';
const FROM_BODY = 'FROM message m CROSS JOIN body b ON b.id = m.id';
const FROM_INDEX = 'FROM search_index f CROSS JOIN message m ON m.id = f.rowid';

// Where the source is kept, the HTML need not be read.
const TEXTS = `SELECT m.id, m.stream_id, b.subject, b.source,
    CASE WHEN b.source IS NULL THEN b.content ELSE '' END AS content
  FROM json_each(:ids) i CROSS JOIN message m ON m.id = i.value CROSS JOIN body b ON b.id = m.id`;

export interface IdRange {
  /** Both exclusive. */
  readonly from: number;
  readonly isDescending: boolean;
  readonly limit: number;
  /** Where to stop, included; absent where nothing but the narrow says it. */
  readonly end?: number;
}

/** From the anchor or the nearer end of what the narrow says of time, to the farther one. */
function within(stretch: IdRange, bounds: ReturnType<typeof boundsOf>): IdRange {
  if (bounds === undefined) return stretch;
  const { from, isDescending } = stretch;
  return isDescending
    ? { ...stretch, from: Math.min(from, bounds.high + 1), end: bounds.low }
    : { ...stretch, from: Math.max(from, bounds.low - 1), end: bounds.high };
}

/** What of a stretch lies beyond a border, which does not itself. */
function beyond(stretch: IdRange, border: number): IdRange {
  if (border === 0) return stretch;
  const { from, isDescending, end = 0 } = stretch;
  return isDescending
    ? { ...stretch, end: Math.max(border + 1, end) }
    : { ...stretch, from: Math.max(from, border) };
}

/** Whether some of a stretch does not lie beyond the border. */
const reachesInto = ({ from, isDescending, end = 0 }: IdRange, border: number): boolean =>
  border > 0 && (isDescending ? end <= border : from < border);

const endSql = (id: string, { isDescending, end }: IdRange): string =>
  end === undefined ? '' : ` AND ${id} ${isDescending ? '>=' : '<='} CAST(:end AS INTEGER)`;

const endValues = ({ end }: IdRange): Values => (end === undefined ? {} : { end });

interface TextRow extends IdRow {
  readonly subject: string;
  readonly content: string;
  readonly source: string | null;
  readonly stream_id: number | null;
}

const isHit = (search: Search, row: TextRow): boolean =>
  matches(
    row.stream_id === null ? null : row.subject,
    row.source ?? searchedText({ content: row.content }),
    search,
  );

/** Conditions that few messages fulfil, as a rule. */
const isSparse = ({ predicates }: Selection): boolean =>
  predicates.some(
    ({ condition, isNegated }) =>
      !isNegated && ['flag', 'unread', 'message'].includes(condition.kind),
  );

export class Finder {
  readonly #sql: Sql;
  readonly #scope: NarrowScope;
  readonly #unindexedThrough: number;
  #hasSkipped = false;

  /** @param unindexedThrough  messages up to this one are not in the index */
  constructor(sql: Sql, scope: NarrowScope, unindexedThrough: number) {
    this.#sql = sql;
    this.#scope = scope;
    this.#unindexedThrough = unindexedThrough;
  }

  /** From where on was searched, because the index has not come further; null where that was everything. */
  get indexedFrom(): number | null {
    return this.#hasSkipped ? this.#unindexedThrough + 1 : null;
  }

  find(narrow: ResolvedNarrow, wanted: IdRange): readonly number[] {
    const stretch = within(wanted, boundsOf(this.#sql, narrow));
    return narrow.search === null
      ? this.#select(narrow, stretch)
      : this.#seek(narrow, narrow.search, stretch);
  }

  isSelected(narrow: ResolvedNarrow, id: number): boolean {
    const { sql, values } = whereOf(this.#sql, narrow, this.#scope);
    const row = this.#sql.get<TextRow>(
      `SELECT m.id, ${TEXT} ${FROM_BODY} WHERE m.id = :anchor AND ${sql}`,
      { ...values, anchor: id },
    );
    if (row === undefined) return false;
    return narrow.search === null || isHit(narrow.search, row);
  }

  texts(ids: readonly number[]): readonly SearchedText[] {
    return this.#sql.list<TextRow>(TEXTS, { ids: idList(ids) }).map((row) => ({
      id: row.id,
      topic: row.stream_id === null ? null : row.subject,
      text: row.source ?? searchedText({ content: row.content }),
    }));
  }

  #select(selection: Selection, stretch: IdRange): readonly number[] {
    const { from, isDescending, limit } = stretch;
    const { sql, values } = whereOf(this.#sql, selection, this.#scope);
    const [comparison, order] = isDescending ? ['<', 'DESC'] : ['>', 'ASC'];
    return idsOf(
      this.#sql.list<IdRow>(
        `SELECT m.id FROM message m WHERE m.id ${comparison} :from${endSql('m.id', stretch)} AND ${sql}
          ORDER BY m.id ${order} LIMIT :limit`,
        { ...values, ...endValues(stretch), from, limit },
      ),
    );
  }

  #seek(narrow: ResolvedNarrow, search: Search, stretch: IdRange): readonly number[] {
    if (isSparse(narrow)) {
      const ids = this.#select(narrow, { ...stretch, limit: FEW + 1 });
      if (ids.length <= FEW) return this.#among(ids, search, stretch.limit);
    }
    const match = matchOf(narrow, search, {
      wordsOf: (prefix) => this.#wordsOf(prefix),
      isQuick: (beginning) => this.#countPages(beginning) <= MAX_BEGINNING_PAGES,
      topicIdsOf: (key) => topicIdsOf(this.#sql, narrow, key),
      findConversationId: (key) => findConversationId(this.#sql, key),
    });
    const through = match === null ? 0 : this.#unindexedThrough;
    const found = this.#collect(narrow, { search, match }, beyond(stretch, through));
    if (found.length < stretch.limit && reachesInto(stretch, through)) this.#hasSkipped = true;
    return found;
  }

  #among(ids: readonly number[], search: Search, limit: number): readonly number[] {
    const found: number[] = [];
    for (const id of ids) {
      if (found.length >= limit) break;
      const row = this.#sql.get<TextRow>(`SELECT m.id, ${TEXT} ${FROM_BODY} WHERE m.id = :id`, {
        id,
      });
      if (row !== undefined && isHit(search, row)) found.push(id);
    }
    return found;
  }

  #collect(
    narrow: ResolvedNarrow,
    { search, match }: { readonly search: Search; readonly match: string | null },
    stretch: IdRange,
  ): readonly number[] {
    const { from, isDescending, limit } = stretch;
    const where = whereOf(this.#sql, narrow, this.#scope);
    const [comparison, order] = isDescending ? ['<', 'DESC'] : ['>', 'ASC'];
    const values: Values = {
      ...where.values,
      ...endValues(stretch),
      from,
      ...(match === null ? {} : { match }),
    };
    const [id, index, matches] =
      match === null
        ? ['m.id', 'FROM message m', '1 = 1']
        : ['f.rowid', FROM_INDEX, 'search_index MATCH :match'];
    // The cast matters: the index ignores a bound that is not an integer, and goes through everything.
    const rest = `WHERE ${matches} AND ${id} ${comparison} CAST(:from AS INTEGER)${endSql(id, stretch)}
      AND ${where.sql}
      ORDER BY ${id} ${order}`;
    const found: number[] = [];
    const rows = this.#sql.each<TextRow>(
      `SELECT m.id, ${TEXT} ${index} CROSS JOIN body b ON b.id = m.id ${rest}`,
      values,
    );
    for (const row of rows) {
      if (found.length >= limit) break;
      if (isHit(search, row)) found.push(row.id);
    }
    return found;
  }

  #countPages(beginning: string): number {
    const values = { token: beginning, end: endOf(beginning) };
    return this.#sql.get<{ pages: number }>(INDEX_PAGES, values)?.pages ?? 0;
  }

  #wordsOf(prefix: string): readonly string[] | undefined {
    const rows = this.#sql.list<{ word: string }>(WORDS, {
      prefix,
      end: `${prefix}\u{10ffff}`,
      limit: INDEX_ALTERNATIVES + 1,
    });
    return rows.length > INDEX_ALTERNATIVES ? undefined : rows.map(({ word }) => word);
  }
}
