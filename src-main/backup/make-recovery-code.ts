import { createRecoveryKit, loadRecoveryKit, replaceRecoveryKit } from './archive/recovery-kit.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { checkOrganization } from './collect.ts';

/**
 * A recovery code for the archives from now on. The caller shows it; it is kept nowhere.
 * @param isNew  whether one that is there already makes room
 * @throws ExplainedError where there is one and it shall stay, or no organization
 */
export async function makeRecoveryCode(dataDir: string, isNew: boolean): Promise<string> {
  await checkOrganization(dataDir);
  const { newCode } = await loadRecoveryKit(dataDir);
  if (newCode !== null) return newCode;
  if (!isNew) throw new ExplainedError(backupWords('recovery_code_exists'));
  const { kit, code } = await createRecoveryKit();
  await replaceRecoveryKit(dataDir, kit);
  return code;
}
