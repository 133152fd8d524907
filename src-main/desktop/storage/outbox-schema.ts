/** The file of an outbox: its tables, and what is read of them. */
import type Database from 'better-sqlite3';
import { z } from 'zod';
import { PendingFlag, StoredDraft, StoredItem } from '#client/outbox/outbox-codecs.ts';
import type { OutboxStore } from '#client/outbox/outbox-store.ts';

/** "HrOb": the file is an outbox, and not another database that was put in its place. */
const APPLICATION_ID = 0x48724f62;

/**
 * It never falls: an earlier version of Hearth must not take a file of this one for its own. Forms 1 and 2 had the same
 * tables, without `refusal`.
 */
const FORM = 3;
const SCHEMA = `
CREATE TABLE item (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  local_id TEXT NOT NULL UNIQUE,
  conversation TEXT NOT NULL,
  content TEXT NOT NULL,
  written_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  failure TEXT NOT NULL,
  may_be_sent INTEGER NOT NULL,
  refusal TEXT
) STRICT;
CREATE TABLE draft (
  key TEXT PRIMARY KEY NOT NULL,
  view TEXT NOT NULL,
  topic TEXT,
  content TEXT NOT NULL,
  changed_at REAL NOT NULL
) STRICT;
CREATE TABLE flag (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL,
  flag TEXT NOT NULL,
  is_set INTEGER NOT NULL,
  UNIQUE (message_id, flag)
) STRICT;
`;

export class DamagedError extends Error {}
export class NewerError extends Error {}

/** Makes the tables of an empty file, and makes one of an earlier form one of this. @throws DamagedError, NewerError */
export function prepareOutbox(db: Database.Database): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  const isOurs = db.pragma('application_id', { simple: true }) === APPLICATION_ID;
  if (version === 0 ? !isEmpty : !isOurs) throw new DamagedError('not an outbox');
  if (version > FORM) throw new NewerError(String(version));
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new DamagedError('quick_check');
  db.pragma('journal_mode = WAL');
  // What was sent or discarded is overwritten.
  db.pragma('secure_delete = ON');
  // The library is compiled so that WAL runs at NORMAL, which loses what was written last in a power cut.
  db.pragma('synchronous = FULL');
  if (db.pragma('synchronous', { simple: true }) !== 2) throw new Error('synchronous is not FULL');
  db.transaction(() => {
    if (version === 0) db.exec(SCHEMA);
    else if (version < FORM) db.exec('ALTER TABLE item ADD COLUMN refusal TEXT');
    db.pragma(`user_version = ${String(FORM)}`);
    db.pragma(`application_id = ${String(APPLICATION_ID)}`);
  }).immediate();
}

type Rows = Pick<OutboxStore, 'listItems' | 'listDrafts' | 'listFlags'>;

const Json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('not JSON');
    return z.NEVER;
  }
});

const ItemRow = z
  .object({
    local_id: z.string(),
    conversation: Json,
    content: z.string(),
    written_at: z.number(),
    state: z.string(),
    failure: z.string(),
    may_be_sent: z.number(),
    // A damaged file of an earlier form is read as it is.
    refusal: Json.nullish().catch(null),
  })
  .transform((row): unknown => ({
    localId: row.local_id,
    conversation: row.conversation,
    content: row.content,
    writtenAtSeconds: row.written_at,
    state: row.state,
    failure: row.failure,
    mayBeSent: row.may_be_sent !== 0,
    refusal: row.refusal ?? undefined,
  }))
  .pipe(StoredItem);

const DraftRow = z
  .object({
    key: z.string(),
    view: Json,
    topic: z.string().nullable(),
    content: z.string(),
    changed_at: z.number(),
  })
  .transform(({ changed_at: changedAtSeconds, ...row }): unknown => ({ ...row, changedAtSeconds }))
  .pipe(StoredDraft);

const FlagRow = z
  .object({ message_id: z.number(), flag: z.string(), is_set: z.number() })
  .transform((row): unknown => ({
    messageId: row.message_id,
    flag: row.flag,
    isSet: row.is_set !== 0,
  }))
  .pipe(PendingFlag);

/** Rows that this version cannot read stay where they are. */
function read<T>(db: Database.Database, sql: string, codec: z.ZodType<T>): readonly T[] {
  const rows: T[] = [];
  for (const row of db.prepare(sql).iterate()) {
    const parsed = codec.safeParse(row);
    if (parsed.success) rows.push(parsed.data);
  }
  return rows;
}

export const rowsOf = (db: Database.Database): Rows => ({
  listItems: () => read(db, 'SELECT * FROM item ORDER BY seq', ItemRow),
  listDrafts: () => read(db, 'SELECT * FROM draft ORDER BY changed_at', DraftRow),
  listFlags: () => read(db, 'SELECT * FROM flag ORDER BY seq', FlagRow),
});

/** Everything that can still be read of a damaged file: from the front, and from the back, up to where it breaks. */
function salvageTable<T>(db: Database.Database, table: string, codec: z.ZodType<T>): readonly T[] {
  const found = new Map<unknown, T>();
  for (const order of ['ASC', 'DESC']) {
    try {
      const rows = db.prepare(`SELECT rowid AS place, * FROM ${table} ORDER BY rowid ${order}`);
      for (const row of rows.iterate()) {
        const parsed = codec.safeParse(row);
        if (parsed.success) found.set((row as { readonly place: unknown }).place, parsed.data);
      }
    } catch {
      // What lies beyond the damage cannot be read from this side.
    }
  }
  return [...found].sort(([a], [b]) => Number(a) - Number(b)).map(([, row]) => row);
}

export const salvage = (db: Database.Database): Rows => {
  const items = salvageTable(db, 'item', ItemRow);
  const drafts = salvageTable(db, 'draft', DraftRow);
  const flags = salvageTable(db, 'flag', FlagRow);
  return { listItems: () => items, listDrafts: () => drafts, listFlags: () => flags };
};
