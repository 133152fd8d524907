import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, defineConfig } from 'vitest/config';
import {
  chromiumArgs,
  chromiumPath,
  desktopsAtOnce,
  launchReason,
  networkFilesLeftOut,
  projectDir,
} from './support/machine.ts';
import { WAIT_LIMIT_MS, TEST_LIMIT_MS } from './support/patience.ts';

const patience = {
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: TEST_LIMIT_MS,
  expect: { poll: { timeout: WAIT_LIMIT_MS } },
};

/** Suites that own a whole window or service run one file at a time. */
const oneAtATime = { fileParallelism: false, ...patience };

/** Loading all modules again for each file took a third of the time; nothing of a test is kept in them. */
const sharedModules = { isolate: false, maxWorkers: '100%', ...patience };

/** Refuses, in files of the unit project, what opens a database or a socket, or starts a process. */
const startsNothing = {
  name: 'starts-nothing',
  enforce: 'pre' as const,
  transform(code: string, id: string): undefined {
    const [, name] =
      /^import (?!type)[^;]*? from '((?:node:)?(?:child_process|worker_threads|net|tls|dgram|https?)|better-sqlite3)';$/mu.exec(
        code,
      ) ?? [];
    if (name === undefined) return;
    throw new Error(`${id} imports ${name}: a unit test needs no database, socket or process`);
  },
};

/** A run beside another one has its own folder: each begins by removing what the other has bundled. */
const { HEARTH_TEST_CACHE: cacheDir = 'node_modules/.vite' } = process.env;

export default defineConfig({
  root: projectDir,
  cacheDir,
  test: {
    // A change of these concerns tests that import nothing of them: threads are started by the name of their file.
    forceRerunTriggers: [
      ...configDefaults.forceRerunTriggers,
      '**/package-lock.json',
      '**/*-worker.ts',
    ],
    projects: [
      {
        root: projectDir,
        // Modules with runes are compiled as the page has them.
        plugins: [svelte({ configFile: false }), startsNothing],
        resolve: { conditions: ['browser'] },
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], ...sharedModules },
      },
      {
        root: projectDir,
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          ...sharedModules,
          setupFiles: ['test/process/clean-up.ts', 'test/service/watch-statements.ts'],
        },
      },
      {
        root: projectDir,
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          exclude:
            launchReason === undefined ? [] : ['test/process/*.test.ts', 'test/process/backup/**'],
          ...sharedModules,
          // What starts processes waits for them: with a file for each core, cores would be idle.
          maxWorkers: '150%',
          sequence: { groupOrder: 1 },
          setupFiles: ['test/process/clean-up.ts', 'test/service/watch-statements.ts'],
        },
      },
      {
        root: projectDir,
        cacheDir,
        plugins: [svelte({ configFile: false })],
        // Found before the first test: what turns up in the middle of one reloads its page.
        optimizeDeps: {
          entries: ['src-renderer/**/*.{ts,svelte}', 'test/ui/**/*.{ts,svelte}'],
          // What was kept of an earlier run does not know of what has been imported since.
          force: true,
        },
        test: {
          name: 'ui',
          include: ['test/ui/**/*.test.ts'],
          sequence: { groupOrder: 2 },
          ...sharedModules,
          setupFiles: ['test/ui/fresh-page.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                args: [...chromiumArgs],
                ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        root: projectDir,
        // Walks beside each other: more than the cores can draw would only wait for each other.
        test: { name: 'web', include: ['test/web/**/*.test.ts'], maxConcurrency: 3, ...oneAtATime },
      },
      {
        root: projectDir,
        test: {
          name: 'network',
          include: ['test/network/**/*.test.ts'],
          exclude: networkFilesLeftOut.map(({ file }) => file),
          ...oneAtATime,
        },
      },
      {
        root: projectDir,
        test: {
          name: 'desktop',
          include: ['test/desktop/**/*.test.ts'],
          ...patience,
          // Only the environment of a process says in which session it is.
          pool: 'forks',
          maxWorkers: desktopsAtOnce(),
          sequence: { groupOrder: 3 },
          globalSetup: 'test/support/desktop/sessions.ts',
          setupFiles: 'test/support/desktop/own-session.ts',
        },
      },
    ],
  },
});
