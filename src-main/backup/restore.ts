/** Brings an organization back out of a sealed archive, on any computer. */
import { randomInt } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ArchiveError } from './archive/archive-error.ts';
import { readWhole } from './archive/byte-reader.ts';
import { gunzip } from './archive/gzip.ts';
import { openArchive, type OpenedArchive } from './archive/read-archive.ts';
import { type ServerKeys, RECOVERY_KIT_FILE, replaceRecoveryKit } from './archive/recovery-kit.ts';
import { type StoredFile, STORED_FILES } from './archive/stored-files.ts';
import type { TarEntry } from './archive/tar.ts';
import { DATABASE, databaseIn } from '#node/files/data-folder.ts';
import { pathExists } from '#node/files/exists.ts';
import { flushDirectory, flushTree } from '#node/files/durable-files.ts';
import { codeOf } from '#node/error-code.ts';
import {
  IDENTITY_KEY_FILE,
  FINGERPRINT_FILE,
  type ServerIdentity,
  readServerIdentity,
  SECRET_FILE,
} from '#node/tls/server-identity.ts';
import type { ChangedText, RestoreGenerationRow } from '#service/db/port.ts';
import { type AppliedAccountSnapshot, restoreDatabase } from '#service/db/sqlite/restored.ts';
import { findDamage } from '#service/db/sqlite/snapshot.ts';
import { type ArchiveSummary, readArchiveSummary } from './archive-description.ts';
import { nextRestoreGeneration } from './restore-generation.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { explainError } from './collect.ts';
import { PACKED_LIST, readPackedList, unpackFile } from './compressed-files.ts';
import { PACKED_DATABASE, STORED_LIST } from './sealed-copy.ts';
import { readStoredList, restoreStoredFiles } from './restore-stored-files.ts';
import { readSidecars, type AccountSnapshotBody } from './account-snapshot.ts';
import { keysAfterTheft, withSealedKeys } from './next-identity-key.ts';

export interface RestoreRequest {
  readonly file: string;
  /** As `readRecoveryCode` answers it. */
  readonly code: string;
  /** A folder that is empty or not there yet. */
  readonly dataDir: string;
  /** Whether the keys of before go on being good: only where nobody was shut out since. */
  readonly keepsKeys: boolean;
  /** Whether somebody else has the computer of before: the next identity key becomes the key of the office. */
  readonly isStolen: boolean;
  /** Whether an archive whose messages are whole will do, with what can be read of its files. */
  readonly acceptsDamage: boolean;
}

/** What somebody sees before they decide. */
export interface ArchiveInfo {
  readonly summary: ArchiveSummary;
  /** Null for an office that has none, or whose keys are not in the archive. */
  readonly fingerprint: string | null;
  readonly hasKeys: boolean;
  /** Whether the archive has the key that takes the place of a stolen one. */
  readonly hasNextKey: boolean;
}

export interface RestoreResult extends ArchiveInfo {
  readonly dataDir: string;
  readonly restoreGeneration: RestoreGenerationRow;
  /** How many files of the archive could not be read. */
  readonly lostFiles: number;
  /** The number with which it is opened to others. */
  readonly opensWith: string;
  /** What was known of accounts later than the archive; null where nothing was. */
  readonly accountSnapshot: AppliedAccountSnapshot | null;
}

const MAX_ABOUT = 64 * 1024;

const unknown = (file: string): ExplainedError =>
  new ExplainedError(backupWords('archive_unknown', { file }));

async function readSummary(
  office: AsyncGenerator<TarEntry>,
  file: string,
): Promise<ArchiveSummary> {
  const first = await office.next();
  if (first.done === true || first.value.name !== 'about.json') throw unknown(file);
  if (first.value.sizeBytes > MAX_ABOUT) throw unknown(file);
  const about = readArchiveSummary((await readWhole(first.value.content)).toString());
  if (about === undefined) throw unknown(file);
  return about;
}

function identityOf({ keys }: Pick<OpenedArchive, 'keys'>): ServerIdentity | undefined {
  const exported = keys?.officeKey ?? null;
  return exported === null ? undefined : readServerIdentity(exported);
}

async function openWithCode(file: string, code: string): Promise<OpenedArchive> {
  try {
    return await openArchive(file, code);
  } catch (error) {
    if (error instanceof ArchiveError || codeOf(error) === '') throw error;
    throw new ExplainedError(backupWords('archive_unreadable', { file, code: codeOf(error) }));
  }
}

const archiveInfoOf = (
  archive: Pick<OpenedArchive, 'keys'>,
  summary: ArchiveSummary,
): ArchiveInfo => ({
  summary,
  fingerprint: identityOf(archive)?.fingerprint ?? null,
  hasKeys: archive.keys !== null,
  hasNextKey: (archive.keys?.successorKey ?? null) !== null,
});

/** What an archive is, before anything is done with it. @throws ArchiveError, ExplainedError */
export async function inspectArchive(file: string, code: string): Promise<ArchiveInfo> {
  const archive = await openWithCode(file, code);
  try {
    return archiveInfoOf(archive, await readSummary(archive.office, file));
  } finally {
    await archive.close();
  }
}

/** @throws ExplainedError where the folder has something in it */
export async function checkTarget(dataDir: string): Promise<void> {
  const found = await readdir(dataDir).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    const refused = { folder: dataDir, code: codeOf(error) };
    throw new ExplainedError(backupWords('restore_folder_unusable', refused));
  });
  if (found.length > 0) {
    throw new ExplainedError(backupWords('restore_folder_not_empty', { folder: dataDir }));
  }
  if (!(await pathExists(dirname(dataDir)))) {
    throw new ExplainedError(backupWords('restore_parent_missing', { folder: dirname(dataDir) }));
  }
}

/** A move hands over what seals archives as well, so that one code goes on opening all of them. */
const isPart = (name: string): boolean =>
  [DATABASE, 'development', RECOVERY_KIT_FILE].includes(name) || name.startsWith('files/');

export async function unpackOne(partial: string, { name, content }: TarEntry): Promise<void> {
  if (!isPart(name)) {
    throw new ExplainedError(backupWords('archive_entry_foreign', { file: name }));
  }
  const path = join(partial, ...name.split('/'));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) await handle.writeFile(chunk);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

interface Unpacked {
  readonly hasDatabase: boolean;
  readonly files: number;
  /** What lies beside the archive; null where the archive has its files itself. */
  readonly stored: readonly StoredFile[] | null;
  readonly damage: ArchiveError | null;
}

function unpackDatabase(
  entry: TarEntry,
  { databaseBytes }: ArchiveSummary,
  sizes: ReadonlyMap<string, number>,
): TarEntry {
  if (entry.name !== PACKED_DATABASE || databaseBytes === undefined)
    return unpackFile(entry, sizes);
  const content = gunzip(entry.content, databaseBytes);
  return { name: DATABASE, sizeBytes: databaseBytes, content };
}

/** Everything up to the first damage: what is handed over before it is proven to be what was sealed. */
async function unpack(
  partial: string,
  { office, about }: { readonly office: AsyncGenerator<TarEntry>; readonly about: ArchiveSummary },
  signal: AbortSignal,
): Promise<Unpacked> {
  let hasDatabase = false;
  let files = 0;
  let stored: Unpacked['stored'] = null;
  let sizes: ReadonlyMap<string, number> = new Map();
  try {
    for await (const packed of office) {
      const entry = unpackDatabase(packed, about, sizes);
      signal.throwIfAborted();
      if (entry.name === STORED_LIST) {
        stored = await readStoredList(entry);
        continue;
      }
      if (entry.name === PACKED_LIST) {
        sizes = await readPackedList(entry);
        continue;
      }
      await unpackOne(partial, entry);
      if (entry.name === DATABASE) hasDatabase = true;
      if (entry.name.startsWith('files/')) files += 1;
    }
    return { hasDatabase, files, stored, damage: null };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { hasDatabase, files, stored, damage: error };
  }
}

const sidecarsMissing = ({ files, stored }: Unpacked): ArchiveError =>
  new ArchiveError(
    'damaged',
    backupWords('archive_files_missing', {
      files: stored?.length ?? 0,
      folder: STORED_FILES,
      readable: files,
    }),
  );

/** @throws ArchiveError that says what can be read */
function checkDamage(unpacked: Unpacked, about: ArchiveSummary, acceptsDamage: boolean): void {
  const { hasDatabase, files, stored, damage } = unpacked;
  if (!hasDatabase) {
    throw new ArchiveError('damaged', backupWords('archive_damaged_before_messages'), damage);
  }
  if (acceptsDamage) return;
  if (damage === null && stored !== null && files < stored.length) throw sidecarsMissing(unpacked);
  if (damage === null) return;
  throw new ArchiveError(
    'damaged',
    backupWords('archive_files_damaged', { files: about.files, readable: files }),
    damage,
  );
}

async function writeKeys(
  partial: string,
  { kit: { recipient, code } }: OpenedArchive,
  keys: ServerKeys | null,
): Promise<void> {
  const kit = { recipient, code, keys: null, successor: null, isCodeConfirmed: true };
  await replaceRecoveryKit(partial, keys === null ? kit : await withSealedKeys(kit, keys));
  if (keys === null) return;
  const options = { mode: 0o600, flag: 'wx' } as const;
  await writeFile(join(partial, SECRET_FILE), Buffer.from(keys.secret, 'hex'), options);
  const officeKey = identityOf({ keys });
  if (officeKey === undefined) return;
  await writeFile(join(partial, IDENTITY_KEY_FILE), `${officeKey.exported()}\n`, options);
  await writeFile(join(partial, FINGERPRINT_FILE), `${officeKey.fingerprint}\n`, options);
}

interface RestoreWork {
  readonly request: RestoreRequest;
  readonly partial: string;
  readonly now: Date;
  readonly signal: AbortSignal;
}

interface LaterState {
  readonly accountSnapshots: ReadonlyMap<number, AccountSnapshotBody>;
  readonly edits: ReadonlyMap<number, readonly ChangedText[]>;
}

/** What is known of later moments, by the restore generation; without the keys nothing could be proven. */
async function readLaterState(
  { kit: { recipient }, keys, unseal }: OpenedArchive,
  file: string,
  backedUpAt: number,
): Promise<LaterState> {
  if (keys === null) return { accountSnapshots: new Map(), edits: new Map() };
  const sealing = { recipient, secret: Buffer.from(keys.secret, 'hex'), unseal };
  const found = await readSidecars('standing', dirname(file), sealing);
  const later = found.filter(({ atSeconds }) => atSeconds >= backedUpAt);
  const edits = new Map<number, ChangedText[]>();
  for (const part of await readSidecars('edits', dirname(file), sealing)) {
    const known = edits.get(part.epoch) ?? [];
    edits.set(part.epoch, known);
    for (const edit of part.edits) known.push(edit);
  }
  return {
    accountSnapshots: new Map(later.map((snapshots) => [snapshots.epoch, snapshots])),
    edits,
  };
}

async function restoreInto(work: RestoreWork, archive: OpenedArchive): Promise<RestoreResult> {
  const { request, partial, now, signal } = work;
  const { isStolen } = request;
  const keys = isStolen ? keysAfterTheft(archive.keys) : archive.keys;
  const about = await readSummary(archive.office, request.file);
  const inside = await unpack(partial, { office: archive.office, about }, signal);
  const beside = await restoreStoredFiles(partial, archive, {
    folder: dirname(request.file),
    stored: inside.stored ?? [],
    signal,
  });
  const unpacked = { ...inside, files: inside.files + beside };
  checkDamage(unpacked, about, request.acceptsDamage);
  await writeKeys(partial, archive, keys);
  const database = databaseIn(partial);
  const damage = findDamage(database);
  if (damage !== undefined) {
    throw new ExplainedError(backupWords('archived_database_damaged', { damage }));
  }
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const backedUpAt = Math.floor(Date.parse(about.madeAt) / 1000);
  const opensWith = String(randomInt(1e6)).padStart(6, '0');
  const lostFiles = about.files - unpacked.files;
  const later = await readLaterState(archive, request.file, backedUpAt);
  const { restoreGeneration, accountSnapshot } = restoreDatabase(database, {
    nextRestoreGeneration: (before) =>
      nextRestoreGeneration(before, nowSeconds, identityOf({ keys })),
    now: nowSeconds,
    backedUpAt,
    keepsKeys: request.keepsKeys && !isStolen,
    isStolen,
    opensWith,
    lostFiles,
    ...later,
  });
  await flushTree(partial);
  signal.throwIfAborted();
  const shown = archiveInfoOf({ keys }, about);
  return {
    dataDir: request.dataDir,
    ...shown,
    restoreGeneration,
    lostFiles,
    opensWith,
    accountSnapshot,
  };
}

/** In place of the empty folder that may be there. */
export async function moveIntoPlace(partial: string, dataDir: string): Promise<void> {
  await rmdir(dataDir).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  await rename(partial, dataDir);
  await flushDirectory(dirname(dataDir));
}

/** Beside the folder, so that it can get its name at once. A restore that was killed has left it. */
async function makeRestoringFolder(dataDir: string): Promise<string> {
  const partial = join(dirname(dataDir), `${basename(dataDir)}.restoring`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  return partial;
}

/**
 * Makes a data folder out of an archive, on which a service can be started. It has its name only when it is whole.
 * @throws ArchiveError, ExplainedError and other errors of one sentence; then nothing is left of it
 */
export async function restoreOrganization(
  request: RestoreRequest,
  now: Date,
  signal: AbortSignal,
): Promise<RestoreResult> {
  const { dataDir, file, code } = request;
  await checkTarget(dataDir);
  const archive = await openWithCode(file, code);
  let partial: string | undefined;
  try {
    partial = await makeRestoringFolder(dataDir);
    const restored = await restoreInto({ request, partial, now, signal }, archive);
    await moveIntoPlace(partial, dataDir);
    return restored;
  } catch (error) {
    if (partial !== undefined) await rm(partial, { recursive: true, force: true });
    throw error instanceof ArchiveError ? error : explainError(error, dirname(dataDir));
  } finally {
    await archive.close();
  }
}
