/**
 * Who is signed in in this browser: in a tab alone, until it is closed, or in all tabs, until they sign out, as each person
 * chose. A tab shows its own accounts and those of all tabs.
 */
import type { AccountStore, KeyStore } from '#client/ports.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { browserWords } from '#shared/i18n/browser-words.ts';

const ACCOUNTS = 'hearth.accounts';

export interface WebSignIns {
  readonly keys: KeyStore;
  readonly accounts: AccountStore;
  /** Whoever signs in by the call stays signed in in all tabs; undefined leaves it as it is, or with this tab. */
  readonly staying: <T>(isStaying: boolean | undefined, signIn: () => Promise<T>) => Promise<T>;
  /** Another tab signed somebody in or out of all tabs, or keeps a newer key: what this one shows is of before. */
  readonly isOutdated: () => boolean;
}

const nameOf = (accountId: string): string => `hearth.key.${accountId}`;

export const hasKey = (storage: Storage, accountId: string): boolean =>
  storage.getItem(nameOf(accountId)) !== null;

/** Null in a browser that refuses it. */
function allTabs(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Another version of the page may have written it. */
function listIn(storage: Storage | null): readonly Account[] {
  try {
    return JSON.parse(storage?.getItem(ACCOUNTS) ?? '[]') as readonly Account[];
  } catch {
    return [];
  }
}

function saveIn(storage: Storage, accounts: readonly Account[]): void {
  if (accounts.length === 0) storage.removeItem(ACCOUNTS);
  else storage.setItem(ACCOUNTS, JSON.stringify(accounts));
}

/** The keys of all tabs, as this one uses them. */
type SharedKeys = Map<string, string>;

const isShared = (accountId: string): boolean => {
  const all = allTabs();
  return !hasKey(sessionStorage, accountId) && all !== null && hasKey(all, accountId);
};

function createKeys(shared: SharedKeys, choice: () => boolean | undefined): KeyStore {
  function saveInAll(accountId: string, key: string): void {
    try {
      localStorage.setItem(nameOf(accountId), key);
    } catch (error) {
      // The code by which the sentence is taken for one that a person may read.
      const told = browserWords('browser_keeps_no_sign_ins');
      throw Object.assign(new ExplainedError(told, { cause: error }), { code: 'NO_KEYCHAIN' });
    }
    sessionStorage.removeItem(nameOf(accountId));
    shared.set(accountId, key);
  }

  return {
    find: async (accountId) => {
      if (!isShared(accountId)) return sessionStorage.getItem(nameOf(accountId)) ?? undefined;
      const key = localStorage.getItem(nameOf(accountId)) ?? '';
      shared.set(accountId, key);
      return key;
    },
    save: async (accountId, key) => {
      if (choice() ?? isShared(accountId)) saveInAll(accountId, key);
      else sessionStorage.setItem(nameOf(accountId), key);
    },
    remove: async (accountId) => {
      shared.delete(accountId);
      sessionStorage.removeItem(nameOf(accountId));
      allTabs()?.removeItem(nameOf(accountId));
    },
  };
}

export function createWebSignIns(): WebSignIns {
  /** Whatever this tab has listed or saved; what others add to the list of all tabs stays there. */
  const known = new Set<string>();
  const shared: SharedKeys = new Map();
  let shown: readonly Account[] = [];
  let isStaying: boolean | undefined;

  function show(accounts: readonly Account[]): void {
    shown = accounts;
    for (const { id } of accounts) known.add(id);
  }

  return {
    keys: createKeys(shared, () => isStaying),
    accounts: {
      list: async () => {
        const own = listIn(sessionStorage);
        const others = listIn(allTabs()).filter(({ id }) => own.every((each) => each.id !== id));
        show([...own, ...others]);
        return shown;
      },
      save: async (accounts) => {
        const all = allTabs();
        const added = listIn(all).filter(({ id }) => !known.has(id));
        show(accounts);
        const inAll = accounts.filter(({ id }) => isShared(id));
        if (all !== null) saveIn(all, [...added, ...inAll]);
        saveIn(
          sessionStorage,
          accounts.filter((account) => !inAll.includes(account)),
        );
      },
    },
    staying: async (choice, signIn) => {
      isStaying = choice;
      try {
        return await signIn();
      } finally {
        isStaying = undefined;
      }
    },
    isOutdated: () => {
      const all = allTabs();
      if (all === null) return false;
      if (shown.length === 0 && listIn(all).length > 0) return true;
      return [...shared].some(([accountId, key]) => all.getItem(nameOf(accountId)) !== key);
    },
  };
}
