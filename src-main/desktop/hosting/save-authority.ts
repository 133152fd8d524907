import { copyFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { dialog } from 'electron';
import { failure, success, type Outcome } from '../../bridge/outcome.ts';

/** In the data folder of the service, PEM: who hosts may give it to other computers and programs. */
export const AUTHORITY_FILE = 'office-ca.pem';

/** Asks for a place, and puts the certificate there. */
export async function saveAuthority(authorityFile: string): Promise<Outcome<boolean>> {
  const { filePath } = await dialog.showSaveDialog({
    title: 'Save the certificate of the office',
    defaultPath: basename(authorityFile),
  });
  if (filePath === '') return success(false);
  try {
    await copyFile(authorityFile, filePath);
    return success(true);
  } catch {
    return failure(
      'NOT_STORED',
      'The certificate could not be written there. Choose another folder.',
    );
  }
}
