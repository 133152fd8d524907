import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { png, upload } from '#test/support/images.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function storedFiles(): Promise<readonly string[]> {
  const folder = join(service.dataDir, 'files');
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

test('files that a crash left without a row go at the next start, and no others do', async () => {
  const form = new FormData();
  form.set('file', new Blob(['a plan']), 'plan.txt');
  const { uri } = await service.ask(ben, api.uploads.upload, {}, { body: form });
  await service.ask(ben, api.avatars.set, {}, { body: upload(png) });
  await service.ask(ada, api.emoji.add, { name: 'party' }, { body: upload(png) });
  await service.ask(ada, api.emoji.add, { name: 'gone' }, { body: upload(png) });
  // What was said with it still shows it.
  await service.ask(ada, api.emoji.deactivate, { name: 'gone' });
  await service.ask(ada, api.realmIcon.set, {}, { body: upload(png) });
  const named = await storedFiles();
  expect(named).toHaveLength(5);
  for (const path of named) {
    for (const stray of [`${dirname(path)}/stray`, `${path}.part`]) {
      const place = join(service.dataDir, 'files', stray);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, 'left behind');
    }
  }
  await service.restart();
  await expect.poll(storedFiles).toEqual(named);
  const headers = { authorization: await service.authorization(ben) };
  const answer = await fetch(new URL(uri, service.origin), { headers });
  expect(await answer.text()).toBe('a plan');
});
