/** Where Hearth's own files are, whether it runs from its sources or from its build in out/main. */
import { fileURLToPath } from 'node:url';

const isBuilt = import.meta.url.endsWith('.js');
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The built pages, as an absolute path. */
export const rendererDir = at(isBuilt ? '../renderer' : '../../../out/renderer');

const sources = {
  hearth: '../../cli/hearth.ts',
  'indexing-worker': '../../hosting/indexing-worker.ts',
};

/** What starts a process or a thread, as an absolute path. */
export const entryFile = (name: 'hearth' | 'indexing-worker'): string =>
  at(isBuilt ? `${name}.js` : sources[name]);
