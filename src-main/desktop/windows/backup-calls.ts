/** Backing up and restoring as the window asks for it; what opens a file or shows a secret is asked outside of the page. */
import { basename } from 'node:path';
import { dialog, type OpenDialogOptions } from 'electron';
import type { BackupCalls } from '#shared/bridge/hosting-calls.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { Backups } from '../hosting/backups.ts';
import type { Restoring } from '../hosting/restore.ts';
import { isConfirmed, notConfirmed, type Question } from '../system/confirm.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

async function chosen(options: OpenDialogOptions): Promise<string | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog(options);
  return canceled ? undefined : filePaths[0];
}

const showCode: Question = {
  message: 'Show the recovery code?',
  detail: 'Whoever has these words and a backup can read everything that was ever written.',
  button: 'Show the code',
};

const makeCode: Question = {
  message: 'Make another recovery code?',
  detail:
    'It opens the backups from now on. Those that were made before go on opening with the old code only.',
  button: 'Make another code',
};

const startAnew: Question = {
  message: 'Start with new keys?',
  detail:
    'All messages and files stay. But everybody signs in anew with their password, has to compare new safety words first, and the addresses and keys of bots change. If you have the recovery code, use that instead.',
  button: 'Start with new keys',
};

const leaveReadable: Question = {
  message: 'Save a folder that everybody can read?',
  detail:
    'Whoever gets at it reads every message and every file. Keep it on a disk that is encrypted, or save a sealed copy.',
  button: 'Choose a folder…',
};

const sayStolen: Question = {
  message: 'Report the keys as stolen?',
  detail:
    'Everybody signs in once more with their password, here too. Open invitations end, and bots and other programs need new keys. It cannot be undone.',
  button: 'Everybody signs in anew',
};

export function backupCalls(backups: Backups, restoring: Restoring): BackupCalls {
  let archive: string | undefined;
  return {
    backups: backups.status,
    backUpNow: backups.backUp,
    setBackupTime: backups.setTime,
    postponeBackups: backups.putOff,
    confirmRecoveryCode: backups.confirmCode,
    restoreArchive: restoring.restore,
    missing: restoring.missing,
    openRestored: restoring.open,
    unlockHosting: restoring.unlock,
    chooseBackupFolder: async () => {
      const folder = await chosen({
        title: 'Folder for backups',
        properties: ['openDirectory', 'createDirectory'],
      });
      return folder === undefined ? backups.status() : backups.setFolder(folder);
    },
    saveCopy: async (isPlain) => {
      if (isPlain && !(await isConfirmed(leaveReadable))) return notConfirmed;
      const folder = await chosen({
        title: 'Folder for the copy',
        properties: ['openDirectory', 'createDirectory'],
      });
      return folder === undefined ? success(null) : backups.saveCopy(folder, isPlain);
    },
    recoveryCode: async (isNew) =>
      (await isConfirmed(isNew ? makeCode : showCode)) ? backups.showCode(isNew) : notConfirmed,
    reportKeysStolen: async (code) =>
      (await isConfirmed(sayStolen)) ? backups.declareStolen(code) : notConfirmed,
    chooseArchive: async () => {
      const file = await chosen({
        title: 'Backup to restore',
        properties: ['openFile'],
        filters: [
          { name: 'Backups of Hearth', extensions: ['hearth'] },
          { name: 'All files', extensions: ['*'] },
        ],
      });
      archive = file ?? archive;
      return success(file === undefined ? null : basename(file));
    },
    inspectArchive: async (code) =>
      archive === undefined
        ? failure('BAD_REQUEST', desktopWords('archive_not_chosen'), 'file')
        : restoring.inspect(archive, code),
    startHostingWithNewKeys: async () =>
      (await isConfirmed(startAnew)) ? restoring.startWithNewKeys() : notConfirmed,
  };
}
