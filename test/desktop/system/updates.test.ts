import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { followUpdates } from '#desktop/system/updates.ts';
import { createProfile, openApp } from '#test/support/desktop/desktop-app.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';

let server: Server;
let asked: string[];
let feed: string;
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const yml = 'version: 0.0.1\nfiles: []\npath: Hearth.AppImage\nsha512: x\n';
    response.writeHead(200, { 'content-type': 'text/yaml' }).end(yml);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  feed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => server.close());

test('without a feed nothing is looked for', async () => {
  const resourcesDir = await mkdtemp(join(tmpdir(), 'hearth-updates-'));
  const log = createTestLog();
  const parts = { log, resourcesDir, isPackaged: true, onReady: () => undefined };
  expect(followUpdates({ ...parts, env: {} })).toBeUndefined();
  expect(log.lines).toEqual([]);
  expect(followUpdates({ ...parts, env: { HEARTH_UPDATE_FEED: 'ftp://x/' } })).toBeUndefined();
  expect(log.lines).toEqual([{ level: 'warn', message: expect.stringContaining('not used') }]);
  await rm(resourcesDir, { recursive: true });
});

/** Moves the first look, which is a minute after the start, to now. */
const soon = { HEARTH_UPDATE_FIRST_MS: '0' };

test.each([
  ['is not asked where none is configured', false],
  ['is asked for its newest version where it is configured', true],
])('a feed %s', async (_name, isConfigured) => {
  const profile = await createProfile();
  const env = { APPIMAGE: join(profile.dir, 'Hearth.AppImage'), ...soon };
  const app = await openApp(profile, isConfigured ? { ...env, HEARTH_UPDATE_FEED: feed } : env);
  await app.page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
  if (isConfigured) {
    await expect.poll(() => asked.join()).toContain('/latest-linux.yml');
  }
  expect(await app.quit()).toBe(0);
  if (!isConfigured) expect(asked).toEqual([]);
  await profile.remove();
});
