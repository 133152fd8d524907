/** Restore generations that the key of a service's office has signed, as a restore on another computer does. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  restoreGenerationBytes,
  IDENTITY_KEY_FILE,
  readServerIdentity,
} from '#node/tls/server-identity.ts';
import type { TestService } from './api.ts';

export async function signedRestoreGeneration(
  { dataDir }: Pick<TestService, 'dataDir'>,
  n: number,
  id = 'ab'.repeat(16),
): Promise<{ n: number; id: string; parent: string; signature: string }> {
  const key = readServerIdentity((await readFile(join(dataDir, IDENTITY_KEY_FILE), 'utf8')).trim());
  if (key === undefined) throw new Error('the office has no key');
  const epoch = { n, id, parent: '' };
  const signature = Buffer.from(key.sign('epoch', restoreGenerationBytes(epoch))).toString(
    'base64',
  );
  return { ...epoch, signature };
}
