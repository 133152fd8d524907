/** Knows which stretches of each place are here whole. */
import {
  above,
  coveredFrom,
  covers,
  FOREVER,
  type Interval,
  uncoveredFrom,
  withInterval,
} from '#client/cache/coverage.ts';
import type { CoverageScope } from '#client/cache/port.ts';
import { idList, type IdRow, idsOf, type Sql } from './sql.ts';

const PUT = `INSERT INTO coverage (place, intervals)
  SELECT value, :intervals FROM json_each(:places) WHERE true
  ON CONFLICT (place) DO UPDATE SET intervals = excluded.intervals`;
const LIST = 'SELECT place, intervals FROM coverage';
const DELETE = 'DELETE FROM coverage WHERE place = :place';
const DELETE_ALL = 'DELETE FROM coverage';
const PUT_STALE =
  'INSERT INTO stale SELECT value FROM json_each(:ids) WHERE true ON CONFLICT DO NOTHING';
const LIST_STALE = `SELECT s.id FROM stale s LEFT JOIN message m ON m.id = s.id
  WHERE m.id IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(:coming) c
    WHERE m.stream_id IS c.value ->> 0 AND s.id < c.value ->> 1)
  ORDER BY s.id DESC LIMIT :limit`;
const HAS_STALE = 'SELECT id FROM stale WHERE id >= :from AND id <= :through LIMIT 1';
const DELETE_STALE = 'DELETE FROM stale WHERE id IN (SELECT value FROM json_each(:ids))';
const STALE_AMONG = 'SELECT id FROM stale WHERE id IN (SELECT value FROM json_each(:ids))';
const CUT_STALE = 'DELETE FROM stale WHERE id <= :id';

const keyOf = (place: CoverageScope): string =>
  place.kind === 'stream' ? `stream ${String(place.streamId)}` : place.kind;

const parse = (text: string): readonly Interval[] => JSON.parse(text) as readonly Interval[];
const none: readonly Interval[] = [];

export class CoverageTable {
  readonly #sql: Sql;
  /** The table, as it is after the last write. */
  #known: Map<string, readonly Interval[]> | null = null;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The database may be what it was before. */
  forgetKnown(): void {
    this.#known = null;
  }

  /** @param added  what is known of each of them now */
  add(places: readonly CoverageScope[], added: (place: CoverageScope) => Interval): void {
    const known = this.#all();
    const next = new Map<string, readonly Interval[]>();
    for (const place of places) {
      const key = keyOf(place);
      next.set(key, withInterval(known.get(key) ?? none, added(place)));
    }
    this.#put(next);
  }

  covers(place: CoverageScope, from: number, through: number): boolean {
    return this.#listOf(place).some((intervals) => covers(intervals, from, through));
  }

  coveredFrom(place: CoverageScope): number | null {
    const from = this.#listOf(place).map(coveredFrom);
    const known = from.filter((id) => id !== null);
    return known.length === 0 ? null : Math.min(...known);
  }

  uncoveredFrom(place: CoverageScope, id: number): number {
    return Math.max(...this.#listOf(place).map((intervals) => uncoveredFrom(intervals, id)));
  }

  /** From where on nothing of any of them is missing; null where there are none. */
  allCoveredFrom(places: readonly CoverageScope[]): number | null {
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
    const all = [...new Set(this.#all().values())];
    return ids.filter((id) => all.some((intervals) => covers(intervals, id, id)));
  }

  /** Nothing through this id is known any more. */
  cut(id: number): void {
    const next = [...this.#all()].map(([key, intervals]) => [key, above(intervals, id)] as const);
    this.#put(new Map(next));
    this.#sql.run(CUT_STALE, { id });
  }

  forget(place: CoverageScope): void {
    this.#sql.run(DELETE, { place: keyOf(place) });
    this.#known?.delete(keyOf(place));
  }

  forgetAll(): void {
    this.#sql.run(DELETE_ALL);
    this.#known = null;
  }

  addStale(ids: readonly number[]): void {
    if (ids.length > 0) this.#sql.run(PUT_STALE, { ids: idList(ids) });
  }

  removeStale(ids: readonly number[]): void {
    if (ids.length > 0) this.#sql.run(DELETE_STALE, { ids: idList(ids) });
  }

  /** Newest first. @param coming  messages of these places below what is known of them are left out */
  listStale(limit: number, coming: readonly CoverageScope[] = []): readonly number[] {
    const below = coming.map((place) => {
      const from = this.coveredFrom(place) ?? FOREVER;
      return [place.kind === 'stream' ? place.streamId : null, from] as const;
    });
    const lacking = JSON.stringify(below.filter(([, from]) => from > 0));
    return idsOf(this.#sql.list<IdRow>(LIST_STALE, { limit, coming: lacking }));
  }

  listStaleAmong(ids: readonly number[]): readonly number[] {
    return idsOf(this.#sql.list<IdRow>(STALE_AMONG, { ids: idList(ids) }));
  }

  hasStale(from: number, through: number): boolean {
    return this.#sql.get(HAS_STALE, { from, through: Math.min(through, FOREVER) }) !== undefined;
  }

  #own(place: CoverageScope): readonly Interval[] {
    return this.#all().get(keyOf(place)) ?? none;
  }

  /** What the account holds has all of its private conversations. */
  #listOf(place: CoverageScope): readonly (readonly Interval[])[] {
    const own = this.#own(place);
    return place.kind === 'private' ? [own, this.#own({ kind: 'held' })] : [own];
  }

  #all(): Map<string, readonly Interval[]> {
    if (this.#known !== null) return this.#known;
    const rows = this.#sql.list<{ place: string; intervals: string }>(LIST);
    this.#known = new Map(rows.map(({ place, intervals }) => [place, parse(intervals)]));
    return this.#known;
  }

  #put(next: ReadonlyMap<string, readonly Interval[]>): void {
    const known = this.#all();
    for (const [key, intervals] of next) known.set(key, intervals);
    for (const [intervals, alike] of Map.groupBy(next, ([, each]) => JSON.stringify(each))) {
      const keys = alike.map(([key]) => key);
      if (intervals !== '[]') this.#sql.run(PUT, { places: JSON.stringify(keys), intervals });
      else for (const place of keys) this.#sql.run(DELETE, { place });
    }
  }
}
