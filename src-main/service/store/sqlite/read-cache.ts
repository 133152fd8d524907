/** Answers to reads that are asked all the time and change seldom, kept until what they were read from changes. */
import type Database from 'better-sqlite3';
import type { KeptFrom } from '../operation.ts';

const MAX_ANSWERS = 50_000;

/** Tables that kept answers are read from. */
const TABLES: ReadonlyMap<string, KeptFrom> = new Map<string, KeptFrom>([
  ['account', 'directory'],
  ['alert_word', 'directory'],
  ['bot_service', 'directory'],
  ['conversation', 'directory'],
  ['device', 'directory'],
  ['emoji', 'directory'],
  ['kept_version', 'directory'],
  ['linkifier', 'directory'],
  ['lost_access', 'directory'],
  ['membership', 'directory'],
  ['message', 'messages'],
  ['realm', 'directory'],
  ['stream', 'directory'],
  ['client', 'names'],
  ['message_hour', 'names'],
  ['topic', 'names'],
]);

const all: readonly KeptFrom[] = ['directory', 'names', 'messages'];
const none: readonly KeptFrom[] = [];
/** A message that is added changes none that was there. */
const ADDS = /^\s*INSERT\s+INTO\s+message\b/i;

const TARGET = /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|UPDATE|DELETE\s+FROM|REPLACE\s+INTO)\s+(\w+)/i;

/** Which kept answers a statement can change; about one that begins with WITH nothing is known. */
export function touchedBy(sql: string): readonly KeptFrom[] {
  if (/^\s*WITH\b/i.test(sql)) return all;
  if (ADDS.test(sql)) return none;
  const table = TABLES.get(TARGET.exec(sql)?.[1] ?? '');
  return table === undefined ? none : [table];
}

/** One for all that is read from the same tables. */
export type ReadCaches = Readonly<Record<Exclude<KeptFrom, 'messages'>, ReadCache>>;

export interface ReadCache {
  /** The kept answer; `read` is asked where there is none. */
  readonly answer: (name: string, values: readonly unknown[], read: () => unknown) => unknown;
  /** The same, by one key. */
  readonly answerTo: (key: string, read: () => unknown) => unknown;
  /** Another number as soon as something was forgotten. */
  readonly version: () => number;
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
  let forgotten = 0;

  function clear(): void {
    answers.clear();
    forgotten += 1;
  }

  /** Once for everything that happens in one turn of the event loop: asking costs as much as a small read. */
  function check(): void {
    if (isChecked) return;
    isChecked = true;
    setImmediate(() => (isChecked = false));
    const current = version.get();
    if (current === known && answers.size < MAX_ANSWERS) return;
    known = current;
    clear();
  }

  function answerTo(key: string, read: () => unknown): unknown {
    check();
    const kept = answers.get(key);
    if (kept !== undefined) return kept;
    const answer = read();
    // What is not there is asked for by mistake, and could be anything.
    if (answer !== undefined) answers.set(key, answer);
    return answer;
  }

  return {
    answerTo,
    answer: (name, values, read) => answerTo(`${name} ${values.join('\u0000')}`, read),
    version() {
      check();
      return forgotten;
    },
    clear,
  };
}
