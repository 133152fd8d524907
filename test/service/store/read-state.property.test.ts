import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { PageSelection, Store } from '../../../src-main/service/store/port.ts';
import {
  fillTables,
  isDelivered,
  isMarked,
  type Mark,
  meets,
  putException,
  putMark,
  RECIPIENTS,
  unreadWorld,
  VIEWER,
  type World,
  type WorldStore,
  openWorldStore,
} from '../../support/message-world.ts';

let store: Store;
let db: WorldStore['db'];

beforeAll(async () => {
  const opened = await openWorldStore();
  ({ store, db } = opened);
  return opened.close;
});

type Step =
  | { readonly kind: 'mark'; readonly mark: Mark }
  | { readonly kind: 'one'; readonly index: number; readonly isRead: boolean };

const mark: fc.Arbitrary<Mark> = fc
  .record({
    recipientId: fc.constantFrom(0, ...RECIPIENTS),
    topicKey: fc.option(fc.constantFrom('a', 'b', 'c')),
    through: fc.nat(60),
  })
  .map((each) =>
    each.recipientId >= 1 && each.recipientId <= 3 ? each : { ...each, topicKey: null },
  );

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('mark' as const), mark }),
  fc.record({ kind: fc.constant('one' as const), index: fc.nat(), isRead: fc.boolean() }),
);

/** One row for each message: the model in which nothing can go wrong. */
type Rows = Map<number, boolean>;

/** What marking will do to the tables: a mark, and no exception that it overtakes. */
function applyMark(w: World, rows: Rows, each: Mark): void {
  const reached = w.messages.filter((m) => isMarked(m, each));
  for (const m of reached) rows.set(m.id, true);
  putMark(db, each);
  for (const m of reached) db.prepare('DELETE FROM read_exception WHERE message_id = ?').run(m.id);
}

function applySteps(w: World, steps: readonly Step[]): Rows {
  const rows: Rows = new Map(w.messages.map((m) => [m.id, m.senderId === VIEWER]));
  for (const each of steps) {
    if (each.kind === 'mark') applyMark(w, rows, each.mark);
    else {
      const m = w.messages[each.index % Math.max(1, w.messages.length)];
      if (m === undefined) continue;
      rows.set(m.id, each.isRead);
      putException(db, m.id, each.isRead);
    }
  }
  return rows;
}

const all = { before: 0, after: 1000 };
const held: PageSelection = { userId: VIEWER, base: 'held', predicates: [] };

const firstUnread = (skipped: 'home' | 'unmuted-topics'): PageSelection => ({
  ...held,
  predicates: [
    { condition: { kind: 'unread' }, isNegated: false },
    { condition: { kind: skipped }, isNegated: false },
  ],
});

test('marks, exceptions and the sender agree with one row for each message, in flags, counts and first unread', async () => {
  await fc.assert(
    fc.asyncProperty(unreadWorld, fc.array(step, { maxLength: 12 }), async (w, steps) => {
      fillTables(db, w);
      const rows = applySteps(w, steps);
      const delivered = w.messages.filter((m) => isDelivered(w, m));
      const unread = delivered.filter((m) => rows.get(m.id) === false);

      const page = await store.pageMessages(held, 0, all);
      expect(page.rows.map((row) => [row.id, row.is_read === 1])).toEqual(
        delivered.map((m) => [m.id, rows.get(m.id)]),
      );
      const listed = await store.listUnread(VIEWER);
      expect(listed.map((row) => row.id)).toEqual(unread.map((m) => m.id).reverse());
      for (const skipped of ['home', 'unmuted-topics'] as const) {
        const first = unread.find((m) => meets(w, m, { kind: skipped }));
        expect(await store.findFirstId(firstUnread(skipped))).toBe(first?.id);
      }
    }),
    { numRuns: 300 },
  );
});

test('an unread message tells its place, whether it mentions and whether its topic is muted', async () => {
  await fc.assert(
    fc.asyncProperty(unreadWorld, async (w) => {
      fillTables(db, w);
      const unread = w.messages.filter((m) => isDelivered(w, m) && m.senderId !== VIEWER);
      const rows = await store.listUnread(VIEWER);
      expect(
        rows.map((row) => ({
          id: row.id,
          stream: row.stream_id,
          topic: row.topic,
          isPrivate: row.participants_key !== null,
          isMention: row.is_mention === 1,
          isTopicMuted: row.is_topic_muted === 1,
        })),
      ).toEqual(
        [...unread].reverse().map((m) => ({
          id: m.id,
          stream: m.topicKey === null ? null : m.recipientId,
          topic: m.topicKey?.toUpperCase() ?? null,
          isPrivate: m.topicKey === null,
          isMention: m.isWildcard,
          isTopicMuted: !meets(w, m, { kind: 'unmuted-topics' }),
        })),
      );
    }),
    { numRuns: 100 },
  );
});
