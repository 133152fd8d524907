/** Where Hearth's own files are, whether it runs from its sources or from its build in out/main. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const isBuilt = import.meta.url.endsWith('.js');
/** Of the build, out/main; of the sources, src-main. Found from this module: a started program knows no folder of the project. */
const mainDir = fileURLToPath(new URL(isBuilt ? '.' : '../..', import.meta.url));

/** The built pages, as an absolute path. */
export const rendererDir = join(mainDir, isBuilt ? '../renderer' : '../out/renderer');

const sources = { hearth: 'cli/hearth.ts', 'indexing-worker': 'hosting/indexing-worker.ts' };

/** What starts a process or a thread, as an absolute path. */
export const entryFile = (name: 'hearth' | 'indexing-worker'): string =>
  join(mainDir, isBuilt ? `${name}.js` : sources[name]);
