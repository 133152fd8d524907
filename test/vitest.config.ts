import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import {
  chromiumArgs,
  chromiumPath,
  launchReason,
  networkFilesLeftOut,
  projectDir,
} from './support/machine.ts';
import { PATIENCE_MS, TEST_LIMIT_MS } from './support/patience.ts';

const patience = {
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: TEST_LIMIT_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

/** Suites that own a whole window, service or desktop run one file at a time. */
const oneAtATime = { fileParallelism: false, ...patience };

/** A run beside another one has its own folder: each begins by removing what the other has bundled. */
const { HEARTH_TEST_CACHE: cacheDir = 'node_modules/.vite' } = process.env;

export default defineConfig({
  root: projectDir,
  cacheDir,
  test: {
    projects: [
      {
        root: projectDir,
        test: {
          name: 'node',
          include: [
            'test/{service,contract,search,client,platform,archive,launch,packaging}/**/*.test.ts',
          ],
          exclude: launchReason === undefined ? [] : ['test/launch/**'],
          // Files that start processes of their own wait for them: with one for each core, cores would be idle.
          maxWorkers: '150%',
          // Loading all modules again for each file took a third of the time; nothing of a test is kept in them.
          isolate: false,
          setupFiles: ['test/launch/clean-up.ts', 'test/service/watch-statements.ts'],
          ...patience,
        },
      },
      {
        root: projectDir,
        cacheDir,
        plugins: [svelte({ configFile: false })],
        // Found before the first test: what turns up in the middle of one reloads its page.
        optimizeDeps: {
          entries: ['src-renderer/**/*.{ts,svelte}', 'test/renderer/**/*.{ts,svelte}'],
          // What was kept of an earlier run does not know of what has been imported since.
          force: true,
        },
        test: {
          name: 'renderer',
          include: ['test/renderer/**/*.test.ts'],
          maxWorkers: '100%',
          // As above: each file would load all of the window anew.
          isolate: false,
          setupFiles: ['test/renderer/fresh-page.ts'],
          ...patience,
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
        test: { name: 'desktop', include: ['test/desktop/**/*.test.ts'], ...oneAtATime },
      },
    ],
  },
});
