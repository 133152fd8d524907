/** What is kept in a browser: only as long as the tab is open. */
import type { AccountStore, KeyStore } from '../../src-main/client/ports.ts';
import type { Account } from '../../src-main/contract/models/client.ts';

const ACCOUNTS = 'hearth.accounts';
const keyName = (accountId: string): string => `hearth.key.${accountId}`;

export const tabKeys: KeyStore = {
  find: async (accountId) => sessionStorage.getItem(keyName(accountId)) ?? undefined,
  save: async (accountId, key) => {
    sessionStorage.setItem(keyName(accountId), key);
  },
  remove: async (accountId) => {
    sessionStorage.removeItem(keyName(accountId));
  },
};

export const tabAccounts: AccountStore = {
  // Nothing but this object writes here.
  list: async () => JSON.parse(sessionStorage.getItem(ACCOUNTS) ?? '[]') as readonly Account[],
  save: async (accounts) => {
    sessionStorage.setItem(ACCOUNTS, JSON.stringify(accounts));
  },
};
