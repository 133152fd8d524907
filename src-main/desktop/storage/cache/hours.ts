/**
 * Between which ids messages of a time lie: ids grow with time, but a clock may be set back. Narrows by time look at no
 * others.
 */
import type { Selection } from '#client/cache/narrow.ts';
import { FOREVER } from '#client/cache/coverage.ts';
import { commonRange } from '#shared/search/narrow-terms.ts';
import type { Sql } from './sql.ts';

const SECONDS_PER_HOUR = 3600;

const PUT = `INSERT INTO hour (hour, first_id, last_id) VALUES (:hour, :first, :last)
  ON CONFLICT (hour) DO UPDATE SET first_id = MIN(first_id, excluded.first_id),
    last_id = MAX(last_id, excluded.last_id)`;
const FIRST = 'SELECT MIN(first_id) AS id FROM hour WHERE hour >= :hour';
const LAST = 'SELECT MAX(last_id) AS id FROM hour WHERE hour <= :hour';

interface SentTime {
  readonly id: number;
  /** UNIX seconds. */
  readonly timestamp: number;
}

/** Both ends are included. */
export interface IdBounds {
  readonly low: number;
  readonly high: number;
}

const hourOf = (seconds: number): number => Math.floor(seconds / SECONDS_PER_HOUR);

export function putHours(sql: Sql, messages: readonly SentTime[]): void {
  const hours = new Map<number, { readonly first: number; readonly last: number }>();
  for (const { id, timestamp } of messages) {
    const hour = hourOf(timestamp);
    const { first, last } = hours.get(hour) ?? { first: id, last: id };
    hours.set(hour, { first: Math.min(first, id), last: Math.max(last, id) });
  }
  for (const [hour, ids] of hours) sql.run(PUT, { hour, ...ids });
}

/** Undefined for a selection that says nothing of time. */
export function boundsOf(sql: Sql, { predicates }: Selection): IdBounds | undefined {
  const ranges = predicates.flatMap(({ condition, isNegated }) =>
    condition.kind === 'sent' ? [{ range: condition.range, isNegated }] : [],
  );
  if (ranges.length === 0) return undefined;
  const { from, before } = commonRange(ranges);
  const find = (text: string, seconds: number): number | null =>
    sql.get<{ readonly id: number | null }>(text, { hour: hourOf(seconds) })?.id ?? null;
  return {
    low: from === null ? 0 : (find(FIRST, from) ?? FOREVER),
    high: before === null ? FOREVER : (find(LAST, before - 1) ?? 0),
  };
}
