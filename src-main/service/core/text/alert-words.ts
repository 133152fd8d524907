/** Alert words of accounts, and who is alerted by a message (API decisions 5 and 7.3). */
import type { Caller } from '../ports/handlers.ts';
import type { Operation, Store, Transaction } from '#service/db/port.ts';
import { refusal } from '#shared/api/refusal.ts';
import { change } from '../change.ts';
import { fold } from '#shared/text/fold.ts';
import {
  checkAlertWords,
  findAlerted,
  MAX_ALERT_WORDS,
  type Watchers,
} from '../rules/alert-words.ts';

export interface AlertWordOperations {
  /** The words in the order in which they were added. */
  readonly listAlertWords: (caller: Caller) => Promise<readonly string[]>;
  /** Answers all of the caller's words. @throws BAD_REQUEST when one is too long, or there are too many */
  readonly addAlertWords: (caller: Caller, words: readonly string[]) => Promise<readonly string[]>;
  /** Answers those that are left. */
  readonly removeAlertWords: (
    caller: Caller,
    words: readonly string[],
  ) => Promise<readonly string[]>;
}

/** All words of the organization, kept in memory so that sending asks no database. */
export interface Alerts {
  /** Accounts to be alerted by a rendered message, whether or not they hold it. */
  readonly find: (html: string) => Promise<readonly number[]>;
}

export function createAlerts(store: Store): Alerts {
  let known: Promise<Watchers> | null = null;

  function load(): Promise<Watchers> {
    const loading = store.listWatchers();
    loading.catch(() => {
      known = null;
    });
    return loading;
  }

  store.onCommit((events) => {
    if (events.some(({ type }) => type === 'alert_words')) known = null;
  });
  return {
    async find(html) {
      known ??= load();
      return findAlerted(await known, html);
    },
  };
}

export const alertWordOperations = (store: Store): AlertWordOperations => ({
  listAlertWords: ({ userId }) => store.listAlertWords(userId),
  addAlertWords: (known, words) =>
    change(store, known, function* (tx, { userId }) {
      const checked = checkAlertWords(words);
      const before = yield* tx.listAlertWords(userId);
      const had = new Set(before.map(fold));
      const wanted = checked.filter(({ key }) => !had.has(key));
      if (wanted.length === 0) return before;
      if (before.length + wanted.length > MAX_ALERT_WORDS) {
        throw refusal('too_many_alert_words', { limit: MAX_ALERT_WORDS });
      }
      yield* tx.insertAlertWords(userId, wanted);
      return yield* announce(tx, userId);
    }),
  removeAlertWords: (known, words) =>
    change(store, known, function* (tx, { userId }) {
      const removed = yield* tx.deleteAlertWords(userId, words.map(fold));
      return removed === 0 ? yield* tx.listAlertWords(userId) : yield* announce(tx, userId);
    }),
});

function* announce(tx: Transaction, userId: number): Operation<readonly string[]> {
  const words = yield* tx.listAlertWords(userId);
  const audience = { kind: 'users', userIds: [userId] } as const;
  yield* tx.record({ type: 'alert_words', audience, payload: { alert_words: words } });
  return words;
}
