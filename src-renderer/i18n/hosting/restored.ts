import type { MissingSinceBackup } from '#shared/bridge/models/backups.ts';
import { count } from '../count.ts';
import { fullDate, type Hours } from '../dates.ts';

/** What is said of an organization that was restored here and is closed to others. */
export const restoredWords = {
  title: (organization: string): string =>
    `${organization} is closed to everybody but administrators`,
  text: 'It was restored from a backup. Until you open it, only administrators can use it, and only on this computer.',
  open: 'Open to everybody',
  signIn:
    'It was restored from a backup and is closed to everybody but administrators. Sign in as an administrator to open it.',
} as const;

/** What to look at before it is opened, as sentences. */
export function missingLines(missing: MissingSinceBackup, hours?: Hours): readonly string[] {
  const { sinceSeconds, snapshotAtSeconds, lostFiles } = missing;
  const later =
    snapshotAtSeconds === null
      ? 'If you removed somebody from the organization or from a stream since then, remove them again.'
      : `Accounts, members of streams, privacy and policies are those of ${fullDate(snapshotAtSeconds, hours)}.`;
  const lost = `${count(lostFiles, 'file', 'files')} of the backup could not be read.`;
  return [
    `Changes since ${fullDate(sinceSeconds, hours)} may be missing.`,
    later,
    ...(lostFiles === 0 ? [] : [lost]),
  ];
}
