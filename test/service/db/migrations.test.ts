import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FORM, OLDEST_FORM, schema, sqlFrom } from '#service/db/migrations/index.ts';
import type { Operation } from '#service/db/operation.ts';
import { reads, writes } from '#service/db/port.ts';
import { type MemoryStore, openMemoryStore } from '#test/support/service/memory-store.ts';
import { buildForm, fillAsForm, forms } from '#test/support/service/store-versions.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  temporaryFile,
  toStream,
  toUsers,
} from '#test/support/service/store.ts';

/** Without what SQLite leaves in the text of a table: comments, line breaks, and where columns were added. */
const plain = (sql: string | null): string | undefined =>
  sql
    ?.split('\n')
    .map((line) => line.split('--')[0])
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1');

function schemaOf(db: Database.Database): unknown {
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
  return (rows as readonly { readonly sql: string | null }[]).map((row) => ({
    ...row,
    sql: plain(row.sql),
  }));
}

const tablesOf = (db: Database.Database): readonly string[] =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];

test('every form has a builder, so that none is left untested', () => {
  expect(forms.at(-1)).toBe(FORM);
});

describe.for(forms)('a database of form %i', (form) => {
  test('had a row in every table', () => {
    const file = temporaryFile();
    buildForm(file, form);
    const db = connectForTest(file);
    const empty = tablesOf(db).filter(
      (table) => db.prepare(`SELECT 1 FROM ${table}`).get() === undefined,
    );
    expect(empty).toEqual([]);
  });

  test('an old database becomes one of the newest version, with all its rows and none that refers to nothing', async () => {
    const file = temporaryFile();
    buildForm(file, form);
    const store = await openForTest(file);
    const fresh = temporaryFile();
    await openForTest(fresh);
    const db = connectForTest(file);
    expect(db.pragma('user_version', { simple: true })).toBe(FORM);
    expect(schemaOf(db)).toEqual(schemaOf(connectForTest(fresh)));
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(await store.findRealm()).toMatchObject({ name: 'Old' });
  });

  test('an old database reads the same as before', async () => {
    const file = temporaryFile();
    buildForm(file, form);
    const store = await openForTest(file);
    expect((await store.listUsers()).map((user) => [user.id, user.email, user.role])).toEqual([
      [1, 'Ada@example.com', 'admin'],
      [5, 'bot@example.com', 'member'],
    ]);
    expect(await store.findUserByKeyHash('kh')).toMatchObject({ id: 5, key_generation: 3 });
    expect(await store.listSubscriptions(1)).toMatchObject([
      { name: 'Général', color: '#aabbcc', is_pinned: 1, audible_notifications: 1 },
    ]);
    const page = await store.pageMessages({ userId: 1, base: 'held', predicates: [] }, 0, {
      before: 0,
      after: 10,
    });
    expect(page.rows.map((row) => [row.id, row.topic, row.is_read, row.flags])).toEqual([
      [10, 'LUNCH', 0, null],
      [20, null, 0, 'starred'],
    ]);
    const range = { from: 1_600_000_011, before: null };
    const sent = [{ condition: { kind: 'sent', range } as const, isNegated: false }];
    const timed = { userId: 1, base: 'open', predicates: sent } as const;
    expect((await store.listSelected(timed, 5)).map((row) => row.id)).toEqual([20, 11]);
    expect((await store.listQueues()).map((row) => [row.id, row.acknowledged_id])).toEqual([
      ['1:2', 2],
    ]);
    expect(await store.listEventsAfter(2, 10)).toMatchObject([{ id: 3, type: 'message' }]);
  });

  test('an old database takes new rows with ids above the old ones', async () => {
    const file = temporaryFile();
    buildForm(file, form);
    const store = await openForTest(file);
    expect(await store.appendMessage(newMessage())).toBeGreaterThan(20);
    expect(store.lastEventId()).toBeGreaterThan(1000);
  });
});

test('a database of the newest version is opened as it is', async () => {
  const file = temporaryFile();
  buildForm(file, FORM);
  const before = new Database(file, { readonly: true });
  const schema = schemaOf(before);
  before.close();
  const store = await openForTest(file);
  await store.close();
  expect(schemaOf(connectForTest(file))).toEqual(schema);
});

test('deliveries that are there belong to the owner of their time, as far as the audit log tells', async () => {
  const file = temporaryFile();
  buildForm(file, 23);
  const before = new Database(file);
  const [first, second, third, now] = [7, 8, 9, 1];
  const change =
    before.prepare(`INSERT INTO audit_entry (type, at, address, client, user_id, details)
    VALUES ('bot_owner_changed', ?, '', '', ?, ?)`);
  change.run(1_600_000_100, 5, JSON.stringify({ old: first, new: second }));
  change.run(1_600_000_200, 6, JSON.stringify({ old: third, new: now }));
  change.run(1_600_000_300, 5, JSON.stringify({ old: second, new: now }));
  const deliver = before.prepare(`INSERT INTO kept_delivery (account_id, direction, at, last_at,
      integration, event, outcome, status, reason, count, message_ids)
    VALUES (5, 'incoming', :at, :at, 'github', 'push', 'posted', 200, '', 1, '[]')`);
  for (const at of [1_600_000_100, 1_600_000_101, 1_600_000_250, 1_600_000_301])
    deliver.run({ at });
  before.close();
  await openForTest(file);
  const owners = connectForTest(file).prepare('SELECT owner_id FROM kept_delivery ORDER BY id');
  expect(owners.pluck().all()).toEqual([first, first, second, second, now]);
});

const rowsOf = (db: Database.Database): unknown =>
  [...tablesOf(db)]
    .sort()
    .map((table) => [table, db.prepare(`SELECT * FROM ${table}`).raw().all()]);

/** A new database with the rows of another one. */
function copied(from: Database.Database): MemoryStore {
  return openMemoryStore((db) => {
    db.exec(schema);
    db.pragma('foreign_keys = OFF');
    for (const table of [...tablesOf(from), 'sqlite_sequence']) {
      const rows = from.prepare(`SELECT * FROM ${table}`).raw().all() as unknown[][];
      db.exec(`DELETE FROM ${table}`);
      const places = rows[0]?.map(() => '?').join(', ') ?? '';
      for (const row of rows) db.prepare(`INSERT INTO ${table} VALUES (${places})`).run(row);
    }
  });
}

const person = fc.constantFrom(1, 5);
const target = fc.constantFrom(toStream(1), toStream(1, 'Lunch'), toUsers(1, 5), toUsers(1));
const deed: fc.Arbitrary<() => Operation<unknown>> = fc.oneof(
  fc
    .record({ senderId: person, target, has_attachment: fc.boolean() })
    .map((message) => () => writes.appendMessage(newMessage(message))),
  fc
    .record({
      userId: person,
      messageIds: fc.subarray([10, 11, 20, 21, 22, 23]),
      op: fc.constantFrom('add' as const, 'remove' as const),
      flag: fc.constantFrom('read' as const, 'starred' as const),
    })
    .map((change) => () => writes.changeFlags(change, () => true)),
  fc.constantFrom(20, 21, 22, 23).map((id) => () => writes.deleteMessages([id])),
  fc.constantFrom('lunch', 'supper').map((topic) => () => {
    const move = { propagate: 'change_one', streamId: 1, topic, topicKey: topic } as const;
    return writes.editMessage({ messageId: 10, editorId: 5, editedAt: 1, content: null, move });
  }),
);

/** What two people are told. */
const answersOf = (store: MemoryStore): unknown =>
  [1, 5].map((userId) => {
    const selection = { userId, base: 'held', predicates: [] } as const;
    return [
      store.perform(reads.pageMessages(selection, 0, { before: 0, after: 50 })),
      store.perform(reads.listUnread(userId)),
      store.perform(reads.listSubscriptions(userId)),
    ];
  });

test('a database that was brought up to date and a new one go on alike', () => {
  const migrated = openMemoryStore((db) => {
    fillAsForm(db, OLDEST_FORM);
    db.exec(sqlFrom(OLDEST_FORM));
  });
  onTestFinished(() => void migrated.db.close());
  const fresh = copied(migrated.db);
  onTestFinished(() => void fresh.db.close());
  /** What a database answers, tells and holds afterwards. */
  function after(store: MemoryStore, deeds: readonly (() => Operation<unknown>)[]): unknown {
    const results = deeds.map((next) => store.perform(next()));
    return [results, answersOf(store), store.takeEvents(), rowsOf(store.db)];
  }
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 12 }), (deeds) => {
      migrated.undone(() => {
        fresh.undone(() => {
          expect(after(fresh, deeds)).toEqual(after(migrated, deeds));
        });
      });
    }),
    { numRuns: 30 },
  );
});
