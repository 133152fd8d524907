import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Counts, walkPage } from '#service/features/reading/operations/page-walk.ts';
import type { Page, PersonalMessageRow } from '#service/db/port.ts';

/** What `pageMessages` of the store answers where these messages are selected. */
function pageOf(ids: readonly number[], anchor: number, { before, after }: Counts): Page {
  const older = ids.filter((id) => id < anchor);
  const exact = ids.filter((id) => id === anchor);
  const newer = ids.filter((id) => id > anchor);
  const shown = [...(before === 0 ? [] : older.slice(-before)), ...exact, ...newer.slice(0, after)];
  return {
    rows: shown.map((id) => ({ id }) as PersonalMessageRow),
    hasAnchor: exact.length > 0,
    hasOlder: older.length > before,
    hasNewer: newer.length > after,
  };
}

const idsOf = (rows: readonly PersonalMessageRow[]): readonly number[] => rows.map(({ id }) => id);

const gaps = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 700 });
const count = fc.oneof(fc.integer({ min: 0, max: 700 }), fc.constantFrom(0, 99, 100, 101, 200));

test('a page in pieces is the page that is read at once', async () => {
  await fc.assert(
    fc.asyncProperty(gaps, fc.nat(1500), count, count, async (between, anchor, before, after) => {
      let last = 0;
      const ids = between.map((gap) => (last += gap));
      const sizes: number[] = [];
      const walked = await walkPage(
        { read: (from, counts) => Promise.resolve(pageOf(ids, from, counts)) },
        (rows) => {
          sizes.push(rows.length);
          return Promise.resolve(idsOf(rows));
        },
        anchor,
        { before, after },
      );
      const { rows, ...told } = pageOf(ids, anchor, { before, after });
      const { pieces, ...found } = walked;
      expect(pieces.flat()).toEqual(idsOf(rows));
      expect(found).toEqual(told);
      expect(sizes).not.toContain(0);
      expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(100);
    }),
  );
});

test('others have their turns between two pieces', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => index + 1);
  let turns = 0;
  let isDone = false;
  const others = (): void => {
    turns += 1;
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  const seen: number[] = [];
  await walkPage(
    { read: (from, counts) => Promise.resolve(pageOf(ids, from, counts)) },
    () => Promise.resolve(seen.push(turns)),
    500,
    { before: 400, after: 400 },
  );
  isDone = true;
  expect(new Set(seen).size).toBe(seen.length);
});
