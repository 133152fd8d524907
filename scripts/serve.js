import process from 'node:process';
import { becomeService } from './headless.js';
import { isBuildStale } from './staleness.js';

/** Those that show nothing to a browser need no build, and a copy should not wait for one. */
const needsBuild = !process.argv.some((each) => /^--(?:help|backup)(?:=|$)/.test(each));
if (needsBuild && isBuildStale()) {
  try {
    const { build } = await import('./stale-build.ts');
    await build();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
becomeService(needsBuild ? 'build' : 'sources');
