/** Knows which stretches of each place are here whole. */
import {
  above,
  coveredFrom,
  covers,
  FOREVER,
  type Interval,
  withInterval,
} from '../../../client/cache/coverage.ts';
import type { Place } from '../../../client/cache/port.ts';
import { idList, type IdRow, idsOf, type Sql } from './sql.ts';

const FIND = 'SELECT intervals FROM coverage WHERE place = :place';
const PUT = `INSERT INTO coverage (place, intervals) VALUES (:place, :intervals)
  ON CONFLICT (place) DO UPDATE SET intervals = excluded.intervals`;
const LIST = 'SELECT place, intervals FROM coverage';
const DELETE = 'DELETE FROM coverage WHERE place = :place';
const DELETE_ALL = 'DELETE FROM coverage';
const PUT_STALE =
  'INSERT INTO stale SELECT value FROM json_each(:ids) WHERE true ON CONFLICT DO NOTHING';
const LIST_STALE = 'SELECT id FROM stale ORDER BY id DESC LIMIT :limit';
const HAS_STALE = 'SELECT id FROM stale WHERE id >= :from AND id <= :through LIMIT 1';
const DELETE_STALE = 'DELETE FROM stale WHERE id IN (SELECT value FROM json_each(:ids))';
const STALE_AMONG = 'SELECT id FROM stale WHERE id IN (SELECT value FROM json_each(:ids))';
const CUT_STALE = 'DELETE FROM stale WHERE id <= :id';

const keyOf = (place: Place): string =>
  place.kind === 'stream' ? `stream ${String(place.streamId)}` : place.kind;

const parse = (text: string): readonly Interval[] => JSON.parse(text) as readonly Interval[];

export class CoverageTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(place: Place, [from, through]: Interval): void {
    const intervals = withInterval(this.#own(place), [from, through]);
    this.#put(keyOf(place), intervals);
  }

  covers(place: Place, from: number, through: number): boolean {
    return this.#listOf(place).some((intervals) => covers(intervals, from, through));
  }

  coveredFrom(place: Place): number | null {
    const from = this.#listOf(place).map(coveredFrom);
    const known = from.filter((id) => id !== null);
    return known.length === 0 ? null : Math.min(...known);
  }

  /** From where on nothing of any of them is missing; null where there are none. */
  allCoveredFrom(places: readonly Place[]): number | null {
    let highest: number | null = null;
    for (const place of places) {
      const from = this.coveredFrom(place);
      if (from === null) return null;
      highest = Math.max(highest ?? 0, from);
    }
    return highest;
  }

  /** The ids that some place should have. */
  expected(ids: readonly number[]): readonly number[] {
    if (ids.length === 0) return [];
    const all = this.#sql.list<{ intervals: string }>(LIST).map((row) => parse(row.intervals));
    return ids.filter((id) => all.some((intervals) => covers(intervals, id, id)));
  }

  /** Nothing through this id is known any more. */
  cut(id: number): void {
    for (const row of this.#sql.list<{ place: string; intervals: string }>(LIST)) {
      this.#put(row.place, above(parse(row.intervals), id));
    }
    this.#sql.run(CUT_STALE, { id });
  }

  forget(place: Place): void {
    this.#sql.run(DELETE, { place: keyOf(place) });
  }

  forgetAll(): void {
    this.#sql.run(DELETE_ALL);
  }

  addStale(ids: readonly number[]): void {
    if (ids.length > 0) this.#sql.run(PUT_STALE, { ids: idList(ids) });
  }

  removeStale(ids: readonly number[]): void {
    if (ids.length > 0) this.#sql.run(DELETE_STALE, { ids: idList(ids) });
  }

  /** Newest first. */
  listStale(limit: number): readonly number[] {
    return idsOf(this.#sql.list<IdRow>(LIST_STALE, { limit }));
  }

  listStaleAmong(ids: readonly number[]): readonly number[] {
    return idsOf(this.#sql.list<IdRow>(STALE_AMONG, { ids: idList(ids) }));
  }

  hasStale(from: number, through: number): boolean {
    return this.#sql.get(HAS_STALE, { from, through: Math.min(through, FOREVER) }) !== undefined;
  }

  #own(place: Place): readonly Interval[] {
    const row = this.#sql.get<{ intervals: string }>(FIND, { place: keyOf(place) });
    return row === undefined ? [] : parse(row.intervals);
  }

  /** What the account holds has all of its private conversations. */
  #listOf(place: Place): readonly (readonly Interval[])[] {
    const own = this.#own(place);
    return place.kind === 'private' ? [own, this.#own({ kind: 'held' })] : [own];
  }

  #put(place: string, intervals: readonly Interval[]): void {
    if (intervals.length === 0) this.#sql.run(DELETE, { place });
    else this.#sql.run(PUT, { place, intervals: JSON.stringify(intervals) });
  }
}
