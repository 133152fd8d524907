/** A long page of messages in pieces, between which others have their turns. */
import type { Page, PageCounts, PersonalMessageRow } from '#service/db/port.ts';
import { yieldToOthers } from '#service/core/yield-thread.ts';

/** Half a millisecond's work. */
const PIECE = 100;

export interface Counts {
  readonly before: number;
  readonly after: number;
}

export type EncodeRows<T> = (rows: readonly PersonalMessageRow[]) => Promise<T>;

/** What was read of a page. */
export interface WalkedPage<T> extends Pick<Page, 'hasAnchor' | 'hasOlder' | 'hasNewer'> {
  /** Ascending by id. */
  readonly pieces: readonly T[];
}

/** Piece by piece, in the order of the rows. */
export async function encodeAll<T>(
  rows: readonly PersonalMessageRow[],
  encode: EncodeRows<T>,
): Promise<readonly T[]> {
  const pieces: T[] = [];
  for (let from = 0; from < rows.length; from += PIECE) {
    if (from > 0) await yieldToOthers();
    pieces.push(await encode(rows.slice(from, from + PIECE)));
  }
  return pieces;
}

interface PageSide {
  /** Which of the counts is asked for. */
  readonly count: keyof Counts;
  readonly outermost: (rows: readonly PersonalMessageRow[]) => PersonalMessageRow | undefined;
  readonly hasMore: (page: Page) => boolean;
}

const older: PageSide = {
  count: 'before',
  outermost: (rows) => rows[0],
  hasMore: ({ hasOlder }) => hasOlder,
};
const newer: PageSide = {
  count: 'after',
  outermost: (rows) => rows.at(-1),
  hasMore: ({ hasNewer }) => hasNewer,
};

const nothing: Counts = { before: 0, after: 0 };

export interface Pages {
  /** As `pageMessages` of the store. */
  readonly read: (anchor: number, counts: PageCounts) => Promise<Page>;
  /** How many messages are read at once, on each side of the anchor. */
  readonly piece?: number;
}

/** Each piece is read, encoded and forgotten before the next is read. */
export async function walkPage<T>(
  { read, piece = PIECE }: Pages,
  encode: EncodeRows<T>,
  anchor: number,
  counts: Counts,
): Promise<WalkedPage<T>> {
  const first = await read(anchor, {
    before: Math.min(counts.before, piece),
    after: Math.min(counts.after, piece),
  });

  /** What follows the first piece on one side, the nearest first. */
  async function walkOn(
    side: PageSide,
  ): Promise<{ readonly pieces: T[]; readonly hasMore: boolean }> {
    const pieces: T[] = [];
    let from = side.outermost(first.rows)?.id ?? anchor;
    let hasMore = side.hasMore(first);
    for (let left = counts[side.count] - piece; left > 0 && hasMore; left -= piece) {
      await yieldToOthers();
      const page = await read(from, {
        ...nothing,
        [side.count]: Math.min(left, piece),
        isPassing: true,
      });
      // The anchor is in the piece before.
      const rows = page.rows.filter(({ id }) => id !== from);
      if (rows.length > 0) pieces.push(await encode(rows));
      from = side.outermost(rows)?.id ?? from;
      hasMore = side.hasMore(page);
    }
    return { pieces, hasMore };
  }

  const nearest = await encodeAll(first.rows, encode);
  const before = await walkOn(older);
  const after = await walkOn(newer);
  return {
    hasAnchor: first.hasAnchor,
    hasOlder: before.hasMore,
    hasNewer: after.hasMore,
    pieces: [...before.pieces.reverse(), ...nearest, ...after.pieces],
  };
}
