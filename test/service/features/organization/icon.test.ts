import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { makePlainCopy } from '#backup/plain-copy.ts';
import { jpeg, png, pngOf, svg, upload } from '#test/support/images.ts';
import { ada, ben, idOf, startTestService, type TestService } from '#test/support/service/api.ts';

const { set, remove } = api.realmIcon;
const bad = { code: 'BAD_REQUEST' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(async () => {
  await service.ask(ada, remove);
});

const change = async (content = png): Promise<string> =>
  (await service.ask(ada, set, {}, { body: upload(content) })).icon_url;

const storedFiles = async (): Promise<readonly string[]> =>
  readdir(join(service.dataDir, 'files', 'avatars', '1', 'realm')).catch(() => []);

const redirectNow = async (): Promise<string | null> => {
  const response = await fetch(`${service.origin}/api/v1/realm/icon`, { redirect: 'manual' });
  await response.arrayBuffer();
  expect(response.status).toBe(302);
  return response.headers.get('location');
};

const shown = async (): Promise<readonly unknown[]> => {
  const state = await service.ask(ben, api.events.register, { fetch_event_types: ['realm'] });
  const { realm_icon: icon } = await service.ask(null, api.server.settings);
  return [state['realm_icon_url'], state['realm_icon_source'], icon];
};

test('a picture of the organization shows to everybody, who is told, also after a restart [realm-icon.picture-organization-shows]', async () => {
  expect(await shown()).toEqual(['/icon.png', 'G', '/icon.png']);
  expect(await redirectNow()).toBe('/icon.png');
  const queue = await service.register(ben, { event_types: ['realm'] });
  const url = await change(jpeg);
  expect(url).toMatch(/^\/user_avatars\/1\/realm\/[0-9a-f]{32}\.jpg$/);
  expect(await queue.now()).toMatchObject([
    { op: 'update_dict', property: 'icon', data: { icon_url: url, icon_source: 'U' } },
  ]);
  await service.restart();
  expect(await shown()).toEqual([url, 'U', url]);
  expect(await redirectNow()).toBe(url);
  const image = await fetch(new URL(url, service.origin));
  expect(image.headers.get('content-type')).toBe('image/jpeg');
  expect(new Uint8Array(await image.arrayBuffer())).toEqual(jpeg);
});

test('once the picture is removed everything is as before, and its file is gone; nobody is told twice', async () => {
  const first = await change();
  const second = await change();
  expect(second).not.toBe(first);
  expect(await storedFiles()).toEqual([second.slice(second.lastIndexOf('/') + 1)]);
  const queue = await service.register(ben, { event_types: ['realm'] });
  expect((await service.ask(ada, remove)).icon_url).toBe('/icon.png');
  await service.ask(ada, remove);
  expect(await queue.now()).toMatchObject([
    { property: 'icon', data: { icon_url: '/icon.png', icon_source: 'G' } },
  ]);
  expect(await storedFiles()).toEqual([]);
  expect(await shown()).toEqual(['/icon.png', 'G', '/icon.png']);
});

test('who changes it, and when, is in the audit log', async () => {
  await change();
  await service.ask(ada, remove);
  const { entries } = await service.ask(ada, api.auditLog.list);
  const changes = entries.filter(({ details }) => details.name === 'icon').slice(0, 2);
  expect(changes).toMatchObject([
    { type: 'setting_changed', actor_id: idOf[ada], details: { old: 'U', new: 'G' } },
    { type: 'setting_changed', actor_id: idOf[ada], details: { old: 'G', new: 'U' } },
  ]);
});

test('what is no picture, or too large, or more than one is refused and changes nothing', async () => {
  const url = await change();
  const refuse = (body?: FormData) =>
    service.refuse(ada, set, {}, body === undefined ? {} : { body });
  expect(await refuse(upload(svg))).toMatchObject({ code: 'BAD_IMAGE' });
  expect(await refuse(upload(pngOf(5000, 10)))).toMatchObject(bad);
  expect(await refuse(upload(new Uint8Array(5 * 1024 * 1024 + 1)))).toMatchObject({
    ...bad,
    msg: 'Uploaded file is larger than the allowed limit of 5 MiB',
  });
  expect(await refuse()).toMatchObject(bad);
  expect((await shown())[0]).toBe(url);
  expect(await storedFiles()).toHaveLength(1);
});

test('only administrators change it', async () => {
  const url = await change();
  expect(await service.refuse(ben, set, {}, { body: upload(png) })).toMatchObject(bad);
  expect(await service.refuse(ben, remove)).toMatchObject(bad);
  expect((await shown())[0]).toBe(url);
  expect(await storedFiles()).toHaveLength(1);
});

test('a copy of the organization has it', async () => {
  const url = await change(jpeg);
  const into = await mkdtemp(join(tmpdir(), 'hearth-icon-'));
  try {
    const request = { dataDir: service.dataDir, into };
    const { folder, lost } = await makePlainCopy(request, new Date(), new AbortController().signal);
    expect(lost).toEqual([]);
    const name = url.slice(url.lastIndexOf('/') + 1);
    const copied = await readFile(join(folder, 'files', 'avatars', '1', 'realm', name));
    expect(new Uint8Array(copied)).toEqual(jpeg);
  } finally {
    await rm(into, { recursive: true });
  }
});
