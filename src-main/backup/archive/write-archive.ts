/** Writes a sealed archive, and looks at it again. */
import { sealStream } from './age.ts';
import type { Bytes } from './byte-reader.ts';
import { writeChecked } from './checked-file.ts';
import { packTar, type TarSource, tarSize } from './tar.ts';

/** Of the names of archives. */
export const ARCHIVE_ENDING = '.hearth';

export interface ArchiveContent {
  /** `age1…`, to which the office is sealed. */
  readonly recipient: string;
  /** `code.age`. */
  readonly code: Uint8Array;
  /** `keys.age`; null where the keys are not at hand. */
  readonly keys: Uint8Array | null;
  /** What goes into `office.tar.age`, in this order. */
  readonly office: readonly TarSource[];
  /** Names of the files beside the archive that it needs; null where it has its files itself. */
  readonly stored: readonly string[] | null;
  readonly madeAtSeconds: number;
}

/** For whoever has the code and no Hearth. */
const README = `A sealed copy of an organization, made by Hearth. It opens with its recovery code: the thirteen words that Hearth
showed once. Hearth restores it ("hearth restore FILE"). Without Hearth, tar and age (https://age-encryption.org) open it:

  tar -xf FILE
  age --decrypt -i code.age office.tar.age | tar -x
  gunzip hearth.db.gz
  age --decrypt -i code.age keys.age

age asks for a passphrase: type the words in lower case with one space between. hearth.db is an SQLite database; files
has what was uploaded, and packed what is packed of it ("gunzip -r packed"); keys.age the keys with which a host goes on as the same organization.
`;

const STORED_README = `
What was uploaded lies beside this archive, each file sealed by itself: hearth-files/AB/AB….age. stored-files.json, which
comes out of office.tar.age, says which is which; "age --decrypt -i code.age" opens them as well. What has another SHA-256
then than is said there is packed: gunzip unpacks it. Whoever moves or copies this archive takes the folder hearth-files
along.
`;

/** The part that says in clear which files beside the archive it needs. */
export const STORED_NAMES = 'stored-files.txt';

async function* once(bytes: Uint8Array): Bytes {
  yield bytes;
}

const fileOf = (name: string, bytes: Uint8Array): TarSource => ({
  name,
  sizeBytes: bytes.length,
  open: () => once(bytes),
});

async function* chunksOf(bytes: AsyncIterable<Uint8Array>): Bytes {
  yield* bytes;
}

/**
 * The archive, flushed and read again. The file must not be there yet.
 * @returns its length in bytes
 * @throws ExplainedError where it is not what was written
 */
export async function writeArchive(
  file: string,
  content: ArchiveContent,
  signal: AbortSignal,
): Promise<number> {
  const { recipient, code, keys, office, stored, madeAtSeconds } = content;
  const sealed = await sealStream(packTar(office, madeAtSeconds), tarSize(office), recipient);
  const parts: readonly TarSource[] = [
    fileOf('README.txt', Buffer.from(stored === null ? README : README + STORED_README)),
    fileOf('code.age', code),
    ...(keys === null ? [] : [fileOf('keys.age', keys)]),
    ...(stored === null
      ? []
      : [fileOf(STORED_NAMES, Buffer.from(stored.map((name) => `${name}\n`).join('')))]),
    { name: 'office.tar.age', sizeBytes: sealed.sizeBytes, open: () => chunksOf(sealed.bytes) },
  ];
  try {
    await writeChecked(file, packTar(parts, madeAtSeconds), signal);
  } finally {
    await sealed.release();
  }
  return tarSize(parts);
}
