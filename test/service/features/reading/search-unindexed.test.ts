/** Searches in a service whose index was lost and comes as far as the test lets it. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { indexEntry } from '#service/features/reading/rules/index-entry.ts';
import { searchFileOf } from '#service/db/sqlite/search-file.ts';
import { openIndexWriter } from '#service/db/sqlite/search-indexing.ts';
import { ada, ben, type Params, type TestService } from '#test/support/service/api.ts';
import { startUnindexed } from '#test/support/service/between.ts';

let service: TestService;
const ids: number[] = [];

beforeAll(async () => {
  service = await startUnindexed();
  for (let n = 0; n < 6; n += 1)
    ids.push(await service.say(ada, 'general', 'animals', `wombat ${String(n)}`));
  await service.halt();
  rmSync(searchFileOf(service.file));
  await service.start();
});
afterAll(() => service.stop());

function index(messages: number): void {
  const writer = openIndexWriter(service.file, indexEntry, messages);
  writer.index();
  writer.close();
}

const newest = { anchor: 'newest', num_before: 100, num_after: 0 };
const ask = (narrow: readonly unknown[], more: Params = newest) =>
  service.ask(ben, api.messages.page, { narrow, ...more });
const wombats = [['search', 'wombat']];

test('a search in an index that is not whole says so, also by relevance, and other pages do not [search-unindexed.index-not-whole]', async () => {
  index(2);
  const expected = { found_oldest: false, indexed_from: ids[4] };
  const some = await ask(wombats);
  expect(some).toMatchObject({ ...expected, found_newest: true });
  expect(some.messages.map(({ id }) => id)).toEqual(ids.slice(4));
  const ranked = await ask(wombats, { ...newest, order: 'relevance' });
  expect(ranked).toMatchObject(expected);
  // No message can be older, and yet there are some.
  const oldest = await ask(wombats, { anchor: 'oldest', num_before: 0, num_after: 1 });
  expect(oldest).toMatchObject({ ...expected, messages: [{ id: ids[4] }] });
  const topic = await ask([['topic', 'animals']]);
  expect(topic).toMatchObject({ found_oldest: true });
  expect([Object.hasOwn(topic, 'indexed_from'), topic.messages.length]).toEqual([false, 6]);
});

test('a client that pages until the oldest hit waits where nothing new came, and comes to all of them [search-unindexed.client-pages-oldest]', async () => {
  const found = new Set<number>();
  let anchor: number | string = 'newest';
  let isOldest = false;
  let empty = 0;
  while (!isOldest) {
    const startedAt = performance.now();
    const answer = await ask(wombats, { anchor, num_before: 1, num_after: 0 });
    const before = found.size;
    answer.messages.forEach(({ id }) => found.add(id));
    anchor = answer.messages[0]?.id ?? anchor;
    isOldest = answer.found_oldest;
    if (isOldest || found.size > before) continue;
    // Nothing came meanwhile: the answer took its time.
    expect(performance.now() - startedAt).toBeGreaterThan(500);
    empty += 1;
    index(100);
  }
  expect([[...found].sort((a, b) => a - b), empty]).toEqual([ids, 1]);
  expect(await ask(wombats)).not.toHaveProperty('indexed_from');
});
