/** What starts processes and threads of Hearth: what was built, as people run it, unless something has changed since. */
import { join } from 'node:path';
import { isBuildStale } from '#scripts/stale-build.ts';
import { projectDir } from './machine.ts';

type Name = 'serve' | 'hearth' | 'host-worker' | 'keeping-worker';

// A run of the suites builds before it begins.
const isBuilt = process.env['HEARTH_IS_BUILT'] === '1' || !isBuildStale();

export const entryOf = (name: Name): string =>
  isBuilt
    ? join(projectDir, 'out', 'main', `${name}.js`)
    : join(projectDir, 'src-main', `${name}.ts`);
