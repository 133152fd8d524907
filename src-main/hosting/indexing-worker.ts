/** The worker thread that writes the search index; `indexing.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads';
import { yieldProcessor } from '#node/threads/priority.ts';
import { indexEntry } from '#service/features/reading/rules/index-entry.ts';
import type { IndexedBlock } from '#service/db/port.ts';
import type { IndexingRequest } from './indexing.ts';
import { copyLog, openIndexWriter } from '#service/db/sqlite/search-indexing.ts';

/** As far as it goes. */
const NICER_BY = 19;

if (parentPort === null) throw new Error('indexing-worker runs as a worker thread only');
const port = parentPort;
// Nobody waits for it: what it has not come to is found without it.
yieldProcessor(NICER_BY);
const { databaseFile } = workerData as { readonly databaseFile: string };
const writer = openIndexWriter(databaseFile, indexEntry);

port.on('message', (wanted: IndexingRequest) => {
  switch (wanted) {
    case 'end':
      writer.close();
      port.close();
      return;
    case 'copy-log':
      copyLog(databaseFile);
      port.postMessage(null);
      return;
    case 'index':
      port.postMessage(writer.index() satisfies IndexedBlock);
  }
});
