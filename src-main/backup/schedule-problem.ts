import { readRecoveryKit } from './archive/recovery-kit.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { checkFolders } from './collect.ts';
import { oneLine } from '#node/wording.ts';
import { commandName, shellWord } from '#node/own-command.ts';

/** Why archives cannot be made at set times, in one sentence; undefined where they can. */
export async function findScheduleProblem(
  dataDir: string,
  into: string,
): Promise<string | undefined> {
  try {
    await checkFolders(dataDir, into);
    if ((await readRecoveryKit(dataDir)) !== undefined) return undefined;
  } catch (error) {
    return oneLine(error);
  }
  const command = `${commandName} recovery-code --data-dir ${shellWord(dataDir)}`;
  return backupWords('recovery_code_of_schedule_missing', { command }).message;
}
