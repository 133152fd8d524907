import { readdir, readFile, writeFile } from 'node:fs/promises';
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
import { dressGif, dressJpeg, dressPng, dressWebp } from '#test/support/dressed-pictures.ts';
import { gif, jpeg, png, pngOf, svg, upload, webp } from '#test/support/images.ts';

const { set, remove } = api.avatars;
const bad = { code: 'BAD_REQUEST' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const change = async (who: string, content = png): Promise<string> =>
  (await service.ask(who, set, {}, { body: upload(content) })).avatar_url;

const storedFiles = async (): Promise<readonly string[]> =>
  (await readdir(join(service.dataDir, 'files', 'avatars', '1')).catch(() => [])).filter((name) =>
    name.includes('.'),
  );

/** Where a picture lies that has this address. */
const placeOf = (url: string): string =>
  join(service.dataDir, 'files', 'avatars', ...url.replace(/\?.*/, '').split('/').slice(2));

/** @param asker  null for somebody who does not say who they are */
async function redirectOf(
  who: string | number,
  asker: string | null = ada,
): Promise<string | null> {
  const url = `${service.origin}/avatar/${encodeURIComponent(who)}`;
  const authorization = asker === null ? {} : { authorization: await service.authorization(asker) };
  const response = await fetch(url, { redirect: 'manual', headers: { ...authorization } });
  await response.arrayBuffer();
  return response.status === 404 ? null : response.headers.get('location');
}

describe('a picture', () => {
  test('a picture shows wherever the account does, to clients that compute gravatars too [avatars.picture-shows-account]', async () => {
    const id = await service.say(ben, 'general', 'picture');
    const url = await change(ben, jpeg);
    expect(url).toMatch(/^\/user_avatars\/1\/[0-9a-f]{32}\.jpg\?version=2$/);
    const image = await fetch(new URL(url, service.origin));
    expect(image.headers.get('content-type')).toBe('image/jpeg');
    expect(new Uint8Array(await image.arrayBuffer())).toEqual(jpeg);
    for (const clientGravatar of [true, false]) {
      const options = { client_gravatar: clientGravatar };
      const { members } = await service.ask(ada, api.users.list, options);
      expect(members.find((member) => member.user_id === idOf[ben])?.avatar_url).toBe(url);
      expect((await service.read(ada, id, options))?.avatar_url).toBe(url);
    }
    expect((await service.ask(ben, api.users.me)).avatar_url).toBe(url);
    await service.restart();
    const state = await service.ask(ben, api.events.register, {
      fetch_event_types: ['realm_user'],
    });
    expect(state).toMatchObject({
      avatar_url: url,
      avatar_url_medium: url,
      avatar_source: 'U',
    });
    for (const who of [ben, ben.toUpperCase(), idOf[ben] ?? 0]) {
      expect(await redirectOf(who)).toBe(url);
    }
  });

  test('a picture is replaced and removed with its file, and everybody is told [avatars.picture-replaced-removed]', async () => {
    const who = [ada, ben, cleo, gus, echoBot];
    const queues = await Promise.all(who.map((each) => service.register(each)));
    const computing = await service.register(ada, { client_gravatar: true });
    const expectNews = async (news: object, computed: object = news): Promise<void> => {
      const person = { user_id: idOf[cleo], email: cleo };
      for (const queue of [...queues, computing]) {
        const shown = { ...person, ...(queue === computing ? computed : news) };
        const events = (await queue.now()).map(({ id: _, ...event }) => event);
        expect(events).toEqual([{ type: 'realm_user', op: 'update', person: shown }]);
      }
    };
    const uploaded = (url: string) => ({
      avatar_url: url,
      avatar_url_medium: url,
      avatar_source: 'U',
    });

    const first = await change(cleo);
    await expectNews(uploaded(first));
    const files = await storedFiles();
    const second = await change(cleo, gif);
    await expectNews(uploaded(second));
    expect(second).not.toBe(first);
    expect(await storedFiles()).toHaveLength(files.length);
    const gone = await fetch(new URL(first, service.origin));
    await gone.arrayBuffer();
    expect(gone.status).toBe(404);

    const { avatar_url: gravatar } = await service.ask(cleo, remove);
    expect(gravatar).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\//);
    await expectNews(
      { avatar_url: gravatar, avatar_url_medium: `${gravatar}&s=500`, avatar_source: 'G' },
      { avatar_url: null, avatar_url_medium: null, avatar_source: 'G' },
    );
    expect(await storedFiles()).toHaveLength(files.length - 1);
    expect(await redirectOf(cleo)).toBe(gravatar);
    expect(await service.rowsAdded(() => service.ask(cleo, remove))).toEqual({});
  });

  test('a picture is one image', async () => {
    const two = upload(png);
    two.append('other', new Blob([png]), 'b.png');
    expect(await service.refuse(ben, set, {}, { body: two })).toMatchObject(bad);
    expect(await service.refuse(ben, set)).toMatchObject(bad);
    expect(await service.refuse(ben, set, {}, { body: upload(svg) })).toMatchObject({
      code: 'BAD_IMAGE',
    });
  });

  test.each([
    ['wider', pngOf(4097, 10)],
    ['higher', pngOf(10, 4097)],
    ['of more pixels in all its moments', pngOf(1000, 1000, 101)],
  ])(
    'a picture that is %s than every computer can show is refused, by what it announces [avatars.picture-computer-show]',
    async (_, content) => {
      const files = await storedFiles();
      expect(await service.refuse(ben, set, {}, { body: upload(content) })).toMatchObject(bad);
      expect(await storedFiles()).toEqual(files);
    },
  );

  test('a picture may be as large as every computer can show', async () => {
    for (const content of [pngOf(4096, 4096), pngOf(1000, 1000, 100)]) {
      expect(await change(cleo, content)).toMatch(/\.png/);
    }
  });

  test('a picture is for people; where they may not change it, administrators may', async () => {
    expect(await service.refuse(echoBot, set, {}, { body: upload(png) })).toMatchObject(bad);
    await change(gus);
    service.change(`UPDATE realm SET settings = '{"avatar_changes_disabled":true}'`);
    try {
      expect(await service.refuse(gus, set, {}, { body: upload(png) })).toMatchObject(bad);
      expect(await service.refuse(gus, remove)).toMatchObject(bad);
      await change(ada);
      await service.ask(ada, remove);
    } finally {
      service.change(`UPDATE realm SET settings = '{}'`);
    }
  });

  test('the picture of nobody is nowhere [avatars.picture-nobody-nowhere]', async () => {
    for (const who of ['nobody@example.com', 99]) expect(await redirectOf(who)).toBeNull();
  });

  test('a picture does not tell a stranger whether anybody has an account [avatars.picture-not-tell]', async () => {
    const shapeOf = async (who: string | number): Promise<string> =>
      ((await redirectOf(who, null)) ?? '').replace(/[0-9a-f]{32}/, 'hash');
    await change(ben);
    const strangers = ['nobody@example.com', 99, ada, ben, idOf[ben] ?? 0, 'no address at all'];
    const shapes = await Promise.all(strangers.map(shapeOf));
    expect(new Set(shapes).size, shapes.join(' ')).toBe(1);
    await service.ask(ben, remove);
  });

  test('the address of a picture tells nothing of person, picture or time [avatars.address-picture-nothing]', async () => {
    const names: string[] = [];
    for (let times = 0; times < 20; times += 1) {
      names.push(/\/1\/([0-9a-f]{32})\.png/.exec(await change(ben))?.[1] ?? '');
    }
    for (let at = 0; at < 32; at += 1) {
      expect(new Set(names.map((name) => name[at])).size, names.join(' ')).toBeGreaterThan(2);
    }
    await service.ask(ben, remove);
  });
});

const dress = { orientation: 6, hasProfile: true };
const pictures = [
  ['JPEG', jpeg, dressJpeg],
  ['PNG', png, dressPng],
  ['WebP', webp, dressWebp],
  ['GIF', gif, dressGif],
] as const;

async function fetched(url: string, headers = {}): Promise<Uint8Array> {
  const answer = await fetch(new URL(url, service.origin), { headers });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Sets one and the same picture for a person, a bot, an emoji and the organization. @returns where these are */
async function setEverywhere(content: Uint8Array<ArrayBuffer>, name: string): Promise<string[]> {
  const body = (): { body: FormData } => ({ body: upload(content) });
  const { icon_url: icon } = await service.ask(ada, api.realmIcon.set, {}, body());
  await service.ask(ada, api.emoji.add, { name }, body());
  const { emoji } = await service.ask(ada, api.emoji.list);
  const bot = body();
  bot.body.set('full_name', name);
  bot.body.set('short_name', name);
  const { avatar_url: botUrl } = await service.ask(cleo, api.bots.create, {}, bot);
  const found = Object.values(emoji).find((each) => each.name === name)?.source_url;
  return [await change(cleo, content), botUrl ?? '', icon, found ?? ''];
}

describe('a picture as a camera writes it', () => {
  test.each(pictures)(
    'a %s is stored and served with turn and profile alone [avatars.stored-served-turn]',
    async (kind, base, dressed) => {
      const clean = dressed(base, { ...dress, hasSecrets: false });
      const urls = await setEverywhere(
        dressed(base, { ...dress, hasSecrets: true }),
        kind.toLowerCase(),
      );
      expect(urls).toHaveLength(4);
      for (const url of urls) {
        expect(await fetched(url)).toEqual(clean);
        expect(new Uint8Array(await readFile(placeOf(url)))).toEqual(clean);
      }
    },
  );

  test('a picture that was stored with its metadata is served without it, and stored so from then on [avatars.picture-stored-metadata]', async () => {
    const secret = dressJpeg(jpeg, { ...dress, hasSecrets: true });
    const clean = dressJpeg(jpeg, { ...dress, hasSecrets: false });
    const urls = await setEverywhere(secret, 'before');
    await Promise.all(urls.map((url) => writeFile(placeOf(url), secret)));
    await service.restart();
    for (const url of urls) {
      // Many at once, of whom one has it from before.
      const asked = [{}, {}, { 'if-none-match': '"1"' }].map((headers) => fetched(url, headers));
      expect(await Promise.all(asked)).toEqual([clean, clean, clean]);
      expect(new Uint8Array(await readFile(placeOf(url)))).toEqual(clean);
      expect(await fetched(url)).toEqual(clean);
    }
  });

  test('a picture that nobody could show is refused', async () => {
    // Its frame says how large it is, and no pixels follow.
    const broken = jpeg.slice(0, jpeg.indexOf(0xda) - 1);
    expect(await service.refuse(ben, set, {}, { body: upload(broken) })).toMatchObject({
      code: 'BAD_IMAGE',
    });
  });
});
