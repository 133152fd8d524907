/** What a search answers while the index is made anew: what it has come to, from the newest message on. */
import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rankHits } from '#service/features/reading/operations/relevance.ts';
import { type SearchPage, searchOperations } from '#service/features/reading/operations/search.ts';
import { yieldToOthers } from '#service/core/yield-thread.ts';
import { searchOf } from '#shared/search/query.ts';
import { INSERT_PENDING } from '#service/features/messages/queries/pending-index.ts';
import type { Store } from '#service/db/port.ts';
import { searchFileOf } from '#service/db/sqlite/search-file.ts';
import { indexAll, indexBlock } from '#test/support/service/indexing.ts';
import { held, openSeeded, say } from '#test/support/service/searching.ts';
import { connectForTest, openForTest, temporaryFile } from '#test/support/service/store.ts';

/** An organization whose index was lost. */
async function openUnindexed(
  texts: readonly string[],
): Promise<{ file: string; store: Store; ids: readonly number[] }> {
  const file = temporaryFile();
  const before = await openSeeded(file);
  const ids: number[] = [];
  for (const text of texts) ids.push(await say(before, text));
  await before.close();
  rmSync(searchFileOf(file), { force: true });
  return { file, store: await openForTest(file), ids };
}

interface Asked {
  readonly wanted?: string;
  readonly anchor?: number;
  readonly before?: number;
  readonly after?: number;
  readonly pause?: () => Promise<void>;
}

const placeOf = (wanted: string) => ({ selection: held, search: searchOf([wanted], []) });

const ask = (
  store: Store,
  {
    wanted = 'sought',
    anchor = Number.MAX_SAFE_INTEGER,
    before = 100,
    after = 0,
    ...how
  }: Asked = {},
): Promise<SearchPage> =>
  searchOperations(store, how.pause ?? yieldToOthers).page(placeOf(wanted), anchor, {
    before,
    after,
  });

const idsOf = ({ rows }: Pick<SearchPage, 'rows'>): number[] => rows.map(({ id }) => id);

test('a search answers from what is indexed, and says from where on that is', async () => {
  const texts = Array.from({ length: 9 }, (_, n) => (n % 2 === 0 ? 'sought' : 'other'));
  const { file, store, ids } = await openUnindexed(texts);
  const newest = ids.at(-1) ?? 0;
  expect(await ask(store)).toMatchObject({ rows: [], hasOlder: false, indexedFrom: newest + 1 });
  const come = await say(store, 'sought');
  const first = await ask(store);
  expect([idsOf(first), first.indexedFrom]).toEqual([[come], newest + 1]);
  await indexBlock(store, file, { messages: 4 });
  const [six = 0, eight = 0] = [ids[6], ids[8]];
  const around = await ask(store, { anchor: eight, before: 5, after: 1 });
  expect(around).toMatchObject({ hasAnchor: true, hasOlder: false, indexedFrom: six });
  expect(idsOf(around)).toEqual([six, eight, come]);
  // From below what is indexed it goes on where that begins.
  expect(idsOf(await ask(store, { anchor: 0, before: 0, after: 2 }))).toEqual([six, eight]);
  const ranked = await rankHits(searchOperations(store, yieldToOthers), placeOf('sought'), [
    'sought',
  ]);
  expect([ranked.indexedFrom, ranked.rows.length]).toEqual([six, 3]);
  await indexAll(store, file);
  const whole = await ask(store);
  expect([idsOf(whole), whole.indexedFrom]).toEqual([
    [...ids.filter((_, n) => n % 2 === 0), come],
    null,
  ]);
});

test('a search is whole while the index is not, where nothing that is missing in it is held', async () => {
  const { file, store, ids } = await openUnindexed(['sought', 'sought', 'sought']);
  await indexBlock(store, file, { messages: 1 });
  expect((await ask(store)).indexedFrom).toBe(ids[2]);
  connectForTest(file)
    .prepare('UPDATE membership SET from_id = ? WHERE account_id = 2')
    .run(ids[1]);
  // It is kept, and this is another program's change.
  await expect.poll(async () => (await ask(store)).indexedFrom).toBeNull();
  expect(idsOf(await ask(store))).toEqual([ids[2]]);
});

test('a page without an older hit waits for one, but not for long', async () => {
  const { file, store, ids } = await openUnindexed(['sought prefixed', 'other', 'other', 'sought']);
  await indexBlock(store, file, { messages: 1 });
  let pauses = 0;
  const pause = async (): Promise<void> => void (pauses += 1);
  const older = { anchor: ids[3] ?? 0, pause };
  expect([idsOf(await ask(store, older)), pauses]).toEqual([[ids[3]], 6]);
  expect([idsOf(await ask(store, { ...older, before: 0 })), pauses]).toEqual([[ids[3]], 6]);
  expect([idsOf(await ask(store, { pause })), pauses]).toEqual([[ids[3]], 6]);
  const indexing = async (): Promise<void> => {
    await pause();
    await indexBlock(store, file, { messages: 1 });
  };
  // The words of the index are not those with which the search began.
  const found = await ask(store, { wanted: 'pref*', pause: indexing });
  expect([idsOf(found), found.indexedFrom, pauses]).toEqual([[ids[0]], null, 9]);
});

const words = ['apple', 'berry', 'cedar'] as const;
const Text = fc.array(fc.constantFrom(...words, '東京'), { minLength: 1, maxLength: 3 });
const World = fc.record({
  before: fc.array(Text, { minLength: 1, maxLength: 20 }),
  steps: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('index' as const), messages: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ kind: fc.constant('say' as const), text: Text }),
      fc.record({ kind: fc.constant('edit' as const), at: fc.nat(24), text: Text }),
      fc.record({ kind: fc.constant('page' as const), count: fc.integer({ min: 1, max: 4 }) }),
    ),
    { maxLength: 20 },
  ),
  wanted: fc.constantFrom('apple', 'app*', 'berry cedar', '"apple berry"', '東', '東京'),
});

test('whoever pages until there is no more has in the end what reading every message finds', async () => {
  await fc.assert(
    fc.asyncProperty(World, async ({ before, steps, wanted }) => {
      const { file, store, ids: given } = await openUnindexed(before.map((text) => text.join(' ')));
      const texts = new Map(given.map((id, n) => [id, before[n]?.join(' ') ?? '']));
      const newest = given.at(-1) ?? 0;
      const db = connectForTest(file);
      const expected = (from: number): number[] =>
        [...texts.keys()].filter((id) => id >= from && hits(texts.get(id) ?? '', wanted));
      const seen = new Set<number>();
      let anchor = newest + 1;
      const end = { isWhole: false };
      async function page(count: number): Promise<void> {
        const answer = await ask(store, { wanted, anchor, before: count });
        const older = idsOf(answer).filter((id) => id < anchor);
        const known = expected(answer.indexedFrom ?? 0).filter((id) => id < anchor);
        expect(older).toEqual(known.slice(Math.max(0, known.length - count)));
        older.forEach((id) => seen.add(id));
        anchor = older[0] ?? anchor;
        end.isWhole = answer.indexedFrom === null && !answer.hasOlder;
      }
      for (const step of steps) {
        if (step.kind === 'index') await indexBlock(store, file, { messages: step.messages });
        else if (step.kind === 'say')
          texts.set(await say(store, step.text.join(' ')), step.text.join(' '));
        else if (step.kind === 'page') await page(step.count);
        else {
          // What was paged over already is left as it is.
          const id = [...texts.keys()].filter((each) => each < anchor)[step.at];
          if (id === undefined) continue;
          const text = step.text.join(' ');
          db.prepare('UPDATE message SET content = ? WHERE id = ?').run(text, id);
          db.prepare(INSERT_PENDING).run({ id });
          texts.set(id, text);
        }
      }
      for (let n = 0; n < 100 && !end.isWhole; n += 1) {
        await page(3);
        await indexBlock(store, file, { messages: 3 });
      }
      expect(end.isWhole).toBe(true);
      expect([...seen].sort((a, b) => a - b)).toEqual(expected(0).filter((id) => id <= newest));
      await store.close();
    }),
    { numRuns: 15 },
  );
});

/** What a reader of these words says. */
function hits(text: string, wanted: string): boolean {
  if (wanted.startsWith('"')) return text.includes(wanted.replaceAll('"', ''));
  return wanted.split(' ').every((word) => text.includes(word.replace('*', '')));
}
