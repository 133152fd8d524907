/** Pages of messages, narrows and searches, and what each account has read. */
import type { FeatureContext } from '#service/core/feature-context.ts';
import { macFunctionOf } from '#service/core/rules/message-macs.ts';
import type { Indexing } from '#service/db/port.ts';
import { pointerHandlers } from './handlers/pointer.ts';
import { readStateHandlers } from './handlers/read-state.ts';
import { searchHandlers } from './handlers/search.ts';
import { matchOperations } from './operations/matches.ts';
import { historyOperations } from './operations/message-pages.ts';
import { pointerOperations } from './operations/pointer.ts';
import { readStateOperations } from './operations/read-state.ts';
import { startSearchIndexer } from './operations/search-indexer.ts';
import { searchOperations } from './operations/search.ts';

export async function createReading(
  { store, clock, log, credentials, pause }: FeatureContext,
  indexing: Indexing,
) {
  const indexer = await startSearchIndexer({ store, indexing, clock, log });
  const searching = searchOperations(store, pause);
  const prove = macFunctionOf(credentials.apiKeys.messageMac);
  return {
    handlers: {
      search: searchHandlers(matchOperations(store, searching)),
      readState: readStateHandlers(readStateOperations(store)),
      pointer: pointerHandlers(pointerOperations(store)),
    },
    history: historyOperations(store, searching, prove),
    stop: () => indexer.stop(),
  };
}
