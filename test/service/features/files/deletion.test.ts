import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { ada, ben, cleo, startTestService, type TestService } from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function upload(who = ben): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob(['a plan']), 'the plan.txt');
  return (await service.ask(who, api.uploads.upload, {}, { body: form })).uri;
}

const placeOf = (uri: string): string =>
  join(service.dataDir, 'files/uploads/1', uri.split('/')[3] ?? '');

const isOnDisk = async (uri: string): Promise<boolean> => {
  const place = placeOf(uri);
  return (await readdir(dirname(place))).some((name) => place.endsWith(`/${name}`));
};

const isListed = async (uri: string, who = ben): Promise<boolean> =>
  (await service.ask(who, api.uploads.list)).attachments.some(({ path_id: path }) =>
    uri.endsWith(path),
  );

const say = (content: string, who = ben): Promise<number> =>
  service.say(who, 'general', 'files', content);

const remove = (id: number, who = ada): Promise<unknown> =>
  service.ask(who, api.lifecycle.delete, { message_id: id });

describe('a file goes with its message', () => {
  test('the file of a deleted message is gone from the disk and from the quota, and its owner is told', async () => {
    const { upload_space_used: before } = await service.ask(ben, api.uploads.list);
    const uri = await upload();
    const id = await say(`[plan](${uri})`);
    const queues = await Promise.all([ben, cleo].map((who) => service.register(who)));
    await remove(id);
    expect(await isOnDisk(uri)).toBe(false);
    expect(await isListed(uri)).toBe(false);
    expect((await service.ask(ben, api.uploads.list)).upload_space_used).toBe(before);
    expect(await Promise.all(queues.map((queue) => queue.heard()))).toEqual([
      ['attachment remove', 'delete_message'],
      ['delete_message'],
    ]);
  });

  test('the files of a whole topic go with it, also one that several of its messages name', async () => {
    const [one, two] = [await upload(), await upload(cleo)];
    const post = (who: string, content: string) => service.say(who, 'general', 'doomed', content);
    await post(ben, `[a](${one})`);
    await post(cleo, `[b](${two}) and [a](${one})`);
    const edited = await post(ben, `[a](${one})`);
    await service.ask(ben, api.lifecycle.edit, { message_id: edited, content: 'no file' });
    const { stream_id: streamId } = await service.ask(ada, api.streams.findId, {
      stream: 'general',
    });
    await service.ask(ada, api.lifecycle.deleteTopic, {
      stream_id: streamId,
      topic_name: 'doomed',
    });
    expect([await isOnDisk(one), await isOnDisk(two)]).toEqual([false, false]);
  });

  test('a message is deleted, and a file, also where the disk does not let go of the file [deletion.message-deleted-file]', async () => {
    const [posted, alone] = [await upload(), await upload()];
    const id = await say(`[plan](${posted})`);
    for (const uri of [posted, alone]) {
      await rm(placeOf(uri));
      await mkdir(placeOf(uri));
    }
    await remove(id);
    expect(await service.read(ada, id)).toBeUndefined();
    const { attachments } = await service.ask(ben, api.uploads.list);
    const unposted = attachments.find(({ path_id: path }) => alone.endsWith(path));
    await service.ask(ben, api.uploads.remove, { attachment_id: unposted?.id });
    expect([await isListed(posted), await isListed(alone)]).toEqual([false, false]);
  });
});

describe('a file stays', () => {
  const naming: readonly (readonly [string, (uri: string) => Promise<unknown>])[] = [
    ['another message', (uri) => say(`[again](${uri})`)],
    [
      'a message of somebody else, in another conversation',
      (uri) => service.tell(ben, [cleo], `[plan](${uri})`),
    ],
    [
      'the history of another message',
      async (uri) => {
        const id = await say(`[plan](${encodeURI(uri)})`);
        await service.ask(ben, api.lifecycle.edit, { message_id: id, content: 'not here' });
      },
    ],
    [
      'the description of a stream',
      (uri) =>
        service.ask(ada, api.streams.subscribe, {
          subscriptions: [{ name: `about ${uri.slice(-20)}`, description: `see ${uri}` }],
        }),
    ],
    ['a status', (uri) => service.ask(cleo, api.statuses.set, { status_text: uri.slice(0, 60) })],
  ];
  test.each(naming)('with a deleted message while %s names it', async (_, name) => {
    const uri = await upload();
    const id = await say(`[plan](${uri})`);
    await name(uri);
    await remove(id);
    expect([await isOnDisk(uri), await isListed(uri)]).toEqual([true, true]);
  });

  test('when a message is edited so that it names the file no more, and when it was in none', async () => {
    const [edited, unused] = [await upload(), await upload()];
    const id = await say(`[plan](${edited})`);
    await service.ask(ben, api.lifecycle.edit, { message_id: id, content: 'gone' });
    await remove(await say('no file at all'));
    expect([await isOnDisk(edited), await isOnDisk(unused)]).toEqual([true, true]);
  });
});
