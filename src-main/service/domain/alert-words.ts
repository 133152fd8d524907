/** Alert words of accounts, and who is alerted by a message (API decisions, sections 5 and 7.3). */
import type { Caller } from '../../contract/handlers.ts';
import type { LoggedEvent } from '../../contract/log.ts';
import type { Store } from '../store/port.ts';
import { fold } from '../../contract/fold.ts';
import {
  checkAlertWords,
  findAlerted,
  MAX_ALERT_WORDS,
  type Watchers,
} from './rules/alert-words.ts';

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
  /** Forgets what a committed event changed. */
  readonly forget: (event: LoggedEvent) => void;
}

export function createAlerts(store: Pick<Store, 'listWatchers'>): Alerts {
  let known: Promise<Watchers> | null = null;

  function load(): Promise<Watchers> {
    const loading = store.listWatchers();
    loading.catch(() => {
      known = null;
    });
    return loading;
  }

  return {
    async find(html) {
      known ??= load();
      return findAlerted(await known, html);
    },
    forget(event) {
      if (event.type === 'alert_words') known = null;
    },
  };
}

export const alertWordOperations = (
  store: Pick<Store, 'addAlertWords' | 'listAlertWords' | 'removeAlertWords'>,
): AlertWordOperations => ({
  listAlertWords: ({ userId }) => store.listAlertWords(userId),
  async addAlertWords({ userId }, words) {
    return store.addAlertWords(userId, checkAlertWords(words), MAX_ALERT_WORDS);
  },
  removeAlertWords: ({ userId }, words) => store.removeAlertWords(userId, words.map(fold)),
});
