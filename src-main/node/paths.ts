import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

interface PathEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const here = (): PathEnvironment => ({
  platform: process.platform,
  env: process.env,
  home: homedir(),
});

/** Where a headless service keeps its data unless it is told otherwise: the platform's own place for it. */
export function defaultDataDir({ platform, env, home }: PathEnvironment = here()): string {
  if (platform === 'win32') {
    return win32.join(env['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'Hearth');
  }
  if (platform === 'darwin') {
    return posix.join(home, 'Library', 'Application Support', 'Hearth');
  }
  return posix.join(xdgDir(env['XDG_DATA_HOME'], home, '.local/share'), 'hearth');
}

/** What may be deleted at any time. */
export function cacheDir({ platform, env, home }: PathEnvironment = here()): string {
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? win32.join(home, 'AppData', 'Local');
    return win32.join(local, 'Hearth', 'Cache');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Caches', 'Hearth');
  return posix.join(xdgDir(env['XDG_CACHE_HOME'], home, '.cache'), 'hearth');
}

/**
 * By the base directory specification: a relative path is invalid and has to be ignored.
 * @param below  where in the home it is unless it is given
 */
export const xdgDir = (given: string | undefined, home: string, below: string): string =>
  given !== undefined && posix.isAbsolute(given) ? given : posix.join(home, below);
