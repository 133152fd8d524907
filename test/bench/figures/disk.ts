/** Bytes on disk for each message, with everything that reading and searching need. */
import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { searchFileOf } from '#service/db/sqlite/search-file.ts';
import { makeDataDir, removeDataDir } from '../processes.ts';
import { openReferenceLog } from '../reference/log.ts';
import type { Row } from '../report.ts';
import { databaseFile, seedMessages, seedOrganization } from '../seed.ts';
import { compare } from '../statistics.ts';
import { textSource } from '../texts.ts';

const ACCOUNTS = 100;
const BATCH = 5000;

/** The bare tables with the same texts and a full-text index that does not repeat them. */
function bareBytes(file: string, messages: number): number {
  const log = openReferenceLog(file);
  const nextText = textSource(3);
  for (let written = 0; written < messages; written += BATCH) {
    log.append(
      Array.from({ length: Math.min(BATCH, messages - written) }, (_, index) => ({
        senderId: 1 + (index % ACCOUNTS),
        topicId: 1 + (index % 500),
        content: nextText().content,
        sentAt: 1_700_000_000 + written + index,
      })),
    );
  }
  log.close();
  const db = new Database(file);
  db.exec(`DELETE FROM event;
    CREATE VIRTUAL TABLE found USING fts5(content, content='message', content_rowid='id',
      tokenize = 'porter unicode61 remove_diacritics 2');
    INSERT INTO found (found) VALUES ('rebuild');
    INSERT INTO found (found) VALUES ('optimize');
    VACUUM`);
  db.close();
  return statSync(file).size;
}

/** Bytes of a database without what is free in it. */
function vacuumed(file: string): number {
  const db = new Database(file);
  db.exec('VACUUM');
  db.close();
  return statSync(file).size;
}

export async function measureDisk(messages: number): Promise<readonly Row[]> {
  const dataDir = await makeDataDir();
  const file = databaseFile(dataDir);
  await seedOrganization(dataDir, ACCOUNTS);
  seedMessages(dataDir, messages);
  const figure = (vacuumed(file) + vacuumed(searchFileOf(file))) / messages;
  const reference = bareBytes(join(dataDir, 'bare.db'), messages) / messages;
  await removeDataDir(dataDir);
  return [
    {
      name: `bytes on disk per message, ${messages.toLocaleString('en-US')} of them, search index included`,
      unit: 'bytes',
      ...compare([{ figure, reference }]),
      against: 'bare tables and a full-text index',
      target: { kind: 'at-most', ratio: 1.2 },
    },
  ];
}
