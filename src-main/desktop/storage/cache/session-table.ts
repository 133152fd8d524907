/** The state that belongs to the messages, and the numbers that say what is known of them. */
import { z } from 'zod';
import type { CachedPosition, CachedSession, CoverageScope } from '#client/cache/port.ts';
import type { Sql } from './sql.ts';

const LIST = "SELECT name, value FROM slice WHERE name NOT LIKE '@%'";
const FIND = 'SELECT value FROM slice WHERE name = :name';
const PUT = `INSERT INTO slice (name, value) VALUES (:name, :value)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const DELETE = 'DELETE FROM slice WHERE name = :name';
const NEWEST = 'SELECT MAX(id) AS id FROM message';

/** Names of our own; slices of the session begin with a letter. */
const POSITION = '@position';
const LIVE = '@live';
const SUSPECT = '@suspect';
const sinceOf = (streamId: number): string => `@since ${String(streamId)}`;

const Position = z.object({
  queueId: z.string(),
  lastEventId: z.int(),
  newestMessageId: z.int(),
  liveUntilSeconds: z.number(),
  isBehind: z.boolean().optional(),
});

export class SessionTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  load(): CachedSession | null {
    const position = Position.safeParse(this.#find(POSITION)).data;
    if (position === undefined) return null;
    const rows = this.#sql.list<{ name: string; value: string }>(LIST);
    const slices = rows.map(({ name, value }) => [name, JSON.parse(value) as unknown] as const);
    return { position, slices: Object.fromEntries(slices) };
  }

  save(position: CachedPosition | null, slices: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(slices)) {
      if (value === undefined) this.#sql.run(DELETE, { name });
      else this.#put(name, value);
    }
    if (position === null) {
      this.#sql.run(DELETE, { name: POSITION });
      return;
    }
    this.#put(POSITION, position);
    if (this.#find(LIVE) === null) this.#put(LIVE, position.newestMessageId);
  }

  /** Events that were not applied: from where on they tell everything is known with the next position. */
  forgetLive(): void {
    this.#sql.run(DELETE, { name: LIVE });
    this.#put(SUSPECT, this.#newestId());
  }

  /** What events have told through this message is no longer here. */
  cutLive(id: number): void {
    const live = this.#find(LIVE);
    if (typeof live === 'number' && live < id) this.#put(LIVE, id);
  }

  /** Messages through this one were there before what is known now. */
  suspectThrough(): number {
    return Number(this.#find(SUSPECT) ?? 0);
  }

  /** Answers of a place whether events have told of every message of it after the id. */
  liveThrough(id: number): (place: CoverageScope) => boolean {
    const live = this.#find(LIVE);
    if (typeof live !== 'number' || id < live) return () => false;
    return (place) =>
      place.kind !== 'stream' || id >= Number(this.#find(sinceOf(place.streamId)) ?? 0);
  }

  /** Events tell of the stream from now on. */
  join(streamId: number): void {
    const position = Position.safeParse(this.#find(POSITION)).data;
    const newestId = Math.max(this.#newestId(), position?.newestMessageId ?? 0);
    this.#put(sinceOf(streamId), newestId);
  }

  #newestId(): number {
    return this.#sql.get<{ id: number | null }>(NEWEST)?.id ?? 0;
  }

  #find(name: string): unknown {
    const row = this.#sql.get<{ value: string }>(FIND, { name });
    return row === undefined ? null : JSON.parse(row.value);
  }

  #put(name: string, value: unknown): void {
    this.#sql.run(PUT, { name, value: JSON.stringify(value) });
  }
}
