/** The search index written where the test runs, without a thread. */
import { indexEntry } from '#service/features/reading/rules/index-entry.ts';
import type { IndexedBlock, Indexing, Store } from '#service/db/port.ts';
import type { EntryOf } from '#service/features/reading/queries/search.ts';
import { openIndexWriter } from '#service/db/sqlite/search-indexing.ts';

/** @param file  an open database */
function writeBlock(file: string, entryOf: EntryOf = indexEntry, messages?: number): IndexedBlock {
  const writer = openIndexWriter(file, entryOf, messages);
  try {
    return writer.index();
  } finally {
    writer.close();
  }
}

export const indexingHere = (file: string): Indexing => ({
  index: async () => writeBlock(file),
  rest: async () => undefined,
});

/** One block, and what the store is told of it. */
export async function indexBlock(
  store: Store,
  file: string,
  { entryOf, messages }: { readonly entryOf?: EntryOf; readonly messages?: number } = {},
): Promise<IndexedBlock> {
  const block = writeBlock(file, entryOf, messages);
  await store.settleIndexed(block.settled);
  return block;
}

/** Everything that waits. */
export async function indexAll(store: Store, file: string): Promise<void> {
  while ((await indexBlock(store, file)).isBehind);
}
