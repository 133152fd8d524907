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
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';

/**
 * @param code  as `readRecoveryCode` answers it
 * @throws ArchiveError, ExplainedError
 */
export async function openRecoveryKit(
  dataDir: string,
  code: string,
): Promise<{ readonly kit: RecoveryKit; readonly identity: string }> {
  const kit = await readRecoveryKit(dataDir);
  if (kit === undefined) {
    throw new ExplainedError(backupWords('recovery_code_not_made'));
  }
  const identity = await openIdentity(kit.code, code);
  if (identity === undefined)
    throw new ArchiveError('wrong-code', backupWords('other_recovery_code'));
  return { kit, identity };
}

/** The keys as they were sealed last. @throws ArchiveError, ExplainedError */
export async function openSealedKeys(dataDir: string, code: string): Promise<ServerKeys> {
  const { kit, identity } = await openRecoveryKit(dataDir, code);
  if (kit.keys === null) {
    throw new ExplainedError(backupWords('keys_not_sealed'));
  }
  return parseKeys(await decryptText(kit.keys, identity));
}
