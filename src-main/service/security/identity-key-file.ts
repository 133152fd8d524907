/** Where an office keeps its key when no keychain does, and the mark by which it knows that it had one. */
import { join } from 'node:path';
import {
  makeOfficeKey,
  OFFICE_KEY_FILE,
  OFFICE_PIN_FILE,
  type OfficeKey,
  readOfficeKey,
} from '#node/tls/server-identity.ts';
import { readIfThere } from '#node/files/read-if-exists.ts';
import { makePrivateFile } from './private-file.ts';

/** There is no key that fits the data folder; the message says what to do. */
export class OfficeKeyError extends Error {
  override readonly name = 'OfficeKeyError';
}

/** Undefined where there is no file. @throws OfficeKeyError where it is damaged */
export async function readOfficeKeyFile(dataDir: string): Promise<OfficeKey | undefined> {
  const file = join(dataDir, OFFICE_KEY_FILE);
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  const key = readOfficeKey(text.toString('latin1').trim());
  if (key !== undefined) return key;
  throw new OfficeKeyError(`The file ${file} is damaged: restore it from a backup.`);
}

/**
 * The key of the office in this folder. One that has none yet, which may be an office of before there were keys, gets
 * one; an office whose key is lost does not: its people would find a stranger at its address.
 * @param given  from a keychain; null for the file of the folder
 * @throws OfficeKeyError where the key is lost, damaged or another office's
 */
export async function loadOfficeKey(dataDir: string, given: OfficeKey | null): Promise<OfficeKey> {
  const marked = await readIfThere(join(dataDir, OFFICE_PIN_FILE));
  const key = given ?? (await readOfficeKeyFile(dataDir));
  const pin = marked?.toString('latin1').trim();
  if (key !== undefined && (pin === undefined || pin === key.pin)) {
    if (pin === undefined) await mark(dataDir, key);
    return key;
  }
  if (pin !== undefined) throw lost(dataDir, key !== undefined);
  const made = makeOfficeKey();
  await makePrivateFile(join(dataDir, OFFICE_KEY_FILE), Buffer.from(`${made.exported()}\n`));
  const kept = await readOfficeKeyFile(dataDir);
  if (kept === undefined) throw new Error(`${OFFICE_KEY_FILE} vanished after it was written`);
  await mark(dataDir, kept);
  return kept;
}

const mark = (dataDir: string, { pin }: OfficeKey): Promise<void> =>
  makePrivateFile(join(dataDir, OFFICE_PIN_FILE), Buffer.from(`${pin}\n`));

function lost(dataDir: string, isAnother: boolean): OfficeKeyError {
  const what = isAnother
    ? `The key of the office in ${dataDir} is another one than it had`
    : `The office in ${dataDir} has lost its key, the file ${OFFICE_KEY_FILE}`;
  return new OfficeKeyError(
    `${what}: restore it from a backup, or remove the file ${OFFICE_PIN_FILE} to go on as another office, which nobody's Hearth takes for this one.`,
  );
}
