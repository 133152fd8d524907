import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

interface Place {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const here = (): Place => ({ platform: process.platform, env: process.env, home: homedir() });

/** Where a headless service keeps its data unless it is told otherwise: the platform's own place for it. */
export function defaultDataDir({ platform, env, home }: Place = here()): string {
  if (platform === 'win32') {
    return win32.join(env['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'Hearth');
  }
  if (platform === 'darwin') {
    return posix.join(home, 'Library', 'Application Support', 'Hearth');
  }
  const data = env['XDG_DATA_HOME'];
  // The base directory specification: a relative path is invalid and has to be ignored.
  const base = data && posix.isAbsolute(data) ? data : posix.join(home, '.local', 'share');
  return posix.join(base, 'hearth');
}
