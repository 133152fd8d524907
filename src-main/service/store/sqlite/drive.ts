import type Database from 'better-sqlite3';
import type { LoggedEvent } from '../../../contract/log.ts';
import type { NewEvent, Operation, Statement } from '../operation.ts';
import type { EventCounter } from './event-counter.ts';

const INSERT_EVENT =
  'INSERT INTO event (id, type, audience, payload) VALUES (:id, :type, :audience, :payload)';
const MAX_CACHED_STATEMENTS = 500;

/** Runs the statements of operations on one connection. */
export interface Driver {
  readonly drive: <T>(operation: Operation<T>) => T;
  /** Events appended since the last call, in order. */
  readonly takeAppended: () => readonly LoggedEvent[];
  /** How many are waiting to be taken; with `forgetAppended` what a rolled back savepoint needs. */
  readonly countAppended: () => number;
  readonly forgetAppended: (downTo: number) => void;
}

/**
 * The library is compiled with SQLITE_ENABLE_STAT4: a plan may depend on the values of its parameters, and binding
 * one to a query with a join makes SQLite plan it anew, which takes many times as long as running it. Only a bare
 * parameter is looked at; behind a plus sign, which changes no value, the first plan stays.
 */
const keepPlan = (sql: string): string => sql.replaceAll(/(?<=[\s(=<>,]):(?=[a-z])/gi, '+:');

function statementCache(db: Database.Database): (sql: string) => Database.Statement {
  const prepared = new Map<string, Database.Statement>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    if (prepared.size >= MAX_CACHED_STATEMENTS) prepared.clear();
    const statement = db.prepare(keepPlan(sql));
    prepared.set(sql, statement);
    return statement;
  };
}

export function createDriver(db: Database.Database, counter: EventCounter): Driver {
  const prepare = statementCache(db);
  let appended: LoggedEvent[] = [];

  function append(event: NewEvent): number {
    const id = counter.takeInTransaction();
    const { type, audience, payload } = event;
    prepare(INSERT_EVENT).run({
      id,
      type,
      audience: JSON.stringify(audience),
      payload: JSON.stringify(payload),
    });
    appended.push({ id, type, audience, payload });
    return id;
  }

  function execute(statement: Statement): unknown {
    switch (statement.kind) {
      case 'run':
        return prepare(statement.sql).run(statement.values).changes;
      case 'insert':
        return Number(prepare(statement.sql).run(statement.values).lastInsertRowid);
      case 'one':
        return prepare(statement.sql).get(statement.values);
      case 'all':
        return prepare(statement.sql).all(statement.values);
      case 'event':
        return append(statement.event);
      case 'last-event-id':
        return counter.last();
    }
  }

  return {
    drive<T>(operation: Operation<T>): T {
      let step = operation.next();
      while (step.done !== true) step = operation.next(execute(step.value));
      return step.value;
    },
    takeAppended() {
      const taken = appended;
      appended = [];
      return taken;
    },
    countAppended: () => appended.length,
    forgetAppended(downTo) {
      appended.length = downTo;
    },
  };
}
