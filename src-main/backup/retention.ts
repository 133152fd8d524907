/** Which archives of a folder stay, and which of the files beside them. */
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { storedNamesOf } from './archive/read-archive.ts';
import { removeUnreferenced } from './archive/stored-files.ts';
import { ARCHIVE_ENDING } from './archive/write-archive.ts';

/** One a day for a week, one a week for a month, one a month for a year. */
const RETENTION = { daily: 7, weekly: 4, monthly: 12 } as const;

/** What `archiveName` makes. The time is that of the clock on the wall. */
const NAME = /^(.+)-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.hearth$/;

interface ArchiveName {
  readonly fileName: string;
  readonly office: string;
  /** `2026-11-22` */
  readonly day: string;
  /** Grows with time, as text. */
  readonly time: string;
}

function parseArchiveName(fileName: string): ArchiveName | undefined {
  const [, office, day, hours, minutes, seconds] = NAME.exec(fileName) ?? [];
  if (office === undefined || day === undefined) return undefined;
  return {
    fileName,
    office,
    day,
    time: `${day}T${String(hours)}:${String(minutes)}:${String(seconds)}`,
  };
}

/** The Monday of its week. */
function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The newest of each of the newest so many periods. @param archives  the newest first */
function newestOfEach(
  archives: readonly ArchiveName[],
  count: number,
  periodOf: (day: string) => string,
): readonly ArchiveName[] {
  const newest = new Map<string, ArchiveName>();
  for (const archive of archives) {
    const period = periodOf(archive.day);
    if (!newest.has(period)) newest.set(period, archive);
  }
  return [...newest.values()].slice(0, count);
}

/**
 * Archives of an office that the rule does not keep.
 * @param office  as its archives are named
 * @param fileNames  everything in the folder; of what is no archive of this office nothing is answered
 */
export function expiredArchives(office: string, fileNames: readonly string[]): readonly string[] {
  const archives = fileNames
    .map(parseArchiveName)
    .filter((archive) => archive?.office === office)
    .filter((archive) => archive !== undefined)
    .sort((one, other) => (one.time < other.time ? 1 : -1));
  const kept = new Set([
    ...newestOfEach(archives, RETENTION.daily, (day) => day),
    ...newestOfEach(archives, RETENTION.weekly, weekOf),
    ...newestOfEach(archives, RETENTION.monthly, (day) => day.slice(0, 7)),
  ]);
  return archives.filter((archive) => !kept.has(archive)).map(({ fileName }) => fileName);
}

/** The newest of these names, and when it was made; undefined where none is an archive's. */
export function newestArchive(
  fileNames: readonly string[],
): { readonly fileName: string; readonly madeAt: Date } | undefined {
  const [newest] = fileNames
    .flatMap((fileName) => parseArchiveName(fileName) ?? [])
    .sort((one, other) => (one.time < other.time ? 1 : -1));
  // Without a zone, as the name: by the clock on the wall.
  return newest && { fileName: newest.fileName, madeAt: new Date(newest.time) };
}

/** The name of the office in the name of an archive; undefined for what is none. */
export const officeOf = (fileName: string): string | undefined =>
  parseArchiveName(fileName)?.office;

/** Every file that an archive of the folder needs; undefined where one cannot be read, or is being made. */
async function referencedFiles(into: string): Promise<ReadonlySet<string> | undefined> {
  const needed = new Set<string>();
  for (const name of await readdir(into)) {
    if (name.endsWith(`${ARCHIVE_ENDING}.partial`)) return undefined;
    if (!name.endsWith(ARCHIVE_ENDING)) continue;
    const stored = await storedNamesOf(join(into, name)).catch(() => undefined);
    if (stored === undefined) return undefined;
    for (const file of stored) needed.add(file);
  }
  return needed;
}

/**
 * Removes the older archives that the rule no longer keeps, and the files that only these needed. An archive that lacks
 * files removes nothing: the older ones may have them.
 */
export async function removeExpired(into: string, file: string, lostFiles: number): Promise<void> {
  const office = officeOf(basename(file));
  if (office === undefined || lostFiles > 0) return;
  for (const name of expiredArchives(office, await readdir(into))) await rm(join(into, name));
  const needed = await referencedFiles(into);
  if (needed !== undefined) await removeUnreferenced(into, needed, new Date());
}
