/** Asks people where to put what they export. */
import { dialog } from 'electron';
import type { ExportPort } from '#client/ports.ts';
import { createExportFolder } from './export-folder.ts';

export const desktopExportFolders: ExportPort = {
  choose: async (name) => {
    const { canceled, filePaths } = await dialog.showOpenDialog({
      title: 'Folder for your messages and files',
      properties: ['openDirectory', 'createDirectory'],
    });
    const into = canceled ? undefined : filePaths[0];
    return into === undefined ? null : createExportFolder(into, name);
  },
};
