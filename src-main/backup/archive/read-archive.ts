/** Opens a sealed archive with its recovery code. */
import { decryptText as openSealed, openStream, publicKeyOf } from './age.ts';
import { ArchiveError } from './archive-error.ts';
import { archiveWords } from '#shared/i18n/archive-words.ts';
import { type Bytes, readWhole } from './byte-reader.ts';
import { fileBytes } from './checked-file.ts';
import { openIdentity, type ServerKeys, parseKeys, type RecoveryKit } from './recovery-kit.ts';
import { type TarEntry, TarError, unpackTar } from './tar.ts';
import { isStoredName } from './stored-files.ts';
import { STORED_NAMES } from './write-archive.ts';

/** Larger than any `code.age` or `keys.age`: what says it is longer is something else. */
const MAX_SMALL = 64 * 1024;

export interface OpenedArchive {
  /** With which archives can go on being sealed that the same code opens. */
  readonly kit: Pick<RecoveryKit, 'recipient' | 'code'>;
  /** Null where the archive has none. */
  readonly keys: ServerKeys | null;
  /** What is in the office, in order; can be read once. @throws ArchiveError at the first byte that is damaged */
  readonly office: AsyncGenerator<TarEntry>;
  /** Opens what was sealed as the archive was. @throws where it was not, or is damaged */
  readonly unseal: (sealed: Uint8Array) => Promise<string>;
  /** The same of what is long, chunk by chunk. */
  readonly unsealStream: (sealed: Bytes) => Promise<Bytes>;
  /** Lets go of the file; the end of the office does so as well. */
  readonly close: () => Promise<void>;
}

const partTooLong = ({ name }: TarEntry): TarError =>
  new TarError(archiveWords('archive_part_too_long', { part: name }));

async function small(entry: TarEntry): Promise<Uint8Array> {
  if (entry.sizeBytes > MAX_SMALL) throw partTooLong(entry);
  return readWhole(entry.content);
}

const isOurs = (error: unknown): error is Error =>
  error instanceof TarError || (error instanceof Error && !('code' in error));

/** Damage in the middle: what was handed over before it is proven. */
async function* damageChecked(
  office: AsyncGenerator<TarEntry>,
  close: () => Promise<void>,
): AsyncGenerator<TarEntry> {
  try {
    for await (const entry of office) yield { ...entry, content: provenBytes(entry.content) };
  } catch (error) {
    throw damagedBy(error);
  } finally {
    await close();
  }
}

async function* provenBytes(bytes: Bytes): Bytes {
  try {
    yield* bytes;
  } catch (error) {
    throw damagedBy(error);
  }
}

const damagedBy = (error: unknown): unknown =>
  isOurs(error) && !(error instanceof ArchiveError)
    ? new ArchiveError('damaged', archiveWords('archive_damaged', { reason: error.message }), error)
    : error;

interface OpenedCode {
  readonly identity: string;
  readonly kit: OpenedArchive['kit'];
}

async function openCode(entry: TarEntry, code: string): Promise<OpenedCode> {
  const sealed = await small(entry);
  const identity = await openIdentity(sealed, code);
  if (identity !== undefined) {
    return { identity, kit: { recipient: await publicKeyOf(identity), code: sealed } };
  }
  throw new ArchiveError('wrong-code', archiveWords('wrong_recovery_code'));
}

async function keysIn(entry: TarEntry, identity: string): Promise<ServerKeys> {
  try {
    return parseKeys(await openSealed(await small(entry), identity));
  } catch (error) {
    throw new ArchiveError('damaged', archiveWords('archive_keys_damaged'), error);
  }
}

const notAnArchive = (file: string, cause?: unknown): ArchiveError =>
  new ArchiveError('not-an-archive', archiveWords('not_an_archive', { file }), cause);

/** Goes on to the office, past what stands before it. */
async function openParts(
  file: string,
  parts: AsyncGenerator<TarEntry>,
  code: string,
): Promise<OpenedArchive> {
  let opening: OpenedCode | undefined;
  let keys: ServerKeys | null = null;
  for (;;) {
    const next = await parts.next();
    if (next.done === true) throw notAnArchive(file);
    const entry = next.value;
    if (entry.name === 'code.age') opening = await openCode(entry, code);
    if (opening === undefined) continue;
    const { identity, kit } = opening;
    if (entry.name === 'keys.age') keys = await keysIn(entry, identity);
    if (entry.name === 'office.tar.age') {
      const office = unpackTar(await openStream(entry.content, identity));
      const close = async (): Promise<void> => {
        await office.return(undefined);
        await parts.return(undefined);
      };
      const unseal = (sealed: Uint8Array): Promise<string> => openSealed(sealed, identity);
      const unsealStream = (sealed: Bytes): Promise<Bytes> => openStream(sealed, identity);
      return { kit, keys, office: damageChecked(office, close), unseal, unsealStream, close };
    }
  }
}

/**
 * @param code  as `readRecoveryCode` answers it
 * @throws ArchiveError
 */
export async function openArchive(file: string, code: string): Promise<OpenedArchive> {
  const parts = unpackTar(fileBytes(file));
  try {
    return await openParts(file, parts, code);
  } catch (error) {
    await parts.return(undefined);
    if (!isOurs(error) || error instanceof ArchiveError) throw error;
    throw error instanceof TarError ? notAnArchive(file, error) : damagedBy(error);
  }
}

/** Far more names than an office has files. */
const MAX_NAMES = 256 * 1024 * 1024;

async function namesIn(entry: TarEntry): Promise<readonly string[]> {
  if (entry.sizeBytes > MAX_NAMES) throw partTooLong(entry);
  return (await readWhole(entry.content)).toString().split('\n').filter(isStoredName);
}

/**
 * What an archive needs of the files beside it, which it says without its code.
 * @throws ArchiveError, and what the disk throws
 */
export async function storedNamesOf(file: string): Promise<readonly string[]> {
  const parts = unpackTar(fileBytes(file));
  try {
    for await (const entry of parts) {
      if (entry.name === STORED_NAMES) return await namesIn(entry);
      if (entry.name === 'office.tar.age') return [];
    }
  } catch (error) {
    throw error instanceof TarError ? notAnArchive(file, error) : error;
  } finally {
    await parts.return(undefined);
  }
  throw notAnArchive(file);
}
