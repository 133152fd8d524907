/** A small organization that is searched, and what its index has come to. */
import { searchOperations } from '#service/features/reading/operations/search.ts';
import { yieldToOthers } from '#service/core/yield-thread.ts';
import { searchOf } from '#shared/search/query.ts';
import type { PageSelection, Store } from '#service/db/port.ts';
import { searchFileOf } from '#service/db/sqlite/search-file.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  plainStream,
  seedRealm,
  temporaryFile,
  toStream,
} from './store.ts';

export const held: PageSelection = { userId: 2, base: 'held', predicates: [] };

/** Undefined while the index has not come to the oldest message. */
export const indexedThrough = (file: string): unknown =>
  connectForTest(searchFileOf(file))
    .prepare('SELECT indexed_through FROM search_progress WHERE indexed_from = 1')
    .pluck()
    .get();

/** Two streams of which account 2 is in the first. */
export async function openSeeded(file = temporaryFile()): Promise<Store> {
  const store = await openForTest(file);
  await seedRealm(store, {
    roles: ['member', 'member'],
    streams: [
      { stream: plainStream('general'), memberIds: [1, 2] },
      { stream: plainStream('other'), memberIds: [1] },
    ],
  });
  return store;
}

export const say = (store: Store, content: string, streamId = 1): Promise<number> =>
  store.appendMessage(newMessage({ content, target: toStream(streamId) }));

export async function found(
  store: Store,
  wanted: readonly string[],
  unwanted: readonly string[] = [],
  selection = held,
): Promise<number[]> {
  const searching = searchOperations(store, yieldToOthers);
  const place = { selection, search: searchOf(wanted, unwanted) };
  const counts = { before: 1000, after: 0 };
  return (await searching.page(place, Number.MAX_SAFE_INTEGER, counts)).rows.map(({ id }) => id);
}
