import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { autostartDir, autostartEntry } from './autostart.ts';
import { systemWords } from '#shared/i18n/system-words.ts';

/** The switch of a start that nobody asked for now: it opens no window. */
export const HIDDEN = '--hidden';
const FILE = 'hearth.desktop';

/** Starts the application, hidden, with the person's session, or no longer does. */
export async function setStartAtLogin(isOn: boolean): Promise<Outcome<null>> {
  try {
    if (process.platform === 'linux') await setAutostart(isOn);
    else app.setLoginItemSettings({ openAtLogin: isOn, args: [HIDDEN] });
    return success(null);
  } catch {
    return failure('LOGIN_ITEM', systemWords('login_item_refused'));
  }
}

async function setAutostart(isOn: boolean): Promise<void> {
  const dir = autostartDir(process.env, homedir());
  const file = join(dir, FILE);
  if (!isOn) {
    await rm(file, { force: true });
    return;
  }
  await mkdir(dir, { recursive: true });
  // An AppImage runs from a folder that is gone tomorrow: the file that was started is named by APPIMAGE.
  const executable = process.env['APPIMAGE'] ?? process.execPath;
  const own = app.isPackaged ? [] : [app.getAppPath()];
  await writeFile(file, autostartEntry(app.getName(), [executable, ...own, HIDDEN]));
}
