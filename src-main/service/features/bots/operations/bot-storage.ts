/** Texts that an account keeps here under keys of its own (API decisions 7.4). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { MAX_STORAGE_BYTES } from '../rules/bots.ts';

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

const missing = (): Error => refusal('no_such_storage_key');

export const botStorageOperations = (store: Store): BotStorageOperations => ({
  put: (known, storage) =>
    change(store, known, function* (tx, { userId }) {
      const entries = Object.entries(storage);
      if (entries.some((pair) => pair.some((text) => text.includes('\0')))) {
        throw refusal('storage_with_nul');
      }
      for (const [key, value] of entries) yield* tx.putStored(userId, key, value);
      const bytes = yield* tx.countStoredBytes(userId);
      if (bytes > MAX_STORAGE_BYTES) {
        throw refusal('storage_too_large', { bytes, limit: MAX_STORAGE_BYTES });
      }
    }),
  async get(caller, keys) {
    const stored = new Map(
      (await store.listStorage(caller.userId)).map(({ key, value }) => [key, value]),
    );
    const wanted = keys ?? [...stored.keys()];
    return Object.fromEntries(
      wanted.map((key) => {
        const value = stored.get(key);
        if (value === undefined) throw missing();
        return [key, value];
      }),
    );
  },
  remove: (known, keys) =>
    change(store, known, function* (tx, { userId }) {
      if (keys === undefined) return yield* tx.forgetStored(userId, null);
      const stored = new Set((yield* tx.listStorage(userId)).map(({ key }) => key));
      const wanted = new Set(keys);
      for (const key of wanted) if (!stored.has(key)) throw missing();
      for (const key of wanted) yield* tx.forgetStored(userId, key);
    }),
});
