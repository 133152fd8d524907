/** Statements of one database, prepared when they are first needed. */
import type Database from 'better-sqlite3';

export type Value = string | number | null | Uint8Array;
export type Values = Readonly<Record<string, Value>>;

/** Those of narrows are of many forms. */
const MAX_PREPARED = 300;

export class Sql {
  readonly db: Database.Database;
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(db: Database.Database) {
    this.db = db;
  }

  run(sql: string, values: Values = {}): number {
    return this.#statement(sql).run(values).changes;
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what it selects
  get<T>(sql: string, values: Values = {}): T | undefined {
    return this.#statement(sql).get(values) as T | undefined;
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as above
  list<T>(sql: string, values: Values = {}): readonly T[] {
    return this.#statement(sql).all(values) as readonly T[];
  }

  /** Nothing else may be written while it runs. */
  each<T>(sql: string, values: Values = {}): Iterable<T> {
    return this.#statement(sql).iterate(values) as Iterable<T>;
  }

  #statement(sql: string): Database.Statement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
    const statement = this.db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

export interface IdRow {
  readonly id: number;
}

export const idsOf = (rows: readonly IdRow[]): readonly number[] => rows.map(({ id }) => id);

/** A list of ids as one value, for `IN (SELECT value FROM json_each(:ids))`. */
export const idList = (ids: readonly number[]): string => JSON.stringify(ids);
