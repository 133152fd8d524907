/** The worker thread that writes the search index; `indexing.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads';
import { indexEntry } from './service/domain/rules/messages/index-entry.ts';
import type { IndexedBlock } from './service/store/port.ts';
import { openIndexWriter } from './service/store/sqlite/search-indexing.ts';

if (parentPort === null) throw new Error('indexing-worker runs as a worker thread only');
const port = parentPort;
const { databaseFile } = workerData as { readonly databaseFile: string };
const writer = openIndexWriter(databaseFile, indexEntry);

port.on('message', (wanted: 'index' | 'end') => {
  if (wanted === 'end') {
    writer.close();
    port.close();
    return;
  }
  port.postMessage(writer.index() satisfies IndexedBlock);
});
