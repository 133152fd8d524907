import { readRecoveryKit } from './archive/recovery-kit.ts';
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
  return `The archives of --backup-to open with a recovery code, and there is none yet. Make it and write it down: ${commandName} recovery-code --data-dir ${shellWord(dataDir)}`;
}
