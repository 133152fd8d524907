/** Messages that a narrow selects, page by page. */
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import { findOne, type Operation } from '#service/db/operation.ts';
import { boundsOf, type IdBounds } from '#service/features/reading/queries/message-hours.ts';
import { type PageSelection, whereOf } from '#service/features/reading/queries/narrow-sql.ts';
import { isUnreadOnly, walkSelected } from '#service/features/reading/queries/unread.ts';
import type { PersonalMessageRow } from './message-rows.ts';
import {
  completePersonal,
  MAX_CACHED_ROWS,
  personalFor,
  type PersonalRead,
  type SelectedRow,
  selectPersonal,
} from './personal-rows.ts';

/** Where on the two sides of an anchor a page ends. */
export interface PageCounts {
  readonly before: number;
  readonly after: number;
  /** Nobody is likely to ask for the same soon: it is not kept. */
  readonly isPassing?: boolean;
}

export interface Page {
  readonly rows: readonly PersonalMessageRow[];
  readonly hasAnchor: boolean;
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/** The anchor, or the end of the bounds that it is beyond: only one bound of each side is looked for by the key. */
function nearest(
  comparison: '<' | '=' | '>',
  anchor: number,
  bounds: IdBounds | undefined,
): number {
  if (bounds === undefined || comparison === '=') return anchor;
  return comparison === '<' ? Math.min(anchor, bounds.high + 1) : Math.max(anchor, bounds.low - 1);
}

interface ExtraCondition {
  readonly sql: string;
  readonly values: Readonly<Record<string, number>>;
}

const nothingMore: ExtraCondition = { sql: '', values: {} };

/** Of which messages a page is made, and how they are read. */
interface PageSource {
  readonly selection: PageSelection;
  readonly read: PersonalRead;
  readonly bounds: IdBounds | undefined;
  readonly anchor: number;
}

/** Where to stop on the way from the anchor. */
function endOf(comparison: '<' | '=' | '>', bounds: IdBounds | undefined): ExtraCondition {
  if (bounds === undefined || comparison === '=') return nothingMore;
  return comparison === '<'
    ? { sql: ' AND m.id >= :low', values: { low: bounds.low } }
    : { sql: ' AND m.id <= :high', values: { high: bounds.high } };
}

/** Step: what is selected on one side of the anchor, the nearest first. */
function* listSide(
  { selection, read, bounds, anchor }: PageSource,
  comparison: '<' | '=' | '>',
  limit: number,
): Operation<readonly SelectedRow[]> {
  const from = nearest(comparison, anchor, bounds);
  if (comparison !== '=' && isUnreadOnly(selection)) {
    const order = comparison === '<' ? 'descending' : 'ascending';
    const { select } = read;
    return yield* walkSelected(selection, { select, order, anchor: from, limit });
  }
  const where = whereOf(selection);
  const direction = comparison === '<' ? 'DESC' : 'ASC';
  const end = endOf(comparison, bounds);
  return yield* selectPersonal(
    read,
    `WHERE m.id ${comparison} :anchor${end.sql} AND ${where.sql}
      ORDER BY m.id ${direction} LIMIT :limit`,
    { ...where.values, ...end.values, anchor: from, limit },
  );
}

const betweenIds = (bounds: IdBounds | undefined): ExtraCondition =>
  bounds === undefined
    ? nothingMore
    : { sql: ' AND m.id >= :low AND m.id <= :high', values: { ...bounds } };

export const messagePageReads = {
  /**
   * A page around an anchor (API decisions 4), ascending by id: `before` ids below it, the anchor
   * itself if it is selected, `after` ids above it, with one row of look-ahead for each side.
   */
  *pageMessages(selection: PageSelection, anchor: number, counts: PageCounts): Operation<Page> {
    const bounds = yield* boundsOf(selection);
    const isKept = counts.isPassing !== true && counts.before + counts.after <= 2 * MAX_CACHED_ROWS;
    const read = yield* personalFor(selection.userId, isKept);
    const around: PageSource = { selection, read, bounds, anchor };
    const isEnd = anchor >= NEWEST_ANCHOR;
    const before = yield* listSide(around, '<', counts.before + 1);
    const exact = isEnd ? [] : yield* listSide(around, '=', 1);
    const after = isEnd ? [] : yield* listSide(around, '>', counts.after + 1);
    return {
      rows: yield* completePersonal(read, [
        ...before.slice(0, counts.before).reverse(),
        ...exact,
        ...after.slice(0, counts.after),
      ]),
      hasAnchor: exact.length > 0,
      hasOlder: before.length > counts.before,
      hasNewer: after.length > counts.after,
    };
  },
  /** The smallest selected id. */
  *findFirstId(selection: PageSelection): Operation<number | undefined> {
    const select = 'SELECT m.id FROM message m';
    if (isUnreadOnly(selection)) {
      const query = { select, order: 'ascending', limit: 1 } as const;
      return (yield* walkSelected<{ id: number }>(selection, query))[0]?.id;
    }
    const where = whereOf(selection);
    const within = betweenIds(yield* boundsOf(selection));
    const row = yield* findOne<{ id: number }>(
      `${select} WHERE ${where.sql}${within.sql} ORDER BY m.id LIMIT 1`,
      { ...where.values, ...within.values },
    );
    return row?.id;
  },
  /** Selected ids with what tells where each belongs, newest first. */
  *listSelected(selection: PageSelection, limit: number): Operation<readonly PersonalMessageRow[]> {
    const read = yield* personalFor(selection.userId, false);
    if (isUnreadOnly(selection)) {
      const query = { select: read.select, order: 'descending', limit } as const;
      return yield* completePersonal(read, yield* walkSelected(selection, query));
    }
    const where = whereOf(selection);
    const within = betweenIds(yield* boundsOf(selection));
    const rows = yield* selectPersonal(
      read,
      `WHERE ${where.sql}${within.sql} ORDER BY m.id DESC LIMIT :limit`,
      { ...where.values, ...within.values, limit },
    );
    return yield* completePersonal(read, rows);
  },
};
