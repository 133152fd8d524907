/** `npm run dev`: the service and the page from their sources, in one command. */
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning, startDev } from '../support/dev-process.ts';
import { projectDir } from '../support/machine.ts';
import { temporaryDir } from '../support/service/store.ts';

/** As an editor does that writes the same again. Its own time comes back, so that no build counts as stale. */
function touch(file: string): () => void {
  const { atime, mtime } = statSync(file);
  utimesSync(file, new Date(), new Date());
  return () => utimesSync(file, atime, mtime);
}

const processIds = (output: string): number[] =>
  [...output.matchAll(/\(process (\d+)\)/g)].map(([, id]) => Number(id));

test('npm run dev serves page and service, restarts the service when its sources change, and ends with everything', async () => {
  const dataDir = temporaryDir();
  const dev = await startDev(dataDir);
  await expect.poll(() => dev.line('page')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const address = dev.line('page') ?? '';
  expect(dev.line('data')).toBe(dataDir);

  const page = await (await fetch(address)).text();
  expect(page).toContain("script-src 'self';");
  expect(page).toMatch(/style-src 'self' 'nonce-[^']+';/);
  expect(page).not.toContain('unsafe');
  const main = await fetch(new URL('/web/main.ts', address));
  expect(await main.text()).toContain('createWebBridge');
  const settings = (): Promise<unknown> =>
    fetch(new URL('/api/v1/server_settings', address)).then((answer) => answer.json());
  expect(await settings()).toMatchObject({ realm_name: 'Dev' });
  // What is beside the sources is none of the page's.
  expect((await fetch(new URL(`/@fs${join(projectDir, 'package.json')}`, address))).status).toBe(
    403,
  );

  // Given back at the end: that is one more change, after which the service would start once more.
  onTestFinished(touch(join(projectDir, 'src-main', 'service', 'http', 'method-override.ts')));
  await expect.poll(dev.output).toMatch(/^service +restarted in \d+\.\d s/m);
  const [first = 0, second = 0] = processIds(dev.output());
  expect(second).not.toBe(first);
  expect([isRunning(first), isRunning(second)]).toEqual([false, true]);
  expect(await settings()).toMatchObject({ realm_name: 'Dev' });

  dev.interrupt();
  expect(await dev.ended).toBe(0);
  expect(processIds(dev.output()).filter(isRunning)).toEqual([]);
  await expect(fetch(address)).rejects.toThrow();
});
