import { becomeService } from './headless.ts';
import { buildIfStale } from './stale-build.ts';

if (!process.argv.includes('--help')) {
  try {
    await buildIfStale();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
await becomeService();
