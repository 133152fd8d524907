import Database from 'better-sqlite3';
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { createAccountStorage } from '#desktop/storage/account-storage.ts';
import { openForTest, temporaryDir } from '#test/support/service/store.ts';
import { listed } from '#test/support/data-names/listed.ts';

interface Column {
  readonly table: string;
  readonly column: string;
}

/** Of virtual tables SQLite makes some of its own, which it may call as it likes. */
const COLUMNS = `SELECT l.name AS "table", i.name AS "column"
  FROM pragma_table_list AS l, pragma_table_xinfo(l.name) AS i
  WHERE l.schema = 'main' AND l.type <> 'shadow' AND l.name NOT LIKE 'sqlite%' AND i.hidden = 0 ORDER BY 1, 2`;

function tablesOf(file: string): readonly string[] {
  const db = new Database(file, { readonly: true });
  try {
    const id = Number(db.pragma('application_id', { simple: true })).toString(16);
    const columns = db.prepare<[], Column>(COLUMNS).all();
    const byTable = Map.groupBy(columns, ({ table }) => table);
    return [
      `application id ${id}`,
      ...[...byTable].map(
        ([table, those]) => `${table}: ${those.map(({ column }) => column).join(' ')}`,
      ),
    ];
  } finally {
    db.close();
  }
}

const named = (file: string, name = file.split(sep).at(-1) ?? ''): readonly string[] =>
  tablesOf(file).map((line) => `${name} ${line}`);

test('files of databases, their tables and columns stay', async () => {
  const dir = temporaryDir();
  await openForTest(join(dir, 'hearth.db'));
  const storage = createAccountStorage(dir);
  storage.openCache('1').cache.close();
  storage.openOutbox('1').outbox.close();
  const [account = ''] = readdirSync(join(dir, 'accounts'));
  const files = readdirSync(join(dir, 'accounts', account)).filter((name) => name.endsWith('.db'));
  const served = readdirSync(dir).filter((name) => name.endsWith('.db'));
  expect([
    ...served.flatMap((name) => named(join(dir, name))),
    ...files.flatMap((name) => named(join(dir, 'accounts', account, name))),
  ]).toEqual(listed('tables'));
});
