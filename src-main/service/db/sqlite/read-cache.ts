/** Answers to reads that are asked all the time and change seldom, kept until what they were read from changes. */
import type Database from 'better-sqlite3';
import type { CachedFrom } from '../operation.ts';

const MAX_ANSWERS = 50_000;

/** Tables that kept answers are read from, and others that the account snapshot beside archives tells of. */
const TABLES: ReadonlyMap<string, CachedFrom> = new Map<string, CachedFrom>([
  ['account', 'directory'],
  ['alert_word', 'directory'],
  ['bot_hook', 'directory'],
  ['bot_secret', 'directory'],
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
  ['user_group', 'directory'],
  ['user_group_member', 'directory'],
  ['client', 'names'],
  ['message_hour', 'names'],
  ['topic', 'names'],
]);

const all: readonly CachedFrom[] = ['directory', 'names', 'messages'];
const none: readonly CachedFrom[] = [];
/** A message that is added changes none that was there. */
const ADDS = /^\s*INSERT\s+INTO\s+message\b/i;

const TARGET = /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|UPDATE|DELETE\s+FROM|REPLACE\s+INTO)\s+(\w+)/i;

/** Which kept answers a statement can change; about one that begins with WITH nothing is known. */
export function touchedBy(sql: string): readonly CachedFrom[] {
  if (/^\s*WITH\b/i.test(sql)) return all;
  if (ADDS.test(sql)) return none;
  const table = TABLES.get(TARGET.exec(sql)?.[1] ?? '');
  return table === undefined ? none : [table];
}

/** One for all that is read from the same tables. */
export type ReadCaches = Readonly<Record<Exclude<CachedFrom, 'messages'>, ReadCache>>;

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
 * A number that is another one once anybody else has written into the file. Nothing of Hearth does beside an open store,
 * which holds a lock; a person with a tool of SQLite can, and that is seen as well. It is not asked for each time, because
 * that costs as much as a small read.
 * @param writing  the writing connection: its `data_version` changes when others write, and only then
 * @param seenWithinMs  0 for the next turn of the event loop
 */
export function createFileVersion(writing: Database.Database, seenWithinMs: number): () => number {
  const ask = writing.prepare<[], number>('PRAGMA data_version').pluck();
  let known: number | undefined;
  const forget = (): void => void (known = undefined);
  return () => {
    if (known === undefined) {
      known = ask.get() ?? 0;
      if (seenWithinMs === 0) setImmediate(forget);
      else setTimeout(forget, seenWithinMs).unref();
    }
    return known;
  };
}

/** @param fileVersion  one for all caches of a file */
export function createReadCache(fileVersion: () => number): ReadCache {
  const answers = new Map<string, unknown>();
  let known = fileVersion();
  let forgotten = 0;

  function clear(): void {
    answers.clear();
    forgotten += 1;
  }

  function check(): void {
    const current = fileVersion();
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
