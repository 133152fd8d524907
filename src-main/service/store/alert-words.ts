/** Alert words (API decisions, section 7.3). */
import { badRequest } from '../../contract/errors.ts';
import { findOne, list, type Operation, record, run } from './operation.ts';

const LIST = 'SELECT word FROM alert_word WHERE account_id = :userId ORDER BY position';
const LIST_ALL = 'SELECT word_key, account_id FROM alert_word ORDER BY word_key, account_id';
const NEXT_POSITION = `SELECT COUNT(*) AS count, COALESCE(MAX(position), -1) + 1 AS position
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

function* announce(userId: number): Operation<readonly string[]> {
  const words = yield* alertWordReads.listAlertWords(userId);
  const audience = { kind: 'users', userIds: [userId] } as const;
  yield* record({ type: 'alert_words', audience, payload: { alert_words: words } });
  return words;
}

export const alertWordWrites = {
  /**
   * Adds words that are not there yet; answers all.
   * @param words  each with the key by which it is compared
   * @throws BAD_REQUEST when that would be more than `limit`
   */
  *addAlertWords(
    userId: number,
    words: readonly { readonly word: string; readonly key: string }[],
    limit: number,
  ): Operation<readonly string[]> {
    const known = yield* findOne<{ count: number; position: number }>(NEXT_POSITION, { userId });
    const { count, position } = known ?? { count: 0, position: 0 };
    let added = 0;
    for (const { word, key } of words) {
      added += yield* run(INSERT, { userId, word, key, position: position + added });
    }
    if (added === 0) return yield* alertWordReads.listAlertWords(userId);
    if (count + added > limit) throw badRequest(`Too many alert words (limit: ${String(limit)})`);
    return yield* announce(userId);
  },
  /** Removes words; answers those that are left. @param keys  as they are compared */
  *removeAlertWords(userId: number, keys: readonly string[]): Operation<readonly string[]> {
    let removed = 0;
    for (const key of keys) removed += yield* run(DELETE, { userId, key });
    return removed === 0 ? yield* alertWordReads.listAlertWords(userId) : yield* announce(userId);
  },
};
