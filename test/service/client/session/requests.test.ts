import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, createApi } from '#client/transport/api.ts';
import { createRequests } from '#client/transport/requests.ts';
import { api as table } from '#shared/api/endpoints/index.ts';
import type { Table } from '#shared/api/endpoint.ts';
import { fileRequestable, requestable } from '#shared/bridge/requestable.ts';
import type { RequestName } from '#shared/bridge/requestable.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { ada, startTestService, type TestService } from '#test/support/service/api.ts';
import { valueOf } from '#test/support/client/client.ts';

let service: TestService;
let live: Api;
beforeAll(async () => {
  service = await startTestService();
  const credentials = { email: ada, key: await service.keyOf(ada) };
  live = createApi({
    http: desktopHttp,
    clock: desktopClock,
    address: service.origin,
    credentials,
  });
});
afterAll(() => service.stop());

const silent: Pick<Api, 'call'> = {
  call: () => {
    throw new Error('nothing may be asked');
  },
};

/** As a window that is not ours would call it. */
const ask = (api: Pick<Api, 'call'>, name: string, args: Readonly<Record<string, unknown>>) =>
  createRequests(api).request(name as RequestName, args);

test('a call on the list is made and its answer told', async () => {
  const { request } = createRequests(live);
  const id = await service.say(ada, 'general', 'requests', 'to be liked');
  valueOf(await request('reactions.add', { messageId: id, emojiName: 'tada' }));
  expect((await service.read(ada, id))?.reactions).toMatchObject([{ emoji_name: 'tada' }]);
  const rendered = valueOf(await request('messages.render', { content: '**bold**' }));
  expect(rendered.rendered).toBe('<p><strong>bold</strong></p>');
});

test('what was checked is what is sent', async () => {
  const ids = [await service.say(ada, 'general', 'requests', 'named once')];
  const messageId = { toJSON: () => ids.shift() ?? 0 };
  expect((await ask(live, 'reactions.add', { messageId, emojiName: 'tada' })).ok).toBe(true);
});

test("a refusal has the service's sentence, and names the argument as callers write it", async () => {
  const outcome = await ask(live, 'reactions.add', { messageId: 4711, emojiName: 'tada' });
  expect(outcome).toMatchObject({
    failure: {
      code: 'BAD_REQUEST',
      message: 'Invalid message(s)',
      cause: { name: 'no_such_message', values: {} },
    },
  });
});

const everyName = Object.entries(table as Readonly<Record<string, Table>>).flatMap(
  ([aggregate, endpoints]) => Object.keys(endpoints).map((name) => `${aggregate}.${name}`),
);
const hidden = everyName.filter((name) => !(requestable as readonly string[]).includes(name));

test.each([
  ...hidden,
  ...fileRequestable,
  '',
  'reactions',
  'reactions.',
  'constructor.name',
  '__proto__.toString',
  'reactions.add.x',
])('%j is refused', async (name) => {
  expect(await ask(silent, name, {})).toMatchObject({ failure: { code: 'NOT_ALLOWED' } });
});

test.each<readonly [string, Record<string, unknown>, string]>([
  ['reactions.add', {}, 'messageId'],
  ['reactions.add', { messageId: 'x', emojiName: 'tada' }, 'messageId'],
  ['reactions.add', { messageId: -1, emojiName: 'tada' }, 'messageId'],
  ['reactions.add', { messageId: 1, emojiName: 'tada', extra: 1 }, 'extra'],
  ['emoji.deactivate', { name: '..' }, 'name'],
  ['emoji.deactivate', { name: '.' }, 'name'],
  ['emoji.deactivate', { name: '' }, 'name'],
  ['userGroups.create', { name: 'x', description: 'y', members: 'z' }, 'members'],
  ['alertWords.add', { alertWords: { a: 1 } }, 'alertWords'],
])('%s with %j fails, naming %s, before anything is asked', async (name, args, argument) => {
  const outcome = await ask(silent, name, args);
  expect(outcome).toMatchObject({ ok: false, failure: { argument } });
  expect(outcome).toMatchObject({ failure: { message: expect.stringMatching(/\S \S/) } });
});

test('arguments that are left out, or are undefined, are not sent', async () => {
  const outcome = await ask(live, 'settings.display', { left_side_userlist: undefined });
  expect(outcome.ok).toBe(true);
});
