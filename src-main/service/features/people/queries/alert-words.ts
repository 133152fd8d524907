/** Alert words (API decisions 7.3). */
import { findOne, list, type Operation, run } from '#service/db/operation.ts';

const LIST = 'SELECT word FROM alert_word WHERE account_id = :userId ORDER BY position';
const LIST_ALL = 'SELECT word_key, account_id FROM alert_word ORDER BY word_key, account_id';
const NEXT_POSITION = `SELECT COALESCE(MAX(position), -1) + 1 AS position
  FROM alert_word WHERE account_id = :userId`;
const INSERT = `INSERT INTO alert_word (account_id, word_key, word, position)
  VALUES (:userId, :key, :word, :position) ON CONFLICT (account_id, word_key) DO NOTHING`;
const DELETE = 'DELETE FROM alert_word WHERE account_id = :userId AND word_key = :key';

export const alertWordReads = {
  /** In the order in which they were added. */
  *listAlertWords(userId: number): Operation<readonly string[]> {
    return (yield* list<{ word: string }>(LIST, { userId })).map((row) => row.word);
  },
  /** Every word, folded, with the accounts that watch for it. */
  *listWatchers(): Operation<ReadonlyMap<string, readonly number[]>> {
    const watchers = new Map<string, number[]>();
    const rows = yield* list<{ word_key: string; account_id: number }>(LIST_ALL);
    for (const row of rows) {
      const known = watchers.get(row.word_key);
      if (known === undefined) watchers.set(row.word_key, [row.account_id]);
      else known.push(row.account_id);
    }
    return watchers;
  },
};

export const alertWordWrites = {
  /** Adds words that are not there yet. @param words  each with the key by which it is compared */
  *insertAlertWords(
    userId: number,
    words: readonly { readonly word: string; readonly key: string }[],
  ): Operation<void> {
    const known = yield* findOne<{ position: number }>(NEXT_POSITION, { userId });
    const first = known?.position ?? 0;
    for (const [index, { word, key }] of words.entries()) {
      yield* run(INSERT, { userId, word, key, position: first + index });
    }
  },
  /** Answers how many were there. @param keys  as they are compared */
  *deleteAlertWords(userId: number, keys: readonly string[]): Operation<number> {
    let deleted = 0;
    for (const key of keys) deleted += yield* run(DELETE, { userId, key });
    return deleted;
  },
};
