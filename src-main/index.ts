import { fileURLToPath } from 'node:url';
import { runDesktop } from './desktop/app.ts';
import { startHost } from './host.ts';

/** Relative to this file as it is built: out/main/index.js. */
const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

runDesktop({
  startHost,
  workerFile: built('host-worker.js'),
  preloadFile: built('../preload/index.cjs'),
  rendererDir: built('../renderer'),
});
