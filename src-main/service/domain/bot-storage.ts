/** Texts that an account keeps here under keys of its own (API decisions, section 7.4). */
import { badRequest } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { Store } from '../store/port.ts';
import { MAX_STORAGE_BYTES } from './rules/bots.ts';

export interface BotStorageOperations {
  /** Replaces what is stored under the same keys. @throws BAD_REQUEST over 1 MiB in all */
  readonly put: (caller: Caller, storage: Readonly<Record<string, string>>) => Promise<void>;
  /** @param keys  undefined for all  @throws BAD_REQUEST when one of them is missing */
  readonly get: (
    caller: Caller,
    keys: readonly string[] | undefined,
  ) => Promise<Record<string, string>>;
  /** @param keys  undefined for all  @throws BAD_REQUEST when one of them is missing */
  readonly remove: (caller: Caller, keys: readonly string[] | undefined) => Promise<void>;
}

export const botStorageOperations = (
  store: Pick<Store, 'deleteStorage' | 'listStorage' | 'putStorage'>,
): BotStorageOperations => ({
  async put(caller, storage) {
    const entries = Object.entries(storage);
    if (entries.some((pair) => pair.some((text) => text.includes('\0')))) {
      throw badRequest('Storage must not contain NUL');
    }
    await store.putStorage(caller.userId, entries, MAX_STORAGE_BYTES);
  },
  async get(caller, keys) {
    const stored = new Map(
      (await store.listStorage(caller.userId)).map(({ key, value }) => [key, value]),
    );
    const wanted = keys ?? [...stored.keys()];
    return Object.fromEntries(
      wanted.map((key) => {
        const value = stored.get(key);
        if (value === undefined) throw badRequest('Key does not exist.');
        return [key, value];
      }),
    );
  },
  remove: (caller, keys) => store.deleteStorage(caller.userId, keys ?? null),
});
