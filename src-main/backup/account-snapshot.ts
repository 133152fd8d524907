/**
 * What was closed, kept beside the archives from moment to moment: whoever was shut out of the office or of a stream after
 * the last archive stays so when that is restored, and what was deleted stays deleted. Sealed as the archives are, and
 * authenticated by the secret of the office: what somebody else puts there opens nothing.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushDirectory } from '#node/files/durable-files.ts';
import { codeOf } from '#node/error-code.ts';
import { readIfThere } from '#node/files/read-if-exists.ts';
import type { ChangedText, AccountSnapshot } from '#service/db/port.ts';

/** What was closed at a moment of one restore generation. */
export interface AccountSnapshotBody extends AccountSnapshot {
  /** The restore generation's number; 0 for an office that was never restored. A host that was left behind goes on writing its own. */
  readonly epoch: number;
  /** UNIX seconds. */
  readonly atSeconds: number;
}

/** Texts that were changed in one restore generation, in files that are each written until they are full. */
export interface ChangedTextsPart {
  readonly epoch: number;
  readonly part: number;
  readonly edits: readonly ChangedText[];
}

interface SidecarContents {
  readonly standing: AccountSnapshotBody;
  readonly edits: ChangedTextsPart;
}

type SidecarKind = keyof SidecarContents;

const FORMAT = 1;
const MAX_FOLDERS = 4;
const FOLDERS_FILE = 'archive-folders.json';

const prefixOf = (kind: SidecarKind, recipient: string): string =>
  `${kind}-${createHash('sha256').update(recipient).digest('hex').slice(0, 12)}-`;

/** The name of what tells of a restore generation beside archives that are sealed for `recipient`. */
export const snapshotFileName = (recipient: string, epoch: number): string =>
  `${prefixOf('standing', recipient)}${String(epoch)}.age`;

export const changedTextsFileName = (
  recipient: string,
  { epoch, part }: Omit<ChangedTextsPart, 'edits'>,
): string => `${prefixOf('edits', recipient)}${String(epoch)}-${String(part)}.age`;

const macOf = (kind: SidecarKind, body: string, secret: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`hearth ${kind}\n${body}`).digest();

const isMac = (mac: string, right: Buffer): boolean => {
  const given = Buffer.from(mac, 'base64');
  return given.length === right.length && timingSafeEqual(given, right);
};

/** Who may open it, and by what it is proven to be of the office. */
export interface SidecarSealing {
  readonly recipient: string;
  readonly secret: Uint8Array;
}

export async function sealSidecar<K extends SidecarKind>(
  kind: K,
  content: SidecarContents[K],
  { recipient, secret }: SidecarSealing,
): Promise<Uint8Array> {
  // Not before it is needed: a service whose archives are made by other processes does without for long.
  const { encryptText } = await import('./archive/age.ts');
  const body = JSON.stringify(content);
  const mac = macOf(kind, body, secret).toString('base64');
  return encryptText(JSON.stringify({ format: FORMAT, mac, body }), recipient);
}

/** In place of the file that is there. @throws an Error with the system's code, ENOENT where the folder is not there */
export async function writeSidecar(file: string, sealed: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.partial`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(sealed);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await flushDirectory(dirname(file));
}

function parse<K extends SidecarKind>(
  kind: K,
  text: string,
  secret: Uint8Array,
): SidecarContents[K] | undefined {
  try {
    const { format, mac, body } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (format !== FORMAT || typeof mac !== 'string' || typeof body !== 'string') return undefined;
    return isMac(mac, macOf(kind, body, secret))
      ? (JSON.parse(body) as SidecarContents[K])
      : undefined;
  } catch {
    return undefined;
  }
}

type Unseal = (sealed: Uint8Array) => Promise<string>;

/** What lies beside an archive and is proven to be of its office; what is damaged or forged is left out. */
export async function readSidecars<K extends SidecarKind>(
  kind: K,
  folder: string,
  { recipient, secret, unseal }: SidecarSealing & { readonly unseal: Unseal },
): Promise<readonly SidecarContents[K][]> {
  const prefix = prefixOf(kind, recipient);
  const found: SidecarContents[K][] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.age')) continue;
    const text = await readFile(join(folder, name))
      .then(unseal)
      .catch(() => '');
    const content = parse(kind, text, secret);
    if (content !== undefined) found.push(content);
  }
  return found;
}

/** Where the last archives went, the newest first. */
export async function readArchiveFolders(dataDir: string): Promise<readonly string[]> {
  const text = (await readIfThere(join(dataDir, FOLDERS_FILE)))?.toString();
  try {
    const folders: unknown = JSON.parse(text ?? '[]');
    if (Array.isArray(folders)) return folders.filter((each) => typeof each === 'string');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return [];
}

/** An archive was made there: from now on the account snapshot is kept there as well. */
export async function rememberArchiveFolder(dataDir: string, folder: string): Promise<void> {
  const known = await readArchiveFolders(dataDir);
  if (known[0] === folder) return;
  const folders = [folder, ...known.filter((each) => each !== folder)].slice(0, MAX_FOLDERS);
  const file = join(dataDir, FOLDERS_FILE);
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(folders));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

/** Whether a folder is not there, as that of a disk that is not plugged in. */
export const isFolderMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ENODEV'].includes(codeOf(error));
