import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { runDesktop } from './desktop/app.ts';
import { startHost } from './host.ts';
import { createKeeper } from './keeper.ts';

/** Relative to this file as it is built: out/main/index.js. */
const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Node's own global is loaded by the first `Response`. Code that a debugger runs in the middle of that leaves it undefined
// for good, and then no answer can be made and no page be served.
Object.assign(globalThis, { performance });

runDesktop({
  startHost,
  keeper: createKeeper(built('keeping-worker.js')),
  workerFile: built('host-worker.js'),
  preloadFile: built('../preload/index.cjs'),
  rendererDir: built('../renderer'),
});
