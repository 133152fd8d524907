/** Brings an organization back out of a sealed archive, on any computer. */
import { randomInt } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ArchiveError } from './archive/archive-error.ts';
import { wholeOf } from './archive/byte-reader.ts';
import { gunzip } from './archive/gzip.ts';
import { openArchive, type OpenedArchive } from './archive/read-archive.ts';
import { type OfficeKeys, RECOVERY_KIT_FILE, replaceRecoveryKit } from './archive/recovery-kit.ts';
import { type StoredFile, STORED_FILES } from './archive/stored-files.ts';
import type { TarEntry } from './archive/tar.ts';
import { DATABASE, databaseIn } from '#node/files/data-folder.ts';
import { isThere } from '#node/files/exists.ts';
import { flushDirectory, flushTree } from '#node/files/durable-files.ts';
import { codeOf } from '#node/error-code.ts';
import {
  OFFICE_KEY_FILE,
  OFFICE_PIN_FILE,
  type OfficeKey,
  readOfficeKey,
  SECRET_FILE,
} from '#node/tls/server-identity.ts';
import type { Edit, EpochRow } from '#service/db/port.ts';
import { type RestoredStanding, restoreDatabase } from '#service/db/sqlite/restored.ts';
import { findDamage } from '#service/db/sqlite/snapshot.ts';
import { type About, readAbout } from './archive-description.ts';
import { nextEpoch } from './restore-generation.ts';
import { explained, KeepingError } from './collect.ts';
import { PACKED_LIST, readPackedList, unpacked } from './compressed-files.ts';
import { PACKED_DATABASE, STORED_LIST } from './sealed-copy.ts';
import { counted } from '#node/wording.ts';
import { readStoredList, takeBeside } from './restore-stored-files.ts';
import { readBeside, type Standings } from './account-snapshot.ts';
import { keysAfterTheft, withKeys } from './next-identity-key.ts';

export interface RestoreRequest {
  readonly file: string;
  /** As `readRecoveryCode` answers it. */
  readonly code: string;
  /** A folder that is empty or not there yet. */
  readonly dataDir: string;
  /** Whether the keys of before go on being good: only where nobody was shut out since. */
  readonly keepsKeys: boolean;
  /** Whether somebody else has the computer of before: the successor becomes the key of the office. */
  readonly isStolen: boolean;
  /** Whether an archive whose messages are whole will do, with what can be read of its files. */
  readonly acceptsDamage: boolean;
}

/** What somebody sees before they decide. */
export interface Shown {
  readonly about: About;
  /** Null for an office that has none, or whose keys are not in the archive. */
  readonly pin: string | null;
  readonly hasKeys: boolean;
  /** Whether the archive has the key that takes the place of a stolen one. */
  readonly hasSuccessor: boolean;
}

export interface Restored extends Shown {
  readonly dataDir: string;
  readonly epoch: EpochRow;
  /** How many files of the archive could not be read. */
  readonly lostFiles: number;
  /** The number with which it is opened to others. */
  readonly opensWith: string;
  /** What was known of accounts later than the archive; null where nothing was. */
  readonly standing: RestoredStanding | null;
}

const MAX_ABOUT = 64 * 1024;

const unknown = (file: string): KeepingError =>
  new KeepingError(
    `The archive ${file} was made in a way that this version of Hearth does not know: install the version that made it or a later one.`,
  );

async function aboutOf(office: AsyncGenerator<TarEntry>, file: string): Promise<About> {
  const first = await office.next();
  if (first.done === true || first.value.name !== 'about.json') throw unknown(file);
  if (first.value.sizeBytes > MAX_ABOUT) throw unknown(file);
  const about = readAbout((await wholeOf(first.value.content)).toString());
  if (about === undefined) throw unknown(file);
  return about;
}

function officeKeyOf({ keys }: Pick<OpenedArchive, 'keys'>): OfficeKey | undefined {
  const exported = keys?.officeKey ?? null;
  return exported === null ? undefined : readOfficeKey(exported);
}

async function opened(file: string, code: string): Promise<OpenedArchive> {
  try {
    return await openArchive(file, code);
  } catch (error) {
    if (error instanceof ArchiveError || codeOf(error) === '') throw error;
    throw new KeepingError(`The archive ${file} cannot be read (${codeOf(error)}).`);
  }
}

const shownOf = (archive: Pick<OpenedArchive, 'keys'>, about: About): Shown => ({
  about,
  pin: officeKeyOf(archive)?.pin ?? null,
  hasKeys: archive.keys !== null,
  hasSuccessor: (archive.keys?.successorKey ?? null) !== null,
});

/** What an archive is, before anything is done with it. @throws ArchiveError, KeepingError */
export async function show(file: string, code: string): Promise<Shown> {
  const archive = await opened(file, code);
  try {
    return shownOf(archive, await aboutOf(archive.office, file));
  } finally {
    await archive.close();
  }
}

/** @throws KeepingError where the folder has something in it */
export async function checkTarget(dataDir: string): Promise<void> {
  const found = await readdir(dataDir).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new KeepingError(
      `The folder ${dataDir} cannot be used (${codeOf(error)}): name another one with --data-dir.`,
    );
  });
  if (found.length > 0) {
    throw new KeepingError(
      `The folder ${dataDir} is not empty: name an empty one, or one that is not there yet, with --data-dir.`,
    );
  }
  if (!(await isThere(dirname(dataDir)))) {
    throw new KeepingError(`There is no folder ${dirname(dataDir)}: make it first.`);
  }
}

/** A move hands over what seals archives as well, so that one code goes on opening all of them. */
const isPart = (name: string): boolean =>
  [DATABASE, 'development', RECOVERY_KIT_FILE].includes(name) || name.startsWith('files/');

export async function unpackOne(partial: string, { name, content }: TarEntry): Promise<void> {
  if (!isPart(name)) {
    throw new KeepingError(
      `The archive holds "${name}", which is no part of an organization: nothing is restored.`,
    );
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

function plain(
  entry: TarEntry,
  { databaseBytes }: About,
  sizes: ReadonlyMap<string, number>,
): TarEntry {
  if (entry.name !== PACKED_DATABASE || databaseBytes === undefined) return unpacked(entry, sizes);
  const content = gunzip(entry.content, databaseBytes);
  return { name: DATABASE, sizeBytes: databaseBytes, content };
}

/** Everything up to the first damage: what is handed over before it is proven to be what was sealed. */
async function unpack(
  partial: string,
  { office, about }: { readonly office: AsyncGenerator<TarEntry>; readonly about: About },
  signal: AbortSignal,
): Promise<Unpacked> {
  let hasDatabase = false;
  let files = 0;
  let stored: Unpacked['stored'] = null;
  let sizes: ReadonlyMap<string, number> = new Map();
  try {
    for await (const packed of office) {
      const entry = plain(packed, about, sizes);
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

const missingBeside = ({ files, stored }: Unpacked): ArchiveError =>
  new ArchiveError(
    'damaged',
    `The archive has ${counted(stored?.length ?? 0, 'file')} beside it, in the folder ${STORED_FILES}: ${String(files)} can be read, and all of its messages. Put that folder beside the archive, or add --accept-damage to restore without what is missing.`,
  );

/** @throws ArchiveError that says what can be read */
function checkDamage(unpacked: Unpacked, about: About, acceptsDamage: boolean): void {
  const { hasDatabase, files, stored, damage } = unpacked;
  if (!hasDatabase) {
    throw new ArchiveError(
      'damaged',
      'The archive is damaged before the end of its messages, and nothing of it can be restored: take an older one.',
      damage,
    );
  }
  if (acceptsDamage) return;
  if (damage === null && stored !== null && files < stored.length) throw missingBeside(unpacked);
  if (damage === null) return;
  throw new ArchiveError(
    'damaged',
    `The archive is damaged: ${String(files)} of its ${counted(about.files, 'file')} can be read, and all of its messages. Add --accept-damage to restore these, or take an older archive.`,
    damage,
  );
}

async function writeKeys(
  partial: string,
  { kit: { recipient, code } }: OpenedArchive,
  keys: OfficeKeys | null,
): Promise<void> {
  const kit = { recipient, code, keys: null, successor: null, isCodeConfirmed: true };
  await replaceRecoveryKit(partial, keys === null ? kit : await withKeys(kit, keys));
  if (keys === null) return;
  const options = { mode: 0o600, flag: 'wx' } as const;
  await writeFile(join(partial, SECRET_FILE), Buffer.from(keys.secret, 'hex'), options);
  const officeKey = officeKeyOf({ keys });
  if (officeKey === undefined) return;
  await writeFile(join(partial, OFFICE_KEY_FILE), `${officeKey.exported()}\n`, options);
  await writeFile(join(partial, OFFICE_PIN_FILE), `${officeKey.pin}\n`, options);
}

interface Work {
  readonly request: RestoreRequest;
  readonly partial: string;
  readonly now: Date;
  readonly signal: AbortSignal;
}

interface Beside {
  readonly standings: ReadonlyMap<number, Standings>;
  readonly edits: ReadonlyMap<number, readonly Edit[]>;
}

/** What is known of later moments, by the epoch; without the keys nothing could be proven. */
async function readLater(
  { kit: { recipient }, keys, unseal }: OpenedArchive,
  file: string,
  backedUpAt: number,
): Promise<Beside> {
  if (keys === null) return { standings: new Map(), edits: new Map() };
  const sealing = { recipient, secret: Buffer.from(keys.secret, 'hex'), unseal };
  const found = await readBeside('standing', dirname(file), sealing);
  const later = found.filter(({ atSeconds }) => atSeconds >= backedUpAt);
  const edits = new Map<number, Edit[]>();
  for (const part of await readBeside('edits', dirname(file), sealing)) {
    const known = edits.get(part.epoch) ?? [];
    edits.set(part.epoch, known);
    for (const edit of part.edits) known.push(edit);
  }
  return { standings: new Map(later.map((standings) => [standings.epoch, standings])), edits };
}

async function fill(work: Work, archive: OpenedArchive): Promise<Restored> {
  const { request, partial, now, signal } = work;
  const { isStolen } = request;
  const keys = isStolen ? keysAfterTheft(archive.keys) : archive.keys;
  const about = await aboutOf(archive.office, request.file);
  const inside = await unpack(partial, { office: archive.office, about }, signal);
  const beside = await takeBeside(partial, archive, {
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
    throw new KeepingError(
      `The database in the archive is damaged (${damage}): take an older one.`,
    );
  }
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const backedUpAt = Math.floor(Date.parse(about.madeAt) / 1000);
  const opensWith = String(randomInt(1e6)).padStart(6, '0');
  const lostFiles = about.files - unpacked.files;
  const later = await readLater(archive, request.file, backedUpAt);
  const { epoch, standing } = restoreDatabase(database, {
    epochAfter: (before) => nextEpoch(before, nowSeconds, officeKeyOf({ keys })),
    now: nowSeconds,
    backedUpAt,
    keepsKeys: request.keepsKeys && !isStolen,
    isStolen,
    ...{ opensWith, lostFiles },
    ...later,
  });
  await flushTree(partial);
  signal.throwIfAborted();
  const shown = shownOf({ keys }, about);
  return { dataDir: request.dataDir, ...shown, epoch, lostFiles, opensWith, standing };
}

/** In place of the empty folder that may be there. */
export async function giveName(partial: string, dataDir: string): Promise<void> {
  await rmdir(dataDir).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  await rename(partial, dataDir);
  await flushDirectory(dirname(dataDir));
}

/** Beside the folder, so that it can get its name at once. A restore that was killed has left it. */
async function makeRoom(dataDir: string): Promise<string> {
  const partial = join(dirname(dataDir), `${basename(dataDir)}.restoring`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  return partial;
}

/**
 * Makes a data folder out of an archive, on which a service can be started. It has its name only when it is whole.
 * @throws ArchiveError, KeepingError and other errors of one sentence; then nothing is left of it
 */
export async function restore(
  request: RestoreRequest,
  now: Date,
  signal: AbortSignal,
): Promise<Restored> {
  const { dataDir, file, code } = request;
  await checkTarget(dataDir);
  const archive = await opened(file, code);
  let partial: string | undefined;
  try {
    partial = await makeRoom(dataDir);
    const restored = await fill({ request, partial, now, signal }, archive);
    await giveName(partial, dataDir);
    return restored;
  } catch (error) {
    if (partial !== undefined) await rm(partial, { recursive: true, force: true });
    throw error instanceof ArchiveError ? error : explained(error, dirname(dataDir));
  } finally {
    await archive.close();
  }
}
