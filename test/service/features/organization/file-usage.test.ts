import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ limits: { personUploadBytes: 5000 } });
});
afterAll(() => service.stop());

async function upload(who: string, bytes: number): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob(['x'.repeat(bytes)]), `of ${String(bytes)}.txt`);
  return (await service.ask(who, api.uploads.upload, {}, { body: form })).uri;
}

const own = (who: string, args = {}) => service.ask(who, api.officeFiles.listOwn, args);
const all = (args = {}) => service.ask(ada, api.officeFiles.listAll, args);
const idOf = async (who: string) => (await service.ask(who, api.users.me)).user_id;

test('files are listed with the largest first, of whom they are, and the messages that the caller may see [office-files.listed-largest-first]', async () => {
  const [small, large] = [await upload(ben, 10), await upload(ben, 2000)];
  const ofBot = await upload(echoBot, 700);
  const stream = await service.say(ben, 'general', 'files', `[a](${small})`);
  const between = await service.tell(ben, [cleo], `[b](${large})`);
  const [benId, cleoId, botId] = [await idOf(ben), await idOf(cleo), await idOf(echoBot)];
  const general = await service.ask(ben, api.streams.findId, { stream: 'general' });
  const of10 = {
    id: expect.any(Number),
    name: 'of 10.txt',
    path_id: small.slice('/user_uploads/'.length),
    size: 10,
    created_at: expect.any(Number),
    owner_id: benId,
    message_count: 1,
    messages: [
      {
        id: stream,
        sent_at: expect.any(Number),
        stream_id: general.stream_id,
        topic: 'files',
        user_ids: [],
      },
    ],
  };
  const listed = await own(ben);
  expect(listed).toMatchObject({ count: 2, bytes: 2010, limit_bytes: 5000 });
  expect(listed.files).toMatchObject([
    {
      name: 'of 2000.txt',
      messages: [
        { id: between, stream_id: null, topic: null, user_ids: [benId, cleoId].toSorted() },
      ],
    },
    of10,
  ]);
  const everything = await all();
  expect(everything).toMatchObject({ count: 3, bytes: 2710, limit_bytes: null });
  expect(everything.files).toEqual([
    expect.objectContaining({
      name: null,
      path_id: null,
      size: 2000,
      message_count: 1,
      messages: [],
    }),
    expect.objectContaining({ name: 'of 700.txt', owner_id: botId, message_count: 0 }),
    of10,
  ]);
  expect((await own(ada)).files).toMatchObject([{ path_id: ofBot.slice(14), owner_id: botId }]);
  expect((await own(cleo)).files).toEqual([]);
  expect((await all({ limit: 1 })).files).toHaveLength(1);
});

test.each([0, 1001])(
  'a list of files of %i is refused [office-files.list-refused]',
  async (limit) => {
    const { msg } = await service.refuse(ben, api.officeFiles.listOwn, { limit });
    expect(msg).toBe(`limit must be from 1 to 1000, not ${limit}`);
  },
);

test('a bot’s file is deleted by its owner, and anybody’s by an administrator, which is in the audit log [office-files.bot-deleted-owner]', async () => {
  await upload(echoBot, 30);
  await upload(cleo, 40);
  const ofBot = (await own(ada)).files.find(({ size }) => size === 30)?.id;
  const [ofCleo] = (await own(cleo)).files;
  const remove = (id: number | undefined) =>
    service.ask(ada, api.uploads.remove, { attachment_id: id });
  for (const id of [ofBot, ofCleo?.id]) {
    const { msg } = await service.refuse(ben, api.uploads.remove, { attachment_id: id });
    expect(msg).toBe('Invalid attachment');
  }
  const queue = await service.register(cleo);
  await remove(ofBot);
  await remove(ofCleo?.id);
  expect(await queue.heard()).toEqual(['attachment remove']);
  expect((await own(cleo)).files).toEqual([]);
  const { entries } = await service.ask(ada, api.auditLog.list, { types: ['file_deleted'] });
  expect(entries).toMatchObject([{ user_id: ofCleo?.owner_id, details: { bytes: 40 } }]);
});
