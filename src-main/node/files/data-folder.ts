/** The folder that an organization is kept in. */
import { constants } from 'node:fs';
import { access, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../own-command.ts';
import { codeOf } from '../error-code.ts';
import { pathExists } from './exists.ts';
import { StartError } from '../start-error.ts';
import { hostingWords } from '#shared/i18n/hosting-words.ts';

export const DATABASE = 'hearth.db';
export const databaseIn = (dataDir: string): string => join(dataDir, DATABASE);

/** @throws StartError */
export async function prepareDataDir(dataDir: string): Promise<void> {
  let mode: number;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    mode = (await stat(dataDir)).mode;
  } catch (error) {
    throw new StartError(
      'DATA_DIR_UNWRITABLE',
      hostingWords('data_folder_unwritable', { folder: dataDir, code: codeOf(error) }),
      { cause: error },
    );
  }
  // Windows keeps rights elsewhere: there the folder lies in the profile of whoever hosts.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new StartError(
      'DATA_DIR_UNWRITABLE',
      hostingWords('data_folder_open_to_others', { folder: dataDir, argument: shellWord(dataDir) }),
    );
  }
}

/** On a development server anybody is anybody: it serves what it has made itself, and nobody's messages. */
export async function claimForDevelopment(dataDir: string): Promise<void> {
  const mark = join(dataDir, 'development');
  if (await pathExists(mark)) return;
  if (await pathExists(databaseIn(dataDir))) {
    throw new StartError(
      'HOST_FAILED',
      hostingWords('data_folder_of_organization', { folder: dataDir }),
    );
  }
  await writeFile(mark, 'Made by --dev: everybody who asks gets the key of every account.\n', {
    mode: 0o600,
  });
}
