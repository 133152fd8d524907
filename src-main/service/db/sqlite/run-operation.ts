import type Database from 'better-sqlite3';
import type { LoggedEvent } from '../event-log.ts';
import type { MessageRow } from '#service/features/messages/queries/message-rows.ts';
import type { CachedFrom, NewEvent, Operation, Statement, Values } from '../operation.ts';
import type { EventCounter } from './event-counter.ts';
import type { RowCache } from './row-cache.ts';
import { type ReadCache, type ReadCaches, touchedBy } from './read-cache.ts';

const INSERT_EVENT =
  'INSERT INTO event (id, type, audience, payload) VALUES (:id, :type, :audience, :payload)';
const MAX_CACHED_STATEMENTS = 500;

/** Runs the statements of operations on one connection. */
export interface Driver {
  readonly drive: <T>(operation: Operation<T>) => T;
  /** Runs an operation on from where it is, to its end, or to its first pause after so long: then undefined. */
  readonly driveOn: <T>(operation: Operation<T>, ms: number) => { readonly value: T } | undefined;
  /** Events appended since the last call, in order. */
  readonly takeAppended: () => readonly LoggedEvent[];
  /** How many are waiting to be taken; with `forgetAppended` what a rolled back savepoint needs. */
  readonly countAppended: () => number;
  readonly forgetAppended: (downTo: number) => void;
  /** How many statements have changed something, or tried to, since the start. */
  readonly countWritten: () => number;
  /** Whether a statement since the last `takeTouched` changed what kept answers of this kind are read from. */
  readonly isTouched: (from: CachedFrom) => boolean;
  readonly takeTouched: () => readonly CachedFrom[];
}

/**
 * The library is compiled with SQLITE_ENABLE_STAT4: a plan may depend on the values of its parameters, and binding
 * one makes SQLite plan anew: a page of 100 messages takes 0.3 ms in place of 0.16. Only a bare parameter is looked at; behind
 * a plus sign, which changes no value, the first plan stays.
 */
const keepPlan = (sql: string): string => sql.replaceAll(/(?<=[\s(=<>,]):(?=[a-z])/gi, '+:');

interface Prepared {
  readonly statement: Database.Statement;
  readonly touches: readonly CachedFrom[];
}

/** @param isColumn  for statements that answer the first column of each row */
function statementCache(db: Database.Database, isColumn = false): (sql: string) => Prepared {
  const statements = new Map<string, Prepared>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear();
    const statement = db.prepare(keepPlan(sql));
    const prepared = {
      statement: isColumn ? statement.pluck() : statement,
      touches: touchedBy(sql),
    };
    statements.set(sql, prepared);
    return prepared;
  };
}

function runThrough<T>(operation: Operation<T>, execute: (statement: Statement) => unknown): T {
  let step = operation.next();
  while (step.done !== true) step = operation.next(execute(step.value));
  return step.value;
}

function runOn<T>(
  operation: Operation<T>,
  execute: (statement: Statement) => unknown,
  ms: number,
): { readonly value: T } | undefined {
  const endsAt = performance.now() + ms;
  let step = operation.next();
  while (step.done !== true) {
    if (step.value.kind === 'pause' && performance.now() >= endsAt) return undefined;
    step = operation.next(execute(step.value));
  }
  return { value: step.value };
}

interface Changes extends Omit<Driver, 'drive' | 'driveOn'> {
  readonly change: (sql: string, values: Values) => Database.RunResult;
  /** Answers the id of the event. */
  readonly append: (event: NewEvent) => number;
}

/** What the statements of a transaction have changed so far. */
function createChanges(prepare: (sql: string) => Prepared, counter: EventCounter): Changes {
  let appended: LoggedEvent[] = [];
  let touched: CachedFrom[] = [];
  let written = 0;

  return {
    change(sql, values) {
      written += 1;
      const { statement, touches } = prepare(sql);
      const result = statement.run(values);
      if (result.changes > 0) {
        for (const from of touches) if (!touched.includes(from)) touched.push(from);
      }
      return result;
    },
    append({ type, audience, payload, attached }) {
      written += 1;
      const id = counter.takeInTransaction();
      prepare(INSERT_EVENT).statement.run({
        id,
        type,
        audience: JSON.stringify(audience),
        payload: JSON.stringify(payload),
      });
      const logged = { id, type, audience, payload };
      appended.push(attached === undefined ? logged : { ...logged, attached });
      return id;
    },
    takeAppended() {
      const taken = appended;
      appended = [];
      return taken;
    },
    countAppended: () => appended.length,
    forgetAppended: (downTo) => void (appended.length = downTo),
    countWritten: () => written,
    isTouched: (from) => touched.includes(from),
    takeTouched() {
      const taken = touched;
      touched = [];
      return taken;
    },
  };
}

/** What is kept in memory; what is not named here is read each time. */
export interface StoreCaches {
  readonly caches?: ReadCaches;
  /** Only for a connection that sees nothing but what is committed: an id that was rolled back is given away again. */
  readonly messages?: RowCache<MessageRow>;
}

export function createDriver(
  db: Database.Database,
  counter: EventCounter,
  { caches, messages }: StoreCaches = {},
): Driver {
  const prepare = statementCache(db);
  const listing = { all: prepare, column: statementCache(db, true) };
  const { change, append, ...changes } = createChanges(prepare, counter);

  /** As long as the transaction has not changed what it is read from, what was committed last is what there is. */
  const cacheOf = (from: keyof ReadCaches): ReadCache | undefined =>
    changes.isTouched(from) ? undefined : caches?.[from];

  const directoryVersion = (): number | undefined => cacheOf('directory')?.version();

  function ask({ from, key, read }: Extract<Statement, { kind: 'kept' }>): unknown {
    const asked = (): unknown => runThrough(read(), perform);
    const cache = cacheOf(from);
    return cache === undefined ? asked() : cache.answerTo(key, asked);
  }

  const perform = (statement: Statement): unknown =>
    statement.kind === 'pause' ? undefined : execute(statement);

  function execute(statement: Exclude<Statement, { kind: 'pause' }>): unknown {
    switch (statement.kind) {
      case 'run':
        return change(statement.sql, statement.values).changes;
      case 'insert':
        return Number(change(statement.sql, statement.values).lastInsertRowid);
      case 'one':
        return prepare(statement.sql).statement.get(statement.values);
      case 'all':
      case 'column':
        return listing[statement.kind](statement.sql).statement.all(statement.values);
      case 'event':
        return append(statement.event);
      case 'last-event-id':
        return counter.last();
      case 'directory-version':
        return directoryVersion();
      case 'kept-rows':
        return messages?.current();
      case 'kept':
        return ask(statement);
    }
  }

  return {
    drive: (operation) => runThrough(operation, perform),
    driveOn: (operation, ms) => runOn(operation, perform, ms),
    ...changes,
  };
}
