/**
 * Who is who, kept beside the archives from moment to moment: whoever was shut out, demoted or given another password
 * after the last archive stays so when that is restored, and so do messages that somebody deleted. Sealed as the archives are, and authenticated by the secret
 * of the office: what somebody else puts there opens nothing.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushDirectory } from '../platform/durable-files.ts';
import { codeOf } from '../platform/error-code.ts';
import { readIfThere } from '../platform/read-if-there.ts';
import type { StandingRow } from '../service/store/port.ts';

/** Everybody's standing at a moment of one epoch. */
export interface Standings {
  /** The epoch's number; 0 for an office that was never restored. A host that was left behind goes on writing its own. */
  readonly epoch: number;
  /** UNIX seconds. */
  readonly atSeconds: number;
  readonly accounts: readonly StandingRow[];
  /** Those that are signed in. */
  readonly deviceIds: readonly number[];
  /** The highest id of a device so far: an archive of the same second may have one that this does not know. */
  readonly newestDeviceId?: number;
  /** Ids of messages that somebody deleted; absent where an older version wrote it. */
  readonly deletedIds?: readonly number[];
}

const FORMAT = 1;
const MAX_FOLDERS = 4;
const FOLDERS_FILE = 'archive-folders.json';

const prefixOf = (recipient: string): string =>
  `standing-${createHash('sha256').update(recipient).digest('hex').slice(0, 12)}-`;

const macOf = (body: string, secret: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`hearth standing\n${body}`).digest();

const isMac = (mac: string, body: string, secret: Uint8Array): boolean => {
  const given = Buffer.from(mac, 'base64');
  const right = macOf(body, secret);
  return given.length === right.length && timingSafeEqual(given, right);
};

export async function sealStandings(
  standings: Standings,
  recipient: string,
  secret: Uint8Array,
): Promise<Uint8Array> {
  // Not before it is needed: a service whose archives are made by other processes does without for long.
  const { seal } = await import('../archive/age.ts');
  const body = JSON.stringify(standings);
  const mac = macOf(body, secret).toString('base64');
  return seal(JSON.stringify({ format: FORMAT, mac, body }), recipient);
}

/** In place of the one that is there. @throws an Error with the system's code, ENOENT where the folder is not there */
export async function writeStandings(
  folder: string,
  recipient: string,
  epoch: number,
  sealed: Uint8Array,
): Promise<void> {
  const file = join(folder, `${prefixOf(recipient)}${String(epoch)}.age`);
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
  await flushDirectory(folder);
}

function parse(text: string, secret: Uint8Array): Standings | undefined {
  try {
    const { format, mac, body } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (format !== FORMAT || typeof mac !== 'string' || typeof body !== 'string') return undefined;
    return isMac(mac, body, secret) ? (JSON.parse(body) as Standings) : undefined;
  } catch {
    return undefined;
  }
}

/** What lies beside an archive and is proven to be of its office; what is damaged or forged is left out. */
export async function readStandings(
  folder: string,
  recipient: string,
  secret: Uint8Array,
  unseal: (sealed: Uint8Array) => Promise<string>,
): Promise<readonly Standings[]> {
  const prefix = prefixOf(recipient);
  const found: Standings[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.age')) continue;
    const text = await readFile(join(folder, name))
      .then(unseal)
      .catch(() => '');
    const standings = parse(text, secret);
    if (standings !== undefined) found.push(standings);
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

/** An archive was made there: from now on the standing of everybody is kept there as well. */
export async function rememberFolder(dataDir: string, folder: string): Promise<void> {
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
export const isAway = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ENODEV'].includes(codeOf(error));
