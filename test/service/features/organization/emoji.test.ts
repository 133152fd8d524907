import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { gif, jpeg, png, svg, upload, webp } from '#test/support/images.ts';

const { add, deactivate, list } = api.emoji;
const bad = { code: 'BAD_REQUEST' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function find(name: string) {
  const { emoji } = await service.ask(gus, list);
  return Object.values(emoji).findLast((each) => each.name === name);
}

const storedFiles = async (): Promise<readonly string[]> =>
  readdir(join(service.dataDir, 'files', 'avatars', '1', 'emoji', 'images')).catch(() => []);

describe('adding an emoji', () => {
  test.each([
    ['png', png, 'image/png'],
    ['gif', gif, 'image/gif'],
    ['jpeg', jpeg, 'image/jpeg'],
    ['webp', webp, 'image/webp'],
  ])(
    'a %s is listed and served to everybody [emoji.listed-served-everybody]',
    async (name, content, contentType) => {
      // Neither the part's name nor the file's says anything.
      const body = upload(content, 'picture.txt', 'whatever');
      expect(await service.ask(ben, add, { name }, { body })).toEqual({});
      const found = await find(name);
      expect(found).toMatchObject({
        name,
        deactivated: false,
        author: { id: idOf[ben], email: ben, full_name: 'Ben Member' },
      });
      const response = await fetch(new URL(found?.source_url ?? '', service.origin));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(contentType);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(content);
    },
  );

  test('it is listed under its id, in /register too, also after a restart [emoji.listed-id-register]', async () => {
    await service.ask(ada, add, { name: 'under-id_1' }, { body: upload(png) });
    await service.restart();
    const { emoji } = await service.ask(gus, list);
    for (const [id, each] of Object.entries(emoji)) expect(each.id).toBe(id);
    const state = await service.ask(gus, api.events.register, {
      fetch_event_types: ['realm_emoji'],
    });
    expect(state).toMatchObject({ realm_emoji: emoji });
  });

  test('everybody is told the whole list [emoji.everybody-whole-list]', async () => {
    const who = [ada, ben, cleo, gus, echoBot];
    const queues = await Promise.all(who.map((each) => service.register(each)));
    await service.ask(ben, add, { name: 'told' }, { body: upload(png) });
    const { emoji } = await service.ask(ada, list);
    for (const queue of queues) {
      const events = await queue.now();
      expect(events).toEqual([
        { id: queue.lastEventId, type: 'realm_emoji', op: 'update', realm_emoji: emoji },
      ]);
    }
  });

  test.each(['Party', 'a b', 'ä', 'a.b', 'a'.repeat(101)])(
    'the name %s is refused [emoji.name-refused]',
    async (name) => {
      const files = await storedFiles();
      expect(await service.refuse(ben, add, { name }, { body: upload(png) })).toMatchObject(bad);
      expect(await storedFiles()).toEqual(files);
    },
  );

  test('a name that is taken is refused, and no file is kept', async () => {
    await service.ask(ben, add, { name: 'taken' }, { body: upload(png) });
    const files = await storedFiles();
    expect(await service.refuse(ada, add, { name: 'taken' }, { body: upload(gif) })).toMatchObject(
      bad,
    );
    const before = (await find('taken'))?.id;
    const both = await Promise.all(
      [ada, ben].map((who) => service.answer(who, add, { name: 'race' }, { body: upload(gif) })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await find('taken'))?.id).toBe(before);
    expect(await storedFiles()).toHaveLength(files.length + 1);
  });

  test.each([
    ['text', new Uint8Array(Buffer.from('hello'))],
    ['nothing', new Uint8Array()],
    ['half a header', png.slice(0, 20)],
    ['a drawing that can carry scripts', svg],
  ])('%s is no image', async (_, content) => {
    const refusal = await service.refuse(ben, add, { name: 'x' }, { body: upload(content) });
    expect(refusal).toMatchObject({ code: 'BAD_IMAGE' });
  });

  test('exactly one file of at most 5 MiB is taken [emoji.exactly-file-most]', async () => {
    const none = new FormData();
    none.append('file', 'text');
    const two = upload(png);
    two.append('other', new Blob([png]), 'b.png');
    const large = new Uint8Array(5 * 1024 * 1024 + 1);
    large.set(png);
    for (const body of [none, two, upload(large)]) {
      expect(await service.refuse(ben, add, { name: 'x' }, { body })).toMatchObject(bad);
    }
    expect(await service.refuse(ben, add, { name: 'x' })).toMatchObject(bad);
    const body = upload(large.slice(0, 5 * 1024 * 1024));
    await service.ask(ben, add, { name: 'largest' }, { body });
  });

  test('guests may not, and members only where the organization lets them [emoji.guests-not-members]', async () => {
    const body = (): FormData => upload(png);
    expect(await service.refuse(gus, add, { name: 'x' }, { body: body() })).toMatchObject(bad);
    await service.ask(echoBot, add, { name: 'of-a-bot' }, { body: body() });
    service.change(`UPDATE realm SET settings = '{"add_emoji_by_admins_only":true}'`);
    try {
      expect(await service.refuse(ben, add, { name: 'x' }, { body: body() })).toMatchObject(bad);
      await service.ask(ada, add, { name: 'by-admin' }, { body: body() });
    } finally {
      service.change(`UPDATE realm SET settings = '{}'`);
    }
  });
});

describe('removing an emoji', () => {
  test('its author does; it stays listed and served, and its name is free again [emoji.author-stays-listed]', async () => {
    await service.ask(cleo, add, { name: 'mine' }, { body: upload(png) });
    const first = await find('mine');
    const queue = await service.register(gus);
    await service.ask(cleo, deactivate, { name: 'mine' });
    const removed = await find('mine');
    expect(removed).toEqual({ ...first, deactivated: true });
    expect(await queue.now()).toMatchObject([{ type: 'realm_emoji', op: 'update' }]);
    expect(await service.refuse(cleo, deactivate, { name: 'mine' })).toMatchObject(bad);
    const image = await fetch(new URL(first?.source_url ?? '', service.origin));
    expect(image.status).toBe(200);
    await image.arrayBuffer();
    await service.ask(ben, add, { name: 'mine' }, { body: upload(gif) });
    expect(await find('mine')).toMatchObject({ deactivated: false, author: { id: idOf[ben] } });
    expect((await find('mine'))?.id).not.toBe(first?.id);
  });

  test('so do administrators, and nobody else [emoji.administrators-nobody-else]', async () => {
    await service.ask(ben, add, { name: 'bens' }, { body: upload(png) });
    for (const who of [cleo, gus, echoBot]) {
      expect(await service.refuse(who, deactivate, { name: 'bens' })).toMatchObject(bad);
    }
    await service.ask(ada, deactivate, { name: 'bens' });
    expect(await service.refuse(ada, deactivate, { name: 'unknown' })).toMatchObject(bad);
  });
});

test.each(['1/emoji/images/none.png', '2/emoji/images/a.png', '1/x.svg', '1/%2e%2e/secret', 'x'])(
  'there is no image at %s',
  async (path) => {
    const response = await fetch(`${service.origin}/user_avatars/${path}`);
    await response.arrayBuffer();
    expect(response.status).toBe(404);
  },
);
