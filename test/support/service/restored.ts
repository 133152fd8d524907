/** A test service whose organization is brought back to what it was, as a restore from a backup does. */
import Database from 'better-sqlite3';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nextRestoreGeneration } from '#backup/restore-generation.ts';
import { IDENTITY_KEY_FILE, readServerIdentity } from '#node/tls/server-identity.ts';
import { openRestored, restoreDatabase } from '#service/db/sqlite/restored.ts';
import type { ChangedText, AccountSnapshot } from '#service/db/port.ts';
import type { TestService } from './api.ts';

const NUMBER = '123456';

/** The database as it is now. */
export function backUp({ file }: Pick<TestService, 'file'>): Promise<Uint8Array> {
  const copy = `${file}.copy`;
  const db = new Database(file, { readonly: true });
  db.prepare('VACUUM INTO ?').run(copy);
  db.close();
  return readFile(copy).finally(() => rm(copy));
}

/** As a restore from a backup of that moment leaves it: closed to others until it is opened. */
export function closeRestored(file: string, backedUpAt: number): void {
  const db = new Database(file);
  db.prepare('REPLACE INTO restore_report VALUES (1, ?, NULL, 0)').run(backedUpAt);
  db.prepare(`UPDATE realm SET opens_with = ?`).run(NUMBER);
  db.close();
}

/** Runs on with what was backed up, open to others; the keys go on being good. */
export async function restoreTo(
  service: TestService,
  backup: Uint8Array,
  later?: AccountSnapshot,
  edits: readonly ChangedText[] = [],
): Promise<void> {
  await service.halt();
  for (const suffix of ['', '-wal', '-shm']) await rm(`${service.file}${suffix}`, { force: true });
  await writeFile(service.file, backup);
  const text = await readFile(join(service.dataDir, IDENTITY_KEY_FILE), 'utf8');
  const officeKey = readServerIdentity(text.trim());
  const now = Math.floor(Date.now() / 1000);
  let epoch = 0;
  restoreDatabase(service.file, {
    nextRestoreGeneration: (before) => {
      epoch = before?.n ?? 0;
      return nextRestoreGeneration(before, now, officeKey);
    },
    ...{ now, backedUpAt: now, keepsKeys: true, opensWith: NUMBER, lostFiles: 0 },
    accountSnapshots: new Map(later === undefined ? [] : [[epoch, { ...later, atSeconds: now }]]),
    edits: new Map([[epoch, edits]]),
  });
  openRestored(service.file, NUMBER, now);
  await service.start();
}
