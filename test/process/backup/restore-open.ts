import { join } from 'node:path';
import { openRestored } from '#service/db/sqlite/restored.ts';
import { hearth } from '../hearth-process.ts';
import type { Ended } from '../service-process.ts';

/** What `hearth restore` does; what it has made is open to everybody afterwards. */
export async function restoreOpen(args: readonly string[], typed = ''): Promise<Ended> {
  const ended = await hearth(['restore', ...args], typed);
  const number = / open (\d{6}) /.exec(ended.stdout + ended.stderr)?.[1];
  const dataDir = args[args.indexOf('--data-dir') + 1];
  if (number === undefined || dataDir === undefined) return ended;
  openRestored(join(dataDir, 'hearth.db'), number, Math.floor(Date.now() / 1000));
  return ended;
}
