import { createRecoveryKit, loadRecoveryKit, replaceRecoveryKit } from './archive/recovery-kit.ts';
import { checkOrganization, BackupError } from './collect.ts';

/**
 * A recovery code for the archives from now on. The caller shows it; it is kept nowhere.
 * @param isNew  whether one that is there already makes room
 * @throws BackupError where there is one and it shall stay, or no organization
 */
export async function makeRecoveryCode(dataDir: string, isNew: boolean): Promise<string> {
  await checkOrganization(dataDir);
  const { newCode } = await loadRecoveryKit(dataDir);
  if (newCode !== null) return newCode;
  if (!isNew) {
    throw new BackupError(
      'This organization has a recovery code already. It was shown once, and Hearth does not keep it. To replace it, add --new.',
    );
  }
  const { kit, code } = await createRecoveryKit();
  await replaceRecoveryKit(dataDir, kit);
  return code;
}
