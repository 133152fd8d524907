/** What an earlier build has left on a computer: test/earlier/92f3c5f/README.md says what that is, and how it was made. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import keychain from '../earlier/92f3c5f/keychain.json' with { type: 'json' };
import known from '../earlier/92f3c5f/known.json' with { type: 'json' };
import { projectDir } from './machine.ts';

export const earlierOffice = known;
/** By account. */
export const earlierKeychain: Readonly<Record<string, string>> = keychain;

export const earlierOfficePacked = join(projectDir, 'test', 'earlier', '92f3c5f', 'office.tar.gz');

/** What names folders of the computer that it was on. */
const WITH_PATHS = [
  'hearth.service',
  'office/archive-folders.json',
  'profile/backups.json',
  'profile/service/archive-folders.json',
];

function change(file: string, sql: string): void {
  const db = new Database(file);
  db.prepare(sql).run();
  db.close();
}

/** As if it had been left there today. @param root  an empty folder */
export function unpackEarlierOffice(root: string): void {
  const { status, stderr } = spawnSync('tar', ['-xzf', earlierOfficePacked, '-C', root], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  for (const path of WITH_PATHS) {
    const file = join(root, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(known.root, root));
  }
  const accounts = join(root, 'profile', 'accounts');
  for (const account of readdirSync(accounts)) {
    change(join(accounts, account, 'outbox.db'), 'UPDATE item SET written_at = unixepoch()');
  }
  change(
    join(root, 'office', 'hearth.db'),
    'UPDATE invitation SET expires_at = unixepoch() + 3600',
  );
}
