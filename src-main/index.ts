import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as start from './desktop/start.ts';
import { commandAmong, hasDisplay } from './desktop/system/find-command.ts';
import { print } from './node/terminal.ts';

/** Relative to this file as it is built: out/main/index.js. */
const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * All of it happens while this module loads, before Chromium looks for a display: a service needs none, and neither does
 * whoever runs it.
 */
async function carryOut(command: readonly string[]): Promise<never> {
  process.argv.splice(1, process.argv.length, 'hearth', ...command);
  await import('./cli/hearth.ts');
  process.exit(process.exitCode ?? 0);
}

const args = process.argv.slice(1);
const command = commandAmong(args);
if (command !== undefined) await carryOut(command);
if (!hasDisplay(process.platform, args, process.env)) {
  print(
    'stderr',
    'There is no display for a window. "hearth --help" says what Hearth does without one.',
  );
  process.exit(1);
}

/** `vite.start.config.ts` says why it is a file by itself. */
const { startDesktop } = createRequire(import.meta.url)('./start.cjs') as typeof start;
const rendererDir = built('../renderer');

startDesktop(
  { preloadFile: built('../preload/index.cjs'), rendererDir },
  async (started, isHidden) => {
    const [{ runApp }, { startHost }, { createBackupThread }] = await Promise.all([
      import('./desktop/app.ts'),
      import('./hosting/host.ts'),
      import('./hosting/backup-thread.ts'),
    ]);
    const backupThread = createBackupThread(built('backup-worker.js'));
    const workerFile = built('host-worker.js');
    return runApp({ startHost, backupThread, workerFile, rendererDir }, started, isHidden);
  },
);
