import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { obtainElectron } from '../electron-binary.ts';
import { projectDir } from '../run.ts';
import { whyNoScreen } from '../screen.ts';
import { buildIfStale } from '../stale-build.ts';

interface Launch {
  readonly executable: string;
  readonly args: readonly string[];
}

/** As the desktop suite does: an executable with Hearth built into it comes first. */
async function findElectron(): Promise<Launch | undefined> {
  const asked = process.env['HEARTH_ELECTRON'] ?? '';
  if (asked !== '') return { executable: asked, args: [] };
  const executable = await obtainElectron();
  return executable === undefined ? undefined : { executable, args: [projectDir] };
}

/** Opens the desktop application on the page from its sources; says why where there can be none. */
export async function openWindow(
  pageServer: string,
  dataDir: string,
): Promise<ChildProcess | string> {
  const reason = whyNoScreen();
  if (reason !== undefined) return reason;
  const launch = await findElectron();
  if (launch === undefined) return 'Electron could not be downloaded';
  await buildIfStale();
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const own = [...(isRoot ? ['--no-sandbox'] : []), ...launch.args];
  // Ctrl+C is meant for whoever started it, as with the service.
  return spawn(launch.executable, [...own, `--user-data-dir=${join(dataDir, 'profile')}`], {
    cwd: projectDir,
    detached: process.platform !== 'win32',
    env: { ...process.env, HEARTH_PAGE_SERVER: pageServer },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
