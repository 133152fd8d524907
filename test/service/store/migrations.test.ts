import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { migrations } from '../../../src-main/service/store/migrations/index.ts';
import { buildVersion, versionBuilders } from '../../support/service/store-versions.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  temporaryFile,
} from '../../support/service/store.ts';

const schemaOf = (db: Database.Database): unknown =>
  db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();

const tablesOf = (db: Database.Database): readonly string[] =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];

test('every version has a builder, so that none is left untested', () => {
  expect(versionBuilders).toHaveLength(migrations.length);
});

describe.for(versionBuilders.map((_, index) => index + 1))(
  'a database of version %i',
  (version) => {
    test('had a row in every table', () => {
      const file = temporaryFile();
      buildVersion(file, version);
      const db = connectForTest(file);
      const empty = tablesOf(db).filter(
        (table) => db.prepare(`SELECT 1 FROM ${table}`).get() === undefined,
      );
      expect(empty).toEqual([]);
    });

    test('an old database becomes one of the newest version, with all its rows and none that refers to nothing', async () => {
      const file = temporaryFile();
      buildVersion(file, version);
      const store = await openForTest(file);
      const fresh = temporaryFile();
      await openForTest(fresh);
      const db = connectForTest(file);
      expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
      expect(schemaOf(db)).toEqual(schemaOf(connectForTest(fresh)));
      expect(db.pragma('foreign_key_check')).toEqual([]);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(await store.findRealm()).toMatchObject({ name: 'Old' });
    });

    test('an old database reads the same as before', async () => {
      const file = temporaryFile();
      buildVersion(file, version);
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
      buildVersion(file, version);
      const store = await openForTest(file);
      expect(await store.appendMessage(newMessage())).toBeGreaterThan(20);
      expect(store.lastEventId()).toBeGreaterThan(1000);
    });
  },
);

test('a database of the newest version is opened as it is', async () => {
  const file = temporaryFile();
  buildVersion(file, migrations.length);
  const before = new Database(file, { readonly: true });
  const schema = schemaOf(before);
  before.close();
  const store = await openForTest(file);
  await store.close();
  expect(schemaOf(connectForTest(file))).toEqual(schema);
});

test('deliveries that are there belong to the owner of their time, as far as the audit log tells', async () => {
  const file = temporaryFile();
  buildVersion(file, 23);
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
