import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { schema } from '#service/db/migrations/index.ts';
import { scansOf } from '#test/support/service/statement-plans.ts';

// Every statement that a test of the service runs is held against it: test/service/watch-statements.ts.
test('a statement that reads a table that grows from one end to the other is found', () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  db.exec(schema);
  const found = (sql: string): number => scansOf(db, sql).length;

  expect(found('SELECT id FROM message WHERE content = :content')).toBe(1);
  expect(found('SELECT a.id FROM message AS a WHERE a.edit_number > 0 LIMIT 5')).toBe(1);
  expect(found('DELETE FROM reaction WHERE account_id = :userId')).toBe(1);
  expect(found('SELECT id FROM message WHERE id = :id')).toBe(0);
  expect(
    found('SELECT m.id FROM message m WHERE m.sender_id = 1 ORDER BY m.id DESC LIMIT :n'),
  ).toBe(0);
  expect(found('SELECT id FROM account')).toBe(0);
});
