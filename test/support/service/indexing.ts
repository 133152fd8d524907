/** The search index written where the test runs, without a thread. */
import { indexEntry } from '../../../src-main/service/domain/rules/messages/index-entry.ts';
import type { IndexedBlock, Indexing, Store } from '../../../src-main/service/store/port.ts';
import { openIndexWriter } from '../../../src-main/service/store/sqlite/search-indexing.ts';

/** @param file  an open database */
export const indexingHere = (file: string): Indexing => ({
  async index() {
    const writer = openIndexWriter(file, indexEntry);
    try {
      return writer.index();
    } finally {
      writer.close();
    }
  },
  rest: async () => undefined,
});

/** One block, and what the store is told of it. */
export async function indexBlock(
  store: Store,
  file: string,
  { entryOf = indexEntry, messages = 256 } = {},
): Promise<IndexedBlock> {
  const writer = openIndexWriter(file, entryOf, messages);
  try {
    const block = writer.index();
    await store.settleIndexed(block.settled);
    return block;
  } finally {
    writer.close();
  }
}

/** Everything that waits. */
export async function indexAll(store: Store, file: string): Promise<void> {
  while ((await indexBlock(store, file)).isBehind);
}
