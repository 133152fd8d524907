/** What the recovery code opens in a data folder itself. */
import { open } from './archive/age.ts';
import { ArchiveError } from './archive/archive-error.ts';
import {
  identityBehind,
  type OfficeKeys,
  parseKeys,
  readRecoveryKit,
  type RecoveryKit,
} from './archive/recovery-kit.ts';
import { KeepingError } from './collect.ts';

const wrongCode = (): ArchiveError =>
  new ArchiveError(
    'wrong-code',
    'This is another recovery code than that of the organization on this computer.',
  );

/**
 * @param code  as `readRecoveryCode` answers it
 * @throws ArchiveError, KeepingError
 */
export async function openKit(
  dataDir: string,
  code: string,
): Promise<{ readonly kit: RecoveryKit; readonly identity: string }> {
  const kit = await readRecoveryKit(dataDir);
  if (kit === undefined) {
    throw new KeepingError('The organization on this computer has no recovery code yet.');
  }
  const identity = await identityBehind(kit.code, code);
  if (identity === undefined) throw wrongCode();
  return { kit, identity };
}

/** The keys as they were sealed last. @throws ArchiveError, KeepingError */
export async function openOwnKeys(dataDir: string, code: string): Promise<OfficeKeys> {
  const { kit, identity } = await openKit(dataDir, code);
  if (kit.keys === null) {
    throw new KeepingError(
      'The organization on this computer has kept no sealed copy of its keys.',
    );
  }
  return parseKeys(await open(kit.keys, identity));
}
