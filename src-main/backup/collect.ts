/** Everything that an organization is, collected in one folder beside the service that may be writing to it. */
import { constants } from 'node:fs';
import { access, link, mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import { pathExists } from '#node/files/exists.ts';
import { copyPrivately } from '#node/files/durable-files.ts';
import { codeOf, isDiskFull } from '#node/error-code.ts';
import { IDENTITY_KEY_FILE, FINGERPRINT_FILE, SECRET_FILE } from '#node/tls/server-identity.ts';
import { readIdentityKeyFile } from '#service/security/identity-key-file.ts';
import { readSecret } from '#service/security/secret-file.ts';
import {
  avatarPlace,
  emojiPlace,
  iconPlace,
  uploadPlace,
} from '#service/features/files/operations/file-paths.ts';
import { iconFileOf } from '#service/features/organization/rules/organization-icon.ts';
import {
  findDamage,
  type NamedFiles,
  readSnapshot,
  type SnapshotContent,
  takeSnapshot,
} from '#service/db/sqlite/snapshot.ts';

export interface CollectRequest {
  readonly dataDir: string;
  /** Where the copy grows until it is whole. */
  readonly partial: string;
  /** Brings one file over; the folder that it comes to may not be there yet. */
  readonly copy: (from: string, to: string) => Promise<void>;
  readonly signal: AbortSignal;
}

export interface CollectedData extends Pick<SnapshotContent, 'messages' | 'name'> {
  /** A desktop keeps the secret in the keychain instead. */
  readonly hasSecret: boolean;
  /** Files that the database names and the data folder does not have, or not whole. */
  readonly lost: readonly string[];
  /** Paths of the files that the database names and the copy has, from the copy's folder on. */
  readonly files: readonly (readonly string[])[];
}

/** After so many snapshots, people delete files faster than they can be copied: what is missing is told as lost. */
const MAX_ROUNDS = 10;

/** `2026-11-22T19-18-42` by the clock on the wall: colons are not allowed in names everywhere. */
export function localTimestamp(now: Date): string {
  const onTheWall = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return onTheWall.toISOString().slice(0, 19).replaceAll(':', '-');
}

/**
 * For a copy that does not stay: the same file under a second name, which stays readable when the first one is removed.
 * Nothing is ever written into a file that has its name. Where the file system has no such names it is copied.
 */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw error;
    await copyPrivately(from, to);
  }
}

async function isInside(folder: string, outer: string): Promise<boolean> {
  const way = relative(await realpath(outer), await realpath(folder));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const organizationMissing = (folder: string): ExplainedError =>
  new ExplainedError(backupWords('data_folder_without_organization', { folder }));

/** @throws ExplainedError where the folder has no organization */
export async function checkOrganization(dataDir: string): Promise<void> {
  if (!(await pathExists(databaseIn(dataDir)))) throw organizationMissing(dataDir);
}

/** @throws ExplainedError where there is nothing to copy from, or nowhere to copy to */
export async function checkFolders(dataDir: string, into: string): Promise<void> {
  const database = databaseIn(dataDir);
  await access(database, constants.R_OK).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw organizationMissing(dataDir);
    const refused = { folder: dataDir, code: codeOf(error) };
    throw new ExplainedError(backupWords('data_folder_not_readable', refused));
  });
  const found = await stat(into).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new ExplainedError(backupWords('copy_folder_missing', { folder: into }));
  }
  if (await isInside(into, dataDir)) {
    throw new ExplainedError(backupWords('copy_folder_in_data_folder', { folder: into }));
  }
}

/** A folder for what is not whole yet. @throws ExplainedError */
export async function makeStagingFolder(partial: string): Promise<void> {
  const into = dirname(partial);
  try {
    await mkdir(partial, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw copyExists(partial);
    if (isDiskFull(error)) throw explainError(error, into);
    const refused = { folder: into, code: codeOf(error) };
    throw new ExplainedError(backupWords('copy_folder_not_writable', refused));
  }
}

export const copyExists = (file: string): ExplainedError =>
  new ExplainedError(backupWords('copy_exists', { file }));

/** What only a person can put right, as one sentence; a mistake in this program stays what it is. */
export function explainError(error: unknown, into: string): unknown {
  const code = codeOf(error);
  if (error instanceof ExplainedError || !(error instanceof Error)) return error;
  if (error.name === 'AbortError') return new ExplainedError(backupWords('copy_given_up'));
  if (isDiskFull(error)) return new ExplainedError(backupWords('copy_disk_full', { folder: into }));
  if (code === '') return error;
  return new ExplainedError(backupWords('copy_failed', { folder: into, reason: error.message }));
}

/** Where the files lie that the database names, and how long they are where it says so. */
function filePathsIn({
  uploads,
  avatars,
  emoji,
  icons,
}: NamedFiles): ReadonlyMap<string, number | null> {
  const iconFiles = icons.flatMap((url) => iconFileOf({ icon_url: url }) ?? []);
  return new Map([
    ...avatars.map((fileName): [string, null] => [avatarPlace(fileName), null]),
    ...iconFiles.map((fileName): [string, null] => [iconPlace(fileName), null]),
    ...emoji.map((fileName): [string, null] => [emojiPlace(fileName), null]),
    ...uploads.map((file): [string, number] => [uploadPlace(file.path), file.sizeBytes]),
  ]);
}

/** @returns false where the data folder has no such file */
async function copyIfPresent(
  { dataDir, partial, copy }: CollectRequest,
  ...path: readonly string[]
): Promise<boolean> {
  const from = join(dataDir, ...path);
  try {
    await copy(from, join(partial, ...path));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !(await pathExists(from))) return false;
    throw error;
  }
}

/** Anew where there is one from the round before. */
async function copyDatabase({ dataDir, partial }: CollectRequest): Promise<SnapshotContent> {
  const copy = databaseIn(partial);
  await rm(copy, { force: true });
  await writeFile(copy, '', { mode: 0o600 });
  if (!takeSnapshot(databaseIn(dataDir), copy)) throw organizationMissing(dataDir);
  return readSnapshot(copy);
}

const pathOf = (place: string): readonly string[] => ['files', ...place.split('/')];

interface CopiedContent extends SnapshotContent {
  readonly places: ReadonlyMap<string, number | null>;
}

/**
 * The database first, then the files that it names: these are written before their row and removed after it, so that
 * one which is not there was removed since, or is lost. A snapshot that is younger tells which: after one without a
 * new gap, all that the copy names is in it but for what the data folder itself has lost.
 */
async function copyContent(work: CollectRequest): Promise<CopiedContent> {
  const taken = new Set<string>();
  let missing = new Set<string>();
  for (let round = 1; ; round++) {
    const content = await copyDatabase(work);
    const places = filePathsIn(content.files);
    const before = missing;
    missing = new Set();
    for (const place of places.keys()) {
      work.signal.throwIfAborted();
      if (taken.has(place)) continue;
      if (await copyIfPresent(work, ...pathOf(place))) taken.add(place);
      else missing.add(place);
    }
    if ([...missing].every((place) => before.has(place)) || round === MAX_ROUNDS) {
      for (const place of taken) {
        if (!places.has(place)) await rm(join(work.partial, ...pathOf(place)));
      }
      return { ...content, places };
    }
  }
}

interface InspectedFiles {
  readonly lost: readonly string[];
  readonly files: readonly (readonly string[])[];
}

/** Looks at the copy itself, not at what was done to make it. */
async function inspectCopy(
  { partial }: CollectRequest,
  places: ReadonlyMap<string, number | null>,
): Promise<InspectedFiles> {
  const lost: string[] = [];
  const files: (readonly string[])[] = [];
  for (const [place, sizeBytes] of places) {
    const found = await stat(join(partial, ...pathOf(place))).catch(() => undefined);
    const hasLength = sizeBytes === null || found?.size === sizeBytes;
    if (found === undefined || !hasLength) lost.push(place);
    if (found !== undefined) files.push(pathOf(place));
  }
  return { lost, files };
}

async function copySecret(work: CollectRequest): Promise<boolean> {
  if (!(await copyIfPresent(work, SECRET_FILE))) return false;
  await readSecret(join(work.partial, SECRET_FILE));
  return true;
}

/** The fingerprint goes along with the key alone: where the keychain has the key, a copy begins as another office. */
async function copyIdentityKey(work: CollectRequest): Promise<void> {
  if (!(await copyIfPresent(work, IDENTITY_KEY_FILE))) return;
  await readIdentityKeyFile(work.partial);
  await copyIfPresent(work, FINGERPRINT_FILE);
}

/**
 * Fills the folder with the database as it is at one moment and all that it names, checked.
 * @throws ExplainedError where the database is damaged or has no organization; whatever reading and writing throws
 */
export async function collect(work: CollectRequest): Promise<CollectedData> {
  const { dataDir, partial } = work;
  const hasSecret = await copySecret(work);
  await copyIdentityKey(work);
  // The mark of a development service, without which --dev would refuse its own copy.
  await copyIfPresent(work, 'development');
  const { places, ...content } = await copyContent(work);
  const damage = findDamage(databaseIn(partial));
  if (damage !== undefined) {
    throw new ExplainedError(backupWords('copied_database_damaged', { folder: dataDir, damage }));
  }
  return { ...content, hasSecret, ...(await inspectCopy(work, places)) };
}
