import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { electronLaunch, projectDir } from '#test/support/machine.ts';

/** Why the desktop application cannot be measured here, as a sentence; undefined where it can. */
export function desktopObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'memory and tray are measured by what Linux tells alone';
  if (electronLaunch === undefined) {
    return 'there is no Electron: set HEARTH_ELECTRON or run `npx install-electron`';
  }
  const missing = ['DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'].filter((name) => !process.env[name]);
  if (missing.length > 0) return `there is no desktop session: ${missing.join(' and ')} not set`;
  if (!existsSync(join(projectDir, 'out', 'renderer', 'index.html'))) {
    return 'the application is not built: run `npm run build`';
  }
  return undefined;
}
