/** Puts one message after the other into the cache whose file is named, each with its position, until it is killed. */
import { openSqliteCache } from '#desktop/storage/cache/sqlite-cache.ts';
import { cachedMessageOf } from './kept-messages.ts';

const { cache } = openSqliteCache(process.argv[2] ?? '');
for (let id = 1; ; id += 1) {
  cache.transact(() => {
    cache.put([cachedMessageOf(id)]);
    cache.apply({
      type: 'update_message_flags',
      op: 'add',
      flag: 'starred',
      messages: [id],
      all: false,
    });
    const position = { queueId: 'q', lastEventId: id, newestMessageId: id, liveUntilSeconds: id };
    cache.saveSession(position, { count: id });
  });
  if (id % 20 === 0) process.stdout.write(`${String(id)}\n`);
}
