/** Where the data of the joined accounts is kept: a folder of the profile for each. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createMemoryCache } from '#client/cache/memory-cache.ts';
import { type Cache, CacheError } from '#client/cache/port.ts';
import type { OutboxStore } from '#client/outbox/outbox-store.ts';
import type { AccountStorage } from '#client/ports.ts';
import { openSqliteCache } from './cache/sqlite-cache.ts';
import { createLostFile } from './lost-messages-file.ts';
import { openSqliteOutbox } from './outbox-store.ts';
import { createUploadsFile } from './uploads-file.ts';

const MAX_READABLE = 40;

/** Readable for whoever looks for it, and never the same for two accounts: the id is not a name of a file. */
export function accountFolder(accountId: string): string {
  const digest = createHash('sha256').update(accountId).digest('hex').slice(0, 16);
  const readable = accountId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MAX_READABLE);
  return `${readable}-${digest}`;
}

function openCache(file: string): ReturnType<AccountStorage['openCache']> {
  try {
    return openSqliteCache(file);
  } catch (error) {
    if (!(error instanceof CacheError)) throw error;
    // Everything goes on, without what could have been read offline.
    return { cache: createMemoryCache(), problem: error.message };
  }
}

export interface DesktopAccountStorage extends AccountStorage {
  /** Gives back the memory of what was read of the caches. */
  readonly returnMemory: () => void;
}

export function createAccountStorage(profileDir: string): DesktopAccountStorage {
  const accountsDir = join(profileDir, 'accounts');
  const opened = new Map<string, (Cache | OutboxStore)[]>();
  const folderOf = (accountId: string): string => join(accountsDir, accountFolder(accountId));

  function remember(accountId: string, store: Cache | OutboxStore): void {
    const stores = opened.get(accountId) ?? [];
    stores.push(store);
    opened.set(accountId, stores);
  }

  return {
    openCache: (accountId) => {
      const found = openCache(join(folderOf(accountId), 'cache.db'));
      remember(accountId, found.cache);
      return found;
    },
    openOutbox: (accountId) => {
      const found = openSqliteOutbox(join(folderOf(accountId), 'outbox.db'));
      remember(accountId, found.outbox);
      return found;
    },
    returnMemory() {
      for (const store of [...opened.values()].flat()) {
        if ('returnMemory' in store) store.returnMemory();
      }
    },
    openUploads: (accountId) => createUploadsFile(folderOf(accountId)),
    openLost: (accountId) => createLostFile(folderOf(accountId)),
    remove: async (accountId) => {
      // Some systems do not remove files that are open.
      for (const store of opened.get(accountId) ?? []) store.close();
      opened.delete(accountId);
      await rm(folderOf(accountId), { recursive: true, force: true });
    },
  };
}
