import { createRecoveryKit, loadRecoveryKit, replaceRecoveryKit } from '../archive/recovery-kit.ts';
import { KeepingError } from './gather.ts';
import { databaseIn } from '../platform/data-dir.ts';
import { isThere } from '../platform/is-there.ts';

/**
 * A recovery code for the archives from now on. The caller shows it; it is kept nowhere.
 * @param isNew  whether one that is there already makes room
 * @throws KeepingError where there is one and it shall stay, or no organization
 */
export async function makeRecoveryCode(dataDir: string, isNew: boolean): Promise<string> {
  if (!(await isThere(databaseIn(dataDir)))) {
    throw new KeepingError(
      `The folder ${dataDir} has no organization: name the data folder of the service with --data-dir.`,
    );
  }
  const { newCode } = await loadRecoveryKit(dataDir);
  if (newCode !== null) return newCode;
  if (!isNew) {
    throw new KeepingError(
      'This organization has a recovery code already. It was shown once, and Hearth does not keep it. To replace it, add --new.',
    );
  }
  const { kit, code } = await createRecoveryKit();
  await replaceRecoveryKit(dataDir, kit);
  return code;
}
