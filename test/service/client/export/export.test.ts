/** What a person exports, from a real service into a real folder. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExportResult } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { exportMessages, type ExportParts } from '#client/export/export.ts';
import { createApiAt } from '#client/transport/api.ts';
import { createFiles } from '#client/uploads/files.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { createExportFolder } from '#desktop/storage/export-folder.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopFetchFile, desktopHttp } from '#desktop/system/http.ts';
import { valueOf } from '#test/support/client/client.ts';
import { png, upload } from '#test/support/images.ts';
import { ada, ben, idOf, startTestService, type TestService } from '#test/support/service/api.ts';

let service: TestService;
const into = mkdtempSync(join(tmpdir(), 'hearth-takeout-'));
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  rmSync(into, { recursive: true });
});

async function partsFor(email: string, more: Partial<ExportParts> = {}): Promise<ExportParts> {
  const key = await service.keyOf(email);
  const credentials = { email, key, hasMoved: async () => false };
  const clock = desktopClock;
  return {
    api: createApiAt({ address: service.origin }, { http: desktopHttp, clock, credentials }),
    clock,
    files: createFiles({
      fetchFile: desktopFetchFile,
      clock,
      cache: { findFile: () => null, putFile: () => undefined },
      address: service.origin,
      credentials,
    }),
    exportFolders: { choose: (name) => createExportFolder(into, name) },
    ownUserId: idOf[email]!,
    ownName: () => 'Ben <Member>',
    realmName: () => 'Maple / Street',
    origin: () => service.origin,
    ...more,
  };
}

const taken = (outcome: Outcome<ExportResult | null>): ExportResult => {
  const value = valueOf(outcome);
  if (value === null) throw new Error('no folder was chosen');
  return value;
};

test('a takeout has what one wrote, private conversations whole and one’s files, and nothing else', async () => {
  const { uri } = await service.ask(ben, api.uploads.upload, {}, { body: upload(png) });
  await service.say(ben, 'general', 'lunch', `soup [picture](${uri})`);
  await service.say(ada, 'general', 'lunch', 'not of ben');
  await service.say(ben, 'general', 'Lunch', '**more** soup & <bread>');
  await service.tell(ada, [ben], 'only for ben');
  await service.tell(ben, [ada], 'and for ada');
  const made = taken(await exportMessages(await partsFor(ben)));
  expect(made).toMatchObject({ messages: 4, files: 1, missingFiles: 0 });
  expect(made.path).toBe(join(into, 'Maple _ Street'));
  const data = JSON.parse(readFileSync(join(made.path, 'messages.json'), 'utf8')) as {
    conversations: { title: string; messages: { text: string }[] }[];
  };
  expect(
    data.conversations.map(({ title, messages }) => [title, messages.map(({ text }) => text)]),
  ).toEqual([
    ['general › Lunch', [`soup [picture](${uri})`, '**more** soup & <bread>']],
    ['Ada Admin', ['only for ben', 'and for ada']],
  ]);
  const index = readFileSync(join(made.path, 'index.html'), 'utf8');
  expect(index).toContain('Ben &lt;Member&gt; in Maple / Street');
  const [page = ''] = readdirSync(join(made.path, 'conversations')).filter((name) =>
    name.startsWith('1-'),
  );
  expect(index).toContain(encodeURI(`conversations/${page}`));
  const text = readFileSync(join(made.path, 'conversations', page), 'utf8');
  expect(text).toContain('<strong>more</strong> soup &amp; &lt;bread&gt;');
  const [file = ''] = readdirSync(join(made.path, 'files'));
  expect(text).toContain(`href="../files/${file}"`);
  expect(readFileSync(join(made.path, 'files', file)).equals(Buffer.from(png))).toBe(true);
  expect(text).not.toContain('not of ben');
});

test('a second takeout goes into a folder of its own, page by page', async () => {
  for (let count = 1; count <= 3; count += 1) {
    await service.tell(ada, [ben], `again ${String(count)}`);
  }
  const parts = await partsFor(ben);
  const asked: unknown[] = [];
  const small: ExportParts['api'] = {
    ...parts.api,
    call: (endpoint, args, options) => {
      asked.push(args);
      const given = 'numAfter' in args ? { ...args, numAfter: 2 } : args;
      return parts.api.call(endpoint, given, options);
    },
  };
  const made = taken(await exportMessages({ ...parts, api: small }));
  expect(made).toMatchObject({ messages: 7, path: join(into, 'Maple _ Street 2') });
  expect(asked.length).toBeGreaterThan(3);
});

test('a takeout leaves nothing where a folder cannot be written, and asks for nothing where none is chosen', async () => {
  const before = readdirSync(into);
  const full: ExportParts['exportFolders'] = {
    choose: async (name) => {
      const folder = await createExportFolder(into, name);
      const write = async (): Promise<void> => {
        throw new Error('ENOSPC: no space left on device');
      };
      return { ...folder, write };
    },
  };
  expect(await exportMessages(await partsFor(ben, { exportFolders: full }))).toMatchObject({
    failure: { code: 'NOT_STORED', message: expect.stringContaining('no space left') },
  });
  expect(readdirSync(into)).toEqual(before);
  const none = { exportFolders: { choose: async () => null } };
  expect(await exportMessages(await partsFor(ben, none))).toEqual({ ok: true, value: null });
  const elsewhere = await partsFor(ben, { exportFolders: undefined });
  expect(await exportMessages(elsewhere)).toMatchObject({ failure: { code: 'NO_FOLDERS' } });
});
