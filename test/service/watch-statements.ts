/** Holds each statement of an operation that a test runs against `scansOf`: this runs before each file. */
import Database from 'better-sqlite3';
import { afterEach, expect } from 'vitest';
import { scansOf } from '../support/service/statement-plans.ts';

type Prepare = (this: Database.Database, sql: string) => Database.Statement;

/** One for the process: modules are loaded once for many files, and this one before each. */
const watched = Symbol.for('the statements of operations');
interface Watched {
  readonly seen: Set<string>;
  scans: string[];
}
const prototype = Database.prototype as unknown as {
  prepare: Prepare;
  [watched]: Watched | undefined;
};

/** What the tests themselves prepare, and a restore, may read what it likes. */
const isOfOperation = (): boolean =>
  new Error('here').stack?.split('\n')[3]?.includes('/store/sqlite/drive.ts') === true;

function watch(): Watched {
  const state: Watched = { seen: new Set(), scans: [] };
  const { prepare } = prototype;
  prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    if (!state.seen.has(sql) && isOfOperation()) {
      state.seen.add(sql);
      state.scans.push(...scansOf(this, sql));
    }
    return statement;
  };
  return state;
}

const state = (prototype[watched] ??= watch());

afterEach(() => {
  const { scans } = state;
  state.scans = [];
  expect(scans, 'statements that read a table that grows from one end to the other').toEqual([]);
});
