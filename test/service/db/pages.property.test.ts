import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import type { PersonalMessageRow, Store } from '#service/db/port.ts';
import {
  fillTables,
  flagsIn,
  isHeld,
  isRead,
  select,
  selection,
  VIEWER,
  type World,
  world,
  type WorldStore,
  openWorldStore,
} from '#test/support/service/message-world.ts';

let store: Store;
let db: WorldStore['db'];

beforeAll(async () => {
  const opened = await openWorldStore();
  ({ store, db } = opened);
  return opened.close;
});

const anchor = fc.oneof(fc.nat(70), fc.constantFrom(0, NEWEST_ANCHOR, 1_000_000_000));

/** The same page, by looking at all messages. */
function pageOf(
  w: World,
  chosen: Parameters<Store['pageMessages']>[0],
  at: number,
  counts: { readonly before: number; readonly after: number },
) {
  const ids = select(w, chosen).map((m) => m.id);
  const older = ids.filter((id) => id < at);
  const newer = ids.filter((id) => id > at);
  return {
    ids: [
      ...older.slice(Math.max(0, older.length - counts.before)),
      ...ids.filter((id) => id === at),
      ...newer.slice(0, counts.after),
    ],
    hasAnchor: ids.includes(at),
    hasOlder: older.length > counts.before,
    hasNewer: newer.length > counts.after,
  };
}

function expectedRow(w: World, row: PersonalMessageRow) {
  const m = w.messages.find((each) => each.id === row.id)!;
  return {
    is_held: Number(isHeld(w, m)),
    is_read: Number(isRead(w, m)),
    flags: [...flagsIn(w, m)].sort(),
    topic: m.topicKey?.toUpperCase() ?? null,
    sender_id: m.senderId,
    stream_id: m.topicKey === null ? null : m.recipientId,
  };
}

describe('a page of messages', () => {
  test('a page is what looking at every message gives, whatever is asked for', async () => {
    const counts = fc.record({ before: fc.nat(6), after: fc.nat(6) });
    const questions = fc.array(fc.tuple(selection, anchor, counts), { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(world, questions, async (w, asked) => {
        fillTables(db, w);
        // Until then the store has no reason to look whether somebody else wrote.
        await setImmediate();
        for (const [chosen, at, count] of asked) {
          const page = await store.pageMessages(chosen, at, count);
          const { rows, ...has } = page;
          expect({ ids: rows.map((row) => row.id), ...has }).toEqual(pageOf(w, chosen, at, count));
          for (const row of rows) {
            const { is_held, is_read, topic, sender_id, stream_id } = row;
            const flags = row.flags === null ? [] : row.flags.split(' ').sort();
            expect({ is_held, is_read, flags, topic, sender_id, stream_id }).toEqual(
              expectedRow(w, row),
            );
          }
        }
      }),
      { numRuns: 250 },
    );
  });

  test('the first and newest messages of the same selection are found too', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(selection, { minLength: 5, maxLength: 5 }),
        async (w, asked) => {
          fillTables(db, w);
          for (const chosen of asked) {
            const ids = select(w, chosen).map((m) => m.id);
            expect(await store.findFirstId(chosen)).toBe(ids[0]);
            const listed = await store.listSelected(chosen, 4);
            expect(listed.map((row) => row.id)).toEqual([...ids].reverse().slice(0, 4));
          }
          const held = w.messages.filter((m) => isHeld(w, m)).map((m) => m.id);
          expect(await store.findNewestHeldId(VIEWER)).toBe(held.at(-1));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('the topics of a stream are listed by their newest message that may be seen', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.constantFrom(1, 2, 3),
        fc.boolean(),
        async (w, streamId, isOpen) => {
          fillTables(db, w);
          const newest = new Map<string, number>();
          for (const m of w.messages) {
            if (m.recipientId !== streamId || m.topicKey === null) continue;
            if (isOpen || isHeld(w, m)) newest.set(m.topicKey.toUpperCase(), m.id);
          }
          const expected = [...newest].map(([name, max_id]) => ({ name, max_id }));
          expect(await store.listTopics(streamId, VIEWER, isOpen)).toEqual(
            expected.sort((a, b) => b.max_id - a.max_id),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});
