/** Answers to reads that are asked all the time and change seldom, kept until what they were read from changes. */
import type Database from 'better-sqlite3';

const MAX_ANSWERS = 50_000;

/** Tables that the kept answers are read from: who there is, and who belongs to what. */
const TABLES = new Set([
  'account',
  'alert_word',
  'bot_service',
  'conversation',
  'device',
  'emoji',
  'linkifier',
  'membership',
  'realm',
  'stream',
]);

const TARGET = /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|UPDATE|DELETE\s+FROM|REPLACE\s+INTO)\s+(\w+)/i;

/** Whether a statement can change what kept answers were read from; of one that begins with WITH nothing is known. */
export const touchesKept = (sql: string): boolean =>
  /^\s*WITH\b/i.test(sql) || TABLES.has(TARGET.exec(sql)?.[1] ?? '');

export interface ReadCache {
  /** The kept answer; `read` is asked where there is none. */
  readonly answer: (name: string, values: readonly unknown[], read: () => unknown) => unknown;
  /** Forgets everything: call it after a commit that touched one of the tables. */
  readonly clear: () => void;
}

/**
 * @param writing  the writing connection: its `data_version` changes when anybody else writes into the file, and only
 *                 then, so that what another program did there is seen as well
 */
export function createReadCache(writing: Database.Database): ReadCache {
  const version = writing.prepare<[], number>('PRAGMA data_version').pluck();
  const answers = new Map<string, unknown>();
  let known = version.get();
  let isChecked = false;

  /** Once for everything that happens in one turn of the event loop: asking costs as much as a small read. */
  function check(): void {
    if (isChecked) return;
    isChecked = true;
    setImmediate(() => (isChecked = false));
    const current = version.get();
    if (current === known && answers.size < MAX_ANSWERS) return;
    known = current;
    answers.clear();
  }

  return {
    answer(name, values, read) {
      check();
      const key = `${name} ${values.join('\u0000')}`;
      const kept = answers.get(key);
      if (kept !== undefined) return kept;
      const answer = read();
      // What is not there is asked for by mistake, and could be anything.
      if (answer !== undefined) answers.set(key, answer);
      return answer;
    },
    clear() {
      answers.clear();
    },
  };
}
