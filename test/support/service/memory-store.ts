/** The operations of the store on a database in memory: synchronous, and undone in no time. */
import Database from 'better-sqlite3';
import type { LoggedEvent } from '#service/db/event-log.ts';
import { schema } from '#service/db/migrations/index.ts';
import type { Operation } from '#service/db/operation.ts';
import { createDriver } from '#service/db/sqlite/run-operation.ts';
import { createEventCounter } from '#service/db/sqlite/event-counter.ts';

export interface MemoryStore {
  readonly db: Database.Database;
  /** Runs an operation, all or nothing. */
  readonly perform: <T>(operation: Operation<T>) => T;
  /** Events since the last call. */
  readonly takeEvents: () => readonly LoggedEvent[];
  /** Runs something and then undoes all of it. */
  readonly undone: (work: () => void) => void;
}

export function openMemoryStore(
  makeTables = (db: Database.Database): void => void db.exec(schema),
): MemoryStore {
  const db = new Database(':memory:');
  makeTables(db);
  db.pragma('foreign_keys = ON');
  const counter = createEventCounter(db);
  if (counter === undefined) throw new Error('no event counter');
  const driver = createDriver(db, counter);
  const alone = db.transaction((operation: Operation<unknown>) => driver.drive(operation));
  return {
    db,
    perform: <T>(operation: Operation<T>) => alone(operation) as T,
    takeEvents: () => driver.takeAppended(),
    undone(work) {
      const position = counter.position();
      db.exec('BEGIN');
      try {
        work();
      } finally {
        db.exec('ROLLBACK');
        driver.takeAppended();
        counter.restore(position);
      }
    },
  };
}
