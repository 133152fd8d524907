import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LoggedEvent } from '#service/db/event-log.ts';
import { createLogTail } from '#service/events/log-tail.ts';
import { openForTest, seedRealm } from '#test/support/service/store.ts';
import { bareEvent } from '#test/support/service/bare-events.ts';

const event = (id: number, size = 1): LoggedEvent => ({
  id,
  type: 'test',
  audience: { kind: 'realm' },
  payload: { text: 'x'.repeat(size) },
});

/** A tail over a log of which the test sees what was read from the table. */
function openTail(maxBytes: number, stored: readonly LoggedEvent[] = []) {
  const table = [...stored];
  const reads: number[] = [];
  const tail = createLogTail(
    {
      listEventsAfter: async (afterId, limit) => {
        reads.push(afterId);
        return table.filter(({ id }) => id > afterId).slice(0, limit);
      },
      lastEventId: () => stored.at(-1)?.id ?? 0,
    },
    maxBytes,
  );
  const append = (...events: readonly LoggedEvent[]): void => {
    table.push(...events);
    tail.append(events);
  };
  return { tail, append, reads, table };
}

const idsOf = (events: readonly LoggedEvent[]): readonly number[] => events.map(({ id }) => id);

describe('the tail of the log', () => {
  test('the tail answers from memory what was appended since it began', async () => {
    const { tail, append, reads } = openTail(1e6, [event(3), event(5)]);
    append(event(7), event(8));
    append(event(12));
    expect(idsOf(await tail.readAfter(5, 100))).toEqual([7, 8, 12]);
    expect(idsOf(await tail.readAfter(7, 100))).toEqual([8, 12]);
    expect(idsOf(await tail.readAfter(9, 100))).toEqual([12]);
    expect(idsOf(await tail.readAfter(12, 100))).toEqual([]);
    expect(idsOf(await tail.readAfter(5, 2))).toEqual([7, 8]);
    expect(reads).toEqual([]);
  });

  test('the tail asks the table for what is older than itself', async () => {
    const { tail, append, reads } = openTail(1e6, [event(3), event(5)]);
    append(event(7));
    expect(idsOf(await tail.readAfter(3, 100))).toEqual([5, 7]);
    expect(idsOf(await tail.readAfter(0, 1))).toEqual([3]);
    expect(reads).toEqual([3, 0]);
  });

  test('what many ask of the table is read once, until there is more', async () => {
    const { tail, append, reads } = openTail(1e6, [event(3), event(5)]);
    const asked = await Promise.all([0, 0, 3, 3].map((afterId) => tail.readAfter(afterId, 1)));
    expect(asked.map(idsOf)).toEqual([[3], [3], [5], [5]]);
    expect(reads).toEqual([0, 3]);
    append(event(7));
    expect(idsOf(await tail.readAfter(3, 100))).toEqual([5, 7]);
    expect(reads).toEqual([0, 3, 3]);
  });

  test('the tail lets go of the oldest events beyond its limit and reads those from the table', async () => {
    const { tail, append, reads } = openTail(3000);
    for (let id = 1; id <= 20; id += 1) append(event(id, 300));
    expect(idsOf(await tail.readAfter(18, 100))).toEqual([19, 20]);
    expect(reads).toEqual([]);
    expect(idsOf(await tail.readAfter(0, 100))).toHaveLength(20);
    expect(reads).toEqual([0]);
  });

  test('the tail holds nothing of an event that alone is over its limit, and still answers it', async () => {
    const { tail, append, reads } = openTail(1000);
    append(event(1, 5000));
    expect(idsOf(await tail.readAfter(0, 100))).toEqual([1]);
    append(event(2, 1));
    expect(idsOf(await tail.readAfter(1, 100))).toEqual([2]);
    expect(reads).toEqual([0]);
  });

  test('the tail takes very many events at once', async () => {
    const { tail, append } = openTail(1e9);
    append(...[event(1), event(2)]);
    tail.append(Array.from({ length: 300_000 }, (_, index) => event(index + 3)));
    expect(idsOf(await tail.readAfter(300_000, 100))).toEqual([300_001, 300_002]);
  });

  test('the tail answers the same as the table, whatever is appended and let go', async () => {
    const batch = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(900)), { maxLength: 5 });
    const question = fc.tuple(fc.nat(80), fc.integer({ min: 1, max: 10 }));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 300, max: 5000 }),
        fc.array(fc.tuple(batch, question), { maxLength: 12 }),
        async (maxBytes, steps) => {
          const { tail, append, table } = openTail(maxBytes);
          let id = 0;
          for (const [gaps, [afterId, limit]] of steps) {
            append(...gaps.map(([gap, size]) => event((id += gap), size)));
            const expected = table.filter((each) => each.id > afterId).slice(0, limit);
            expect(await tail.readAfter(afterId, limit)).toEqual(expected);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('over a real store the tail of the log begins at the newest event', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const add = () => store.appendEvent(bareEvent('t', { kind: 'realm' }));
    const old = await add();
    const tail = createLogTail(store);
    store.onCommit((events) => tail.append(events));
    const recent = await add();
    expect(idsOf(await tail.readAfter(0, 10))).toEqual([old, recent]);
    expect(idsOf(await tail.readAfter(old, 10))).toEqual([recent]);
  });
});
