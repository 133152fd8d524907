import { becomeService } from './headless.ts';
import { buildIfStale } from './stale-build.ts';

/** Those that show nothing to a browser need no build, and a copy should not wait for one. */
const needsBuild = !process.argv.some((each) => /^--(?:help|backup)(?:=|$)/.test(each));
if (needsBuild) {
  try {
    await buildIfStale();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
becomeService(needsBuild ? 'build' : 'sources');
