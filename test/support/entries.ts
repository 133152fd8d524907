/** What starts processes and threads of Hearth: what was built, as people run it, unless something has changed since. */
import { join } from 'node:path';
import { isBuildStale } from '#scripts/staleness.js';
import { projectDir } from './machine.ts';

const sources = {
  serve: 'hosting/serve.ts',
  hearth: 'cli/hearth.ts',
  'host-worker': 'hosting/host-worker.ts',
  'backup-worker': 'hosting/backup-worker.ts',
};

const isBuilt = !isBuildStale();

export const entryOf = (name: keyof typeof sources): string =>
  isBuilt
    ? join(projectDir, 'out', 'main', `${name}.js`)
    : join(projectDir, 'src-main', sources[name]);
