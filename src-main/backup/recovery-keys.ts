/** What the recovery code opens in a data folder itself. */
import { decryptText } from './archive/age.ts';
import { ArchiveError } from './archive/archive-error.ts';
import {
  openIdentity,
  type ServerKeys,
  parseKeys,
  readRecoveryKit,
  type RecoveryKit,
} from './archive/recovery-kit.ts';
import { BackupError } from './collect.ts';

const wrongCode = (): ArchiveError =>
  new ArchiveError(
    'wrong-code',
    'This is another recovery code than that of the organization on this computer.',
  );

/**
 * @param code  as `readRecoveryCode` answers it
 * @throws ArchiveError, BackupError
 */
export async function openRecoveryKit(
  dataDir: string,
  code: string,
): Promise<{ readonly kit: RecoveryKit; readonly identity: string }> {
  const kit = await readRecoveryKit(dataDir);
  if (kit === undefined) {
    throw new BackupError('The organization on this computer has no recovery code yet.');
  }
  const identity = await openIdentity(kit.code, code);
  if (identity === undefined) throw wrongCode();
  return { kit, identity };
}

/** The keys as they were sealed last. @throws ArchiveError, BackupError */
export async function openSealedKeys(dataDir: string, code: string): Promise<ServerKeys> {
  const { kit, identity } = await openRecoveryKit(dataDir, code);
  if (kit.keys === null) {
    throw new BackupError('This computer has no sealed copy of the keys of its organization.');
  }
  return parseKeys(await decryptText(kit.keys, identity));
}
