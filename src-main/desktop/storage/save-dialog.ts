/** Asks people where to save files. */
import { join } from 'node:path';
import { app, dialog } from 'electron';
import type { SavePort } from '#client/ports.ts';
import { createFileTarget } from './file-target.ts';

/** Somebody else chose the name: none of it is a folder, a drive or hidden. */
const plainName = (name: string): string =>
  name.replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '_').replace(/^\.+/, '') || 'file';

export const desktopSaving: SavePort = {
  choose: async (name) => {
    const { canceled, filePath } = await dialog.showSaveDialog({
      defaultPath: join(app.getPath('downloads'), plainName(name)),
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    });
    return canceled || filePath === '' ? null : createFileTarget(filePath);
  },
};
