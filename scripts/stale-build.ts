import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBuildStale, stamp } from './staleness.js';

/** Builds main, preload and renderer into out/ if anything they are made of changed since the last build. */
export async function buildIfStale(): Promise<void> {
  if (isBuildStale()) await build();
}

/**
 * Builds main, preload and renderer into out/. Everything is told on stderr, because the standard output of
 * `npm run serve` belongs to the service.
 */
export async function build(): Promise<void> {
  const startedAt = new Date();
  rmSync(stamp, { force: true });
  process.stderr.write('building\n');
  await runBuild('electron-vite build --logLevel warn');
  await runBuild('vite build --config vite.start.config.ts --logLevel warn');
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  // An edit made during the build counts as newer than the build.
  utimesSync(stamp, startedAt, startedAt);
}

async function runBuild(command: string): Promise<void> {
  // Most starts build nothing, and need not wait for it.
  const { run } = await import('./run.ts');
  const { code, output } = await run(command);
  if (code !== 0) throw new Error(`the build failed:\n${output}`);
}
