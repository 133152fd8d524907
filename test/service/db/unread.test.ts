import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PageSelection, reads, writes } from '#service/db/port.ts';
import { type MemoryStore, openMemoryStore } from '#test/support/service/memory-store.ts';

const MESSAGES = 1500;
const TOPICS = 4;
const STREAMS = [1, 2, 3] as const;

const store = openMemoryStore();
prepare(store);

/** Two accounts; all messages are by the second. Streams are short and long, so that both ways of looking are taken. */
function prepare({ db }: MemoryStore): void {
  db.exec(`INSERT INTO client (id, name) VALUES (1, 'test');
    INSERT INTO account (id, email, email_key, full_name, full_name_key, short_name, role, gravatar_hash, joined_at)
      VALUES (1, 'a', 'a', 'A', 'a', 'a', 'member', '0', 1), (2, 'b', 'b', 'B', 'b', 'b', 'member', '0', 1)`);
  for (const id of STREAMS) {
    db.prepare("INSERT INTO recipient (id, kind) VALUES (?, 'stream')").run(id);
    db.prepare(
      `INSERT INTO stream (id, recipient_id, name, name_key, is_private, is_history_public, created_at)
       VALUES (?, ?, ?, ?, 0, 1, 1)`,
    ).run(id, id, `s${id}`, `s${id}`);
    for (let topic = 0; topic < TOPICS; topic++) {
      db.prepare('INSERT INTO topic (id, recipient_id, name, name_key) VALUES (?, ?, ?, ?)').run(
        id * 10 + topic,
        id,
        `t${topic}`,
        `t${topic}`,
      );
    }
  }
  const insert =
    db.prepare(`INSERT INTO message (id, recipient_id, topic_id, sender_id, client_id, content,
      rendered, is_me_message, has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
    VALUES (?, ?, ?, 2, 1, '', '', 0, 0, 0, 0, 0, 1)`);
  for (let id = 1; id <= MESSAGES; id++) {
    const stream = id % 10 === 0 ? 3 : id % 5 === 0 ? 2 : 1;
    insert.run(id, stream, stream * 10 + (((id * 7919) >> 3) % TOPICS));
  }
}

const held = (
  ...conditions: PageSelection['predicates'][number]['condition'][]
): PageSelection => ({
  userId: 1,
  base: 'held',
  predicates: conditions.map((condition) => ({ condition, isNegated: false })),
});

const id = fc.integer({ min: 0, max: MESSAGES });
const stream = fc.constantFrom(...STREAMS);
const state = fc.record({
  /** Memberships of each stream: where one ends and where the next begins. */
  ranges: fc.tuple(...STREAMS.map(() => fc.tuple(id, id, fc.boolean()))),
  globalMark: fc.option(id),
  streamMarks: fc.array(fc.tuple(stream, id), { maxLength: 2 }),
  topicMarks: fc.array(fc.tuple(stream, fc.nat(TOPICS - 1), id), { maxLength: 8 }),
  exceptions: fc.array(fc.tuple(id, fc.boolean()), { maxLength: 30 }),
});
type State = typeof state extends fc.Arbitrary<infer T> ? T : never;

function fill({ db }: MemoryStore, s: State): void {
  const join = db.prepare(
    'INSERT INTO membership (recipient_id, account_id, from_id, until_id) VALUES (?, 1, ?, ?)',
  );
  s.ranges.forEach(([a, b, isCurrent], index) => {
    join.run(index + 1, 0, Math.min(a, b));
    join.run(index + 1, Math.max(a, b), isCurrent ? null : MESSAGES);
  });
  const mark = db.prepare('INSERT OR REPLACE INTO read_mark VALUES (1, ?, ?, ?)');
  if (s.globalMark !== null) mark.run(0, 0, s.globalMark);
  for (const [streamId, through] of s.streamMarks) mark.run(streamId, 0, through);
  for (const [streamId, topic, through] of s.topicMarks) {
    mark.run(streamId, streamId * 10 + topic, through);
  }
  const except = db.prepare('INSERT OR REPLACE INTO read_exception VALUES (1, ?, ?)');
  for (const [messageId, isRead] of s.exceptions) {
    if (messageId > 0) except.run(messageId, Number(isRead));
  }
}

const allUnread = (): readonly number[] =>
  store
    .perform(reads.pageMessages(held(), 0, { before: 0, after: MESSAGES }))
    .rows.filter((row) => row.is_read === 0)
    .map((row) => row.id);

test('what is unread in long streams is found as by looking at every message', () => {
  fc.assert(
    fc.property(state, id, fc.integer({ min: 1, max: 40 }), (s, anchor, count) => {
      store.undone(() => {
        fill(store, s);
        const unread = allUnread();
        const page = (selection: PageSelection): readonly number[] =>
          store
            .perform(reads.pageMessages(selection, anchor, { before: count, after: count }))
            .rows.map((row) => row.id);
        const around = (ids: readonly number[]): readonly number[] => [
          ...ids.filter((each) => each < anchor).slice(-count),
          ...ids.filter((each) => each === anchor),
          ...ids.filter((each) => each > anchor).slice(0, count),
        ];
        expect(page(held({ kind: 'unread' }))).toEqual(around(unread));
        expect(store.perform(reads.findFirstId(held({ kind: 'unread' })))).toBe(unread[0]);
        const { groups } = store.perform(reads.listUnread(1));
        const listed = groups.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b);
        const isCurrent = (each: number): boolean =>
          s.ranges[each % 10 === 0 ? 2 : each % 5 === 0 ? 1 : 0]?.[2] === true;
        expect(listed).toEqual(unread.filter(isCurrent));
        const one = { kind: 'recipient', recipientId: 1 } as const;
        const topic = { kind: 'topic', topicKey: 't1' } as const;
        const inOne = unread.filter((each) => each % 5 !== 0);
        expect(page(held({ kind: 'unread' }, one))).toEqual(around(inOne));
        const inTopic = inOne.filter((each) => ((each * 7919) >> 3) % TOPICS === 1);
        expect(page(held({ kind: 'unread' }, one, topic))).toEqual(around(inTopic));
      });
    }),
    { numRuns: 100 },
  );
});

test('a page is marked by its own topics also among very many that the account has read', () => {
  store.undone(() => {
    const { db } = store;
    db.exec(`INSERT INTO membership (recipient_id, account_id, from_id) VALUES (1, 1, 0);
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO topic (id, recipient_id, name, name_key) SELECT i, 1, 'n' || i, 'n' || i FROM n;
      INSERT INTO read_mark SELECT 1, 1, id, 1 FROM topic WHERE id >= 1000;
      UPDATE message SET topic_id = 1999 WHERE id IN (1491, 1498);
      UPDATE read_mark SET through_id = 1492 WHERE topic_id = 1999`);
    const one = { kind: 'recipient', recipientId: 1 } as const;
    const { rows } = store.perform(reads.pageMessages(held(one), 1500, { before: 8, after: 0 }));
    const read = rows.filter((row) => row.is_read === 1).map((row) => row.id);
    expect([rows.length, read]).toEqual([8, [1491]]);
  });
});

test('a topic is named as the newest of its unread messages spells it, whatever its name is now', () => {
  store.undone(() => {
    const { db } = store;
    db.exec(`INSERT INTO membership (recipient_id, account_id, from_id) VALUES (1, 1, 0);
      UPDATE message SET topic_name = 'T1' WHERE topic_id = 11;
      UPDATE message SET topic_name = NULL WHERE topic_id = 11 AND id > 1400;
      UPDATE message SET topic_name = 'T2' WHERE topic_id = 12`);
    const names = store.perform(reads.listUnread(1)).groups.map(({ topic }) => topic);
    expect(names.sort()).toEqual(['T2', 't0', 't1', 't3']);
  });
});

test('the newest of more than 50,000 unread messages are told, wherever they are', () => {
  const LISTED = 50_000;
  store.undone(() => {
    const { db } = store;
    db.exec(`INSERT INTO membership (recipient_id, account_id, from_id) VALUES (1, 1, 0), (2, 1, 0), (3, 1, 0);
      INSERT INTO read_mark VALUES (1, 1, 0, 60000), (1, 2, 21, 30000);
      WITH RECURSIVE n(i) AS (SELECT 2000 UNION ALL SELECT i + 1 FROM n WHERE i < 90000)
      INSERT INTO message (id, recipient_id, topic_id, sender_id, client_id, content, rendered, is_me_message,
        has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
      SELECT i, 1 + i % 3, 10 + 10 * (i % 3) + i % 4, 1 + (i % 7 > 0), 1, '', '', 0, i % 20011 = 0, 0, 0, 0, 1 FROM n;
      INSERT INTO read_exception SELECT 1, id, id % 2 FROM message
        WHERE sender_id = 2 AND id % 501 < 2 AND (id % 2 = 1) = (recipient_id <> 1 OR id > 60000)`);
    const { groups, mentionIds } = store.perform(reads.listUnread(1));
    const listed = groups.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b);
    const expected = store
      .perform(reads.pageMessages(held({ kind: 'unread' }), 100_000, { before: LISTED, after: 0 }))
      .rows.map((row) => row.id);
    expect(expected).toHaveLength(LISTED);
    expect(listed).toEqual(expected);
    expect(mentionIds).toEqual(expected.filter((each) => each % 20_011 === 0));
  });
});

test('reading in any order and compacting changes nothing but what was read', () => {
  fc.assert(
    fc.property(
      state,
      fc.array(fc.array(id, { minLength: 1, maxLength: 200 }), { maxLength: 6 }),
      (s, reading) => {
        store.undone(() => {
          fill(store, s);
          const expected = new Set(allUnread());
          for (const messageIds of reading) {
            const change = { userId: 1, messageIds, op: 'add', flag: 'read' } as const;
            store.perform(writes.changeFlags(change, () => true));
            for (const each of messageIds) expected.delete(each);
            expect(allUnread()).toEqual([...expected]);
          }
        });
      },
    ),
    { numRuns: 60 },
  );
});

test('a stream that is read to the end leaves one row, however it was read', () => {
  store.undone(() => {
    const { db } = store;
    db.exec('INSERT INTO membership (recipient_id, account_id, from_id) VALUES (1, 1, 0)');
    const ids = allUnread();
    const last = ids.at(-1) ?? 0;
    // Backwards, so that nothing can be compacted before the end.
    for (let end = ids.length; end > 0; end -= 100) {
      const messageIds = ids.slice(Math.max(0, end - 100), end);
      store.perform(
        writes.changeFlags({ userId: 1, messageIds, op: 'add', flag: 'read' }, () => true),
      );
    }
    expect(allUnread()).toEqual([]);
    // What one look does not reach, the next ones do.
    for (let again = 0; again < 3; again++) {
      const change = { userId: 1, messageIds: [last], flag: 'read' } as const;
      store.perform(writes.changeFlags({ ...change, op: 'remove' }, () => true));
      store.perform(writes.changeFlags({ ...change, op: 'add' }, () => true));
    }
    expect(db.prepare('SELECT COUNT(*) FROM read_exception').pluck().get()).toBe(0);
    expect(db.prepare('SELECT recipient_id, topic_id, through_id FROM read_mark').all()).toEqual([
      { recipient_id: 1, topic_id: 0, through_id: last },
    ]);
  });
});
