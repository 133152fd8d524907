/** Statements over the messages of a move, a part at a time: between two of them others have a turn. */
import {
  list,
  listColumn,
  type Operation,
  pause,
  run,
  type Values,
} from '#service/db/operation.ts';
import type { Stretch } from './id-ranges.ts';

/** So many messages take a few milliseconds. */
const WRITTEN_AT_ONCE = 1000;
const READ_AT_ONCE = 5000;

function* partsIn(stretches: readonly Stretch[], length: number): Generator<Stretch> {
  for (const [from, until] of stretches) {
    for (let start = from; start < until; start += length) {
      yield [start, Math.min(until, start + length)];
    }
  }
}

const boundsOf = (ids: readonly number[], [from, until]: Stretch): Values => ({
  firstId: ids[from] ?? 0,
  lastId: ids[until - 1] ?? 0,
});

/** Step: runs statements from `:firstId` to `:lastId` over parts of the list, one after the other for each part. */
export function* runOver(
  ids: readonly number[],
  stretches: readonly Stretch[],
  statements: readonly { readonly sql: string; readonly values: Values }[],
): Operation<void> {
  for (const part of partsIn(stretches, WRITTEN_AT_ONCE)) {
    const bounds = boundsOf(ids, part);
    for (const { sql, values } of statements) yield* run(sql, { ...values, ...bounds });
    yield* pause();
  }
}

/** Step: all rows that a statement finds from `:firstId` to `:lastId`. */
export function* listOver<Row>(
  ids: readonly number[],
  sql: string,
  values: Values,
): Operation<readonly Row[]> {
  const rows: Row[] = [];
  for (const part of partsIn([[0, ids.length]], READ_AT_ONCE)) {
    for (const row of yield* list<Row>(sql, { ...values, ...boundsOf(ids, part) })) rows.push(row);
    yield* pause();
  }
  return rows;
}

/** Step: the ids from `:firstId` on that a statement lists, at most `:limit` of them, ascending. */
export function* listIds(
  sql: string,
  values: Values & { readonly firstId: number },
): Operation<readonly number[]> {
  const ids: number[] = [];
  for (let { firstId } = values; ;) {
    const next = yield* listColumn<number>(sql, { ...values, firstId, limit: READ_AT_ONCE });
    for (const id of next) ids.push(id);
    if (next.length < READ_AT_ONCE) return ids;
    firstId = (ids.at(-1) ?? 0) + 1;
    yield* pause();
  }
}
