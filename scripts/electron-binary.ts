import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.resolve('electron/package.json')));

/** Long enough for a slow connection; an unreachable address is given up by the download itself in seconds. */
const DOWNLOAD_LIMIT_MS = 10 * 60_000;
const TELL_AFTER_MS = 2_000;

/**
 * Path of the `electron` package's executable; undefined where it was never downloaded. Importing that package
 * instead would start the download. Like the package, it takes another folder from ELECTRON_OVERRIDE_DIST_PATH.
 */
export function installedElectron(): string | undefined {
  const named = join(folder, 'path.txt');
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (!existsSync(named) && override === undefined) return undefined;
  const name = existsSync(named) ? readFileSync(named, 'utf8').trim() : 'electron';
  const executable = join(override ?? join(folder, 'dist'), name);
  return existsSync(executable) ? executable : undefined;
}

/** The executable, downloaded once if need be; undefined where it cannot be had. */
export async function obtainElectron(): Promise<string | undefined> {
  const installed = installedElectron();
  if (installed !== undefined) return installed;
  await download();
  return installedElectron();
}

/** Settles when the package's own download ended, well or not. */
function download(): Promise<void> {
  const child = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: 'ignore',
    timeout: DOWNLOAD_LIMIT_MS,
  });
  const tell = setTimeout(() => {
    process.stderr.write('downloading Electron, once\n');
  }, TELL_AFTER_MS);
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(tell);
      resolve();
    };
    child.on('error', settle);
    child.on('close', settle);
  });
}
