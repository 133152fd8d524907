import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  hookBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { addDefault, removeDefault, archive, update } = api.streamAdmin;

let service: TestService;
let engineering: number;
beforeAll(async () => {
  service = await startTestService();
  engineering = await streamId('engineering');
});
afterAll(() => service.stop());

async function streamId(name: string): Promise<number> {
  return (await service.ask(ada, api.streams.findId, { stream: name })).stream_id;
}

const namesIn = (streams: unknown): string[] =>
  (streams as readonly { readonly name: string }[]).map(({ name }) => name);

async function defaultsOf(who: string): Promise<string[]> {
  const state = await service.ask(who, api.events.register, {
    fetch_event_types: ['default_streams'],
  });
  return namesIn(state['realm_default_streams']);
}

async function heard(work: () => Promise<unknown>) {
  const events = await eventsOf(service, work);
  return Object.fromEntries([...events].filter(([, each]) => each.length > 0));
}

describe('a default stream', () => {
  test('a default stream is added by its id or by its name, and removed again [default-streams.added-id-name]', async () => {
    expect(await service.ask(ada, addDefault, { stream_id: engineering })).toEqual({});
    expect(await defaultsOf(cleo)).toEqual(['general', 'engineering']);
    expect(await defaultsOf(gus)).toEqual([]);
    expect(await service.ask(ada, removeDefault, { stream_name: ' GENERAL ' })).toEqual({});
    await service.restart();
    expect(await defaultsOf(cleo)).toEqual(['engineering']);
    await service.ask(ada, addDefault, { stream_name: 'general' });
    await service.ask(ada, removeDefault, { stream_id: engineering }, { body: '' });
    expect(await defaultsOf(cleo)).toEqual(['general']);
  });

  test('a default stream is one that new accounts are subscribed to', async () => {
    await service.ask(ada, addDefault, { stream_id: engineering });
    const person = { email: 'new@example.com', password: 'long enough', full_name: 'New Person' };
    await service.ask(ada, api.users.create, person);
    const { subscriptions } = await service.ask('new@example.com', api.streams.subscriptions);
    expect(namesIn(subscriptions)).toEqual(['general', 'engineering']);
    await service.ask(ada, removeDefault, { stream_id: engineering });
  });

  test('a change of default streams is announced to members as the whole list [default-streams.change-announced-members]', async () => {
    const event = (...names: readonly string[]) => [
      {
        id: expect.any(Number),
        type: 'default_streams',
        default_streams: names.map((name): unknown =>
          expect.objectContaining({ name, invite_only: false }),
        ),
      },
    ];
    const both = event('general', 'engineering');
    expect(await heard(() => service.ask(ada, addDefault, { stream_id: engineering }))).toEqual({
      [ada]: both,
      [ben]: both,
      [cleo]: both,
      [echoBot]: both,
    });
    const one = event('general');
    expect(await heard(() => service.ask(ada, removeDefault, { stream_id: engineering }))).toEqual({
      [ada]: one,
      [ben]: one,
      [cleo]: one,
      [echoBot]: one,
    });
  });

  test('a stream that is a default one already, or is none, is left alone without an event', async () => {
    const before = service.dump();
    await service.ask(ada, addDefault, { stream_name: 'general' });
    await service.ask(ada, removeDefault, { stream_id: engineering });
    expect(service.dump()).toEqual(before);
  });

  test('a default stream stops being one when it is archived', async () => {
    await service.join(ada, ['short-lived']);
    const id = await streamId('short-lived');
    await service.ask(ada, addDefault, { stream_id: id });
    const events = await heard(() => service.ask(ada, archive, { stream_id: id }));
    expect(events[cleo]).toMatchObject([
      { type: 'stream', op: 'delete' },
      { type: 'default_streams', default_streams: [{ name: 'general' }] },
    ]);
    expect(events[gus]).toBeUndefined();
    expect(await defaultsOf(cleo)).toEqual(['general']);
  });

  test('a renamed default stream is told under its new name', async () => {
    await service.join(ada, ['renamed']);
    const id = await streamId('renamed');
    await service.ask(ada, addDefault, { stream_id: id });
    await service.ask(ada, update, { stream_id: id, new_name: 'renamed since' });
    expect(await defaultsOf(cleo)).toEqual(['general', 'renamed since']);
    await service.ask(ada, removeDefault, { stream_id: id });
  });
});

describe('refused', () => {
  const bad = { code: 'BAD_REQUEST' };
  const fine = { stream_name: 'engineering' };

  test.each<[string, string, Params, Params]>([
    ['a member', ben, fine, bad],
    ['a guest', gus, fine, bad],
    ["an administrator's bot", echoBot, fine, bad],
    ['an incoming webhook bot', hookBot, fine, { code: 'UNAUTHORIZED' }],
    ['no stream', ada, {}, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'stream_id' }],
    ['an id that is none', ada, { stream_id: 'x' }, { code: 'REQUEST_VARIABLE_INVALID' }],
    ['an unknown id', ada, { stream_id: 999 }, bad],
    ['an unknown name', ada, { stream_name: 'nowhere' }, bad],
    ['a private stream', ada, { stream_name: 'leads' }, bad],
  ])('%s [default-streams.refused]', async (_, who, params, expected) => {
    for (const endpoint of [addDefault, removeDefault]) {
      expect(await service.refuse(who, endpoint, params)).toMatchObject(expected);
    }
  });
});
