import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { runDesktop } from './desktop/app.ts';
import { commandAmong } from './desktop/system/command-line.ts';
import { startHost } from './host.ts';
import { createKeeper } from './keeper.ts';

/** Relative to this file as it is built: out/main/index.js. */
const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Node's own global is loaded by the first `Response`. Code that a debugger runs in the middle of that leaves it undefined
// for good, and then no answer can be made and no page be served.
Object.assign(globalThis, { performance });

/**
 * All of it happens while this module loads, before Chromium looks for a display: a service needs none, and neither does
 * whoever runs it.
 */
async function carryOut(command: readonly string[]): Promise<never> {
  process.argv.splice(1, process.argv.length, 'hearth', ...command);
  await import('./hearth.ts');
  process.exit(process.exitCode ?? 0);
}

const command = commandAmong(process.argv.slice(1));
if (command !== undefined) await carryOut(command);

runDesktop({
  startHost,
  keeper: createKeeper(built('keeping-worker.js')),
  workerFile: built('host-worker.js'),
  preloadFile: built('../preload/index.cjs'),
  rendererDir: built('../renderer'),
});
