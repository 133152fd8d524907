import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  heardOf,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { get, findId, members, isSubscribed, emailAddress, list, topics } = api.streams;
const { update, archive } = api.streamAdmin;

let service: TestService;
let engineering: number;
let leads: number;
beforeAll(async () => {
  service = await startTestService();
  engineering = await streamId('engineering');
  leads = await streamId('leads');
});
afterAll(() => service.stop());

const bad = { code: 'BAD_REQUEST' };
const everyone = { principals: [ada, ben, cleo, gus] };

async function streamId(name: string): Promise<number> {
  return (await service.ask(ada, findId, { stream: name })).stream_id;
}

/** A new stream; answers its id. */
async function create(who: string, name: string, more: Params = {}): Promise<number> {
  await service.join(who, [name], more);
  return streamId(name);
}

const change = (id: number, changes: Params) =>
  service.ask(ada, update, { stream_id: id, ...changes });

const read = async (id: number, who = ada) =>
  (await service.ask(who, get, { stream_id: id })).stream;

describe('looking at one stream', () => {
  test('it is given as in the list', async () => {
    const { streams } = await service.ask(ben, list);
    for (const stream of streams) {
      expect(await service.ask(ben, get, { stream_id: stream.stream_id })).toEqual({ stream });
    }
  });

  test('its id is found by its name, without case [stream-admin.id-found-name]', async () => {
    expect(await service.ask(ben, findId, { stream: ' ENGINEERING ' })).toEqual({
      stream_id: engineering,
    });
  });

  test('its members are listed by address, deactivated accounts left out [stream-admin.members-listed-address]', async () => {
    expect(await service.ask(cleo, members, { stream_id: engineering })).toEqual({
      subscribers: [ada, ben],
    });
    const params = { stream_id: engineering, stream: 'ignored' };
    service.change('UPDATE account SET is_active = 0 WHERE id = ?', idOf[ada] ?? 0);
    const answer = await service.ask(ben, members, params);
    const one = { user_id: idOf[ada], stream_id: engineering };
    const asked = await service.ask(ben, isSubscribed, one);
    service.change('UPDATE account SET is_active = 1 WHERE id = ?', idOf[ada] ?? 0);
    expect(answer).toEqual({ subscribers: [ben] });
    expect(asked).toEqual({ is_subscribed: false });
  });

  test('whether an account is subscribed [stream-admin.account-subscribed]', async () => {
    const ask = async (who: string, whom: string, stream: number) =>
      (await service.ask(who, isSubscribed, { user_id: idOf[whom], stream_id: stream }))
        .is_subscribed;
    expect(await ask(cleo, ben, engineering)).toBe(true);
    expect(await ask(cleo, gus, engineering)).toBe(false);
    expect(await ask(ada, ben, leads)).toBe(true);
    expect(await ask(ben, cleo, leads)).toBe(false);
    const unknown = { user_id: 999, stream_id: engineering };
    expect(await service.refuse(ben, isSubscribed, unknown)).toMatchObject(bad);
  });

  test('it has no address for e-mail', async () => {
    expect(await service.ask(ben, emailAddress, { stream_id: engineering })).toEqual({ email: '' });
  });

  test.each<[string, string, boolean, boolean]>([
    ['an administrator', ada, true, true],
    ['a member', cleo, true, false],
    ['a bot', echoBot, true, false],
    ['a guest', gus, false, false],
  ])(
    '%s: sees public ones, private ones [stream-admin.sees-public-ones]',
    async (_, who, seesPublic, seesPrivate) => {
      const hidden = await create(ben, `look ${who.split('@')[0]}`, { invite_only: true });
      for (const [id, sees] of [
        [engineering, seesPublic],
        [hidden, seesPrivate],
      ] as const) {
        for (const endpoint of [get, members, isSubscribed, emailAddress, topics]) {
          const params = { stream_id: id, user_id: idOf[ben] };
          if (sees) await service.ask(who, endpoint, params);
          else {
            const refusal = await service.refuse(who, endpoint, params);
            const unknown = await service.refuse(who, endpoint, { ...params, stream_id: 999 });
            expect(refusal).toEqual(unknown);
            expect(refusal).toMatchObject(bad);
          }
        }
      }
    },
  );

  test('a name that is unknown or hidden is refused in the same words [stream-admin.name-unknown-hidden]', async () => {
    const hidden = await service.refuse(cleo, findId, { stream: 'leads' });
    const unknown = await service.refuse(cleo, findId, { stream: 'nowhere' });
    expect(hidden).toMatchObject(bad);
    expect(hidden.msg.replace('leads', 'X')).toBe(unknown.msg.replace('nowhere', 'X'));
    expect(await service.refuse(cleo, findId)).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'stream',
    });
  });

  test('an incoming webhook bot may not look', async () => {
    for (const endpoint of [get, members, isSubscribed, emailAddress, findId]) {
      const params = { stream_id: engineering, user_id: 1, stream: 'general' };
      expect(await service.refuse(hookBot, endpoint, params)).toMatchObject({
        code: 'UNAUTHORIZED',
      });
    }
  });
});

describe('changing a stream', () => {
  test('every property, all at once, and it holds after a restart [stream-admin.property-once-holds]', async () => {
    const id = await create(ada, 'change all');
    expect(
      await change(id, {
        new_name: ' Changed ',
        description: ' New\n*text* ',
        is_private: true,
        is_announcement_only: 'True',
        history_public_to_subscribers: true,
      }),
    ).toEqual({});
    await service.restart();
    expect(await read(id)).toMatchObject({
      name: 'Changed',
      description: 'New *text*',
      rendered_description: '<p>New <em>text</em></p>',
      invite_only: true,
      is_announcement_only: true,
      history_public_to_subscribers: true,
    });
    await change(id, { description: '' });
    expect(await read(id)).toMatchObject({ description: '', rendered_description: '' });
  });

  test('texts may be quoted as JSON [stream-admin.texts-quoted-json]', async () => {
    const id = await create(ada, 'change quoted');
    await change(id, { new_name: '"quoted \\u00e9"', description: '"in \\"quotes\\""' });
    expect(await read(id)).toMatchObject({ name: 'quoted é', description: 'in "quotes"' });
  });

  test('nothing, or what holds already, changes nothing', async () => {
    const id = await create(ada, 'change none', { principals: [ada] });
    const before = service.dump();
    await change(id, {});
    await change(id, { is_private: false, is_announcement_only: false, description: '' });
    await change(id, { history_public_to_subscribers: false });
    expect(service.dump()).toEqual(before);
  });

  test('the case of a name may change, and a name that was left is free', async () => {
    const id = await create(ada, 'change case');
    await change(id, { new_name: 'Change Case' });
    expect((await read(id)).name).toBe('Change Case');
    await change(id, { new_name: 'change moved' });
    const other = await create(ada, 'change case');
    expect(other).not.toBe(id);
  });

  test('messages and subscriptions follow the new name', async () => {
    const id = await create(ben, 'follow old');
    const message = await service.say(ben, 'follow old', 't');
    await change(id, { new_name: 'follow new' });
    expect((await service.read(ben, message))?.display_recipient).toBe('follow new');
    const { subscriptions } = await service.ask(ben, api.streams.subscriptions);
    expect(subscriptions.some(({ name }) => name === 'follow new')).toBe(true);
    await service.say(ben, 'Follow New', 't');
    const gone = { type: 'stream', to: 'follow old', topic: 't', content: 'x' };
    expect(await service.refuse(ben, api.messages.send, gone)).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
    });
  });

  test.for<[string, Params, Params, boolean, boolean]>([
    ['public to private', {}, { is_private: true }, true, false],
    [
      'public to private with open history',
      {},
      { is_private: true, history_public_to_subscribers: true },
      true,
      true,
    ],
    ['private to public', { invite_only: true }, { is_private: false }, false, true],
    [
      'private to public with closed history',
      { invite_only: true },
      { is_private: false, history_public_to_subscribers: false },
      false,
      true,
    ],
    [
      'the history of a private one, opened',
      { invite_only: true },
      { history_public_to_subscribers: true },
      true,
      true,
    ],
    [
      'the history of a private one, closed',
      { invite_only: true, history_public_to_subscribers: true },
      { history_public_to_subscribers: false, is_private: true },
      true,
      false,
    ],
    [
      'a private one that is made private again keeps its history open',
      { invite_only: true, history_public_to_subscribers: true },
      { is_private: true },
      true,
      true,
    ],
  ])('%s', async ([name, created, changes, isPrivate, isOpen]) => {
    const id = await create(ada, name.slice(0, 60), { ...created, principals: [ada] });
    await change(id, changes);
    expect(await read(id)).toMatchObject({
      invite_only: isPrivate,
      history_public_to_subscribers: isOpen,
    });
  });

  test('what was sent before follows the privacy', async () => {
    const id = await create(ada, 'privacy');
    const message = await service.say(ada, 'privacy', 't');
    const narrow = [{ operator: 'stream', operand: 'privacy' }];
    expect((await service.read(cleo, message, { narrow }))?.id).toBe(message);
    await change(id, { is_private: true });
    const page = { anchor: message, num_before: 0, num_after: 0, narrow };
    expect(await service.refuse(cleo, api.messages.page, page)).toMatchObject({
      code: 'BAD_NARROW',
    });
    await change(id, { is_private: false });
    expect((await service.read(cleo, message, { narrow }))?.id).toBe(message);
  });

  test('an announcement-only stream takes messages of administrators only', async () => {
    const id = await create(ben, 'announcing', everyone);
    await change(id, { is_announcement_only: true });
    const params = { type: 'stream', to: 'announcing', topic: 't', content: 'x' };
    expect(await service.refuse(ben, api.messages.send, params)).toMatchObject(bad);
    await service.say(ada, 'announcing', 't');
    await change(id, { is_announcement_only: false });
    await service.say(ben, 'announcing', 't');
  });

  const taken = { new_name: 'GENERAL' };
  test.each<[string, string, Params, Params]>([
    ['by a member', ben, { description: 'x' }, bad],
    ["by an administrator's bot", echoBot, { description: 'x' }, bad],
    ['by a guest', gus, { description: 'x' }, bad],
    ['by an incoming webhook bot', hookBot, { description: 'x' }, { code: 'UNAUTHORIZED' }],
    ['a name that is taken', ada, taken, bad],
    ['the same name', ada, { new_name: ' engineering ' }, bad],
    ['a blank name', ada, { new_name: '""' }, bad],
    ['a name of 61 characters', ada, { new_name: 'x'.repeat(61) }, bad],
    ['a name of two lines', ada, { new_name: 'a\nb' }, bad],
    ['a description of 1025 characters', ada, { description: 'x'.repeat(1025) }, bad],
    ['a good description beside a bad name', ada, { ...taken, description: 'x' }, bad],
    [
      'privacy of another type',
      ada,
      { is_private: 'maybe' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'is_private' },
    ],
  ])(
    'a change of a stream is refused: %s [stream-admin.change-refused]',
    async (_, who, params, expected) => {
      const request = { stream_id: engineering, ...params };
      expect(await service.refuse(who, update, request)).toMatchObject(expected);
    },
  );

  test('an unknown id, one of an archived stream, and one that is no number', async () => {
    const id = await create(ada, 'long gone');
    await service.ask(ada, archive, { stream_id: id });
    const unknown = await service.refuse(ada, update, { stream_id: 999, description: 'x' });
    expect(unknown).toMatchObject(bad);
    expect(await service.refuse(ada, update, { stream_id: id, description: 'x' })).toEqual(unknown);
    expect((await service.send(ada, 'PATCH /streams/x')).status).toBe(404);
  });

  test('only a subscriber makes a private stream public; its name an administrator may change [stream-admin.subscriber-private-public]', async () => {
    const id = await create(ben, 'bens own', { invite_only: true });
    const params = { stream_id: id, is_private: false, description: 'x' };
    expect(await service.refuse(ada, update, params)).toMatchObject(bad);
    await change(id, { new_name: 'bens', description: 'his', is_announcement_only: true });
    expect(await read(id)).toMatchObject({ name: 'bens', description: 'his', invite_only: true });
    await service.join(ben, ['bens'], { principals: [ada] });
    await change(id, { is_private: false });
    expect((await read(id)).invite_only).toBe(false);
  });

  test('a default stream stays public', async () => {
    const params = { stream_id: await streamId('general'), is_private: true };
    expect(await service.refuse(ada, update, params)).toMatchObject(bad);
  });

  test('two that take the same name at once: one succeeds', async () => {
    const ids = [await create(ada, 'same a'), await create(ada, 'same b')];
    const answers = await Promise.all(
      ids.map((id) => service.answer(ada, update, { stream_id: id, new_name: 'same' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('who hears of a change', () => {
  test('a public stream: members, and guests that are in it [stream-admin.change-public]', async () => {
    const id = await create(ada, 'heard pub', { principals: [ada, gus] });
    const heard = ['heard pub description D'];
    expect(await heardOf(service, () => change(id, { description: 'D' }))).toEqual({
      [ada]: heard,
      [ben]: heard,
      [cleo]: heard,
      [gus]: heard,
      [echoBot]: heard,
    });
    const other = await create(ada, 'heard other', { principals: [ada] });
    const without = await heardOf(service, () => change(other, { description: 'D' }));
    expect(Object.keys(without)).toEqual([ada, ben, cleo, echoBot]);
  });

  test('a private stream: its subscribers and administrators [stream-admin.change-private]', async () => {
    const id = await create(ben, 'heard priv', { principals: [ben, gus], invite_only: true });
    const heard = ['heard priv is_announcement_only true'];
    expect(await heardOf(service, () => change(id, { is_announcement_only: true }))).toEqual({
      [ada]: heard,
      [ben]: heard,
      [gus]: heard,
    });
  });

  test('one that becomes public is created for the members who did not see it [stream-admin.change-to-public]', async () => {
    const id = await create(ben, 'opened', { principals: [ada, ben, gus], invite_only: true });
    const heard = 'opened invite_only false';
    expect(await heardOf(service, () => change(id, { is_private: false }))).toEqual({
      [ada]: [heard],
      [ben]: [heard],
      [cleo]: ['create opened', heard],
      [gus]: [heard],
      [echoBot]: ['create opened', heard],
    });
  });

  test('one that becomes private is deleted for the members who no longer see it', async () => {
    const id = await create(ben, 'closed', { principals: [ben, gus] });
    const heard = 'closed invite_only true';
    expect(await heardOf(service, () => change(id, { is_private: true }))).toEqual({
      [ada]: [heard],
      [ben]: [heard],
      [cleo]: ['delete closed'],
      [gus]: [heard],
      [echoBot]: ['delete closed'],
    });
  });

  test('each property is one event, with the old name and its extra keys, the name last [stream-admin.property-event-old]', async () => {
    const id = await create(ada, 'keys', everyone);
    const events = await eventsOf(service, () =>
      change(id, {
        new_name: 'new keys',
        description: '*D*',
        is_private: true,
        history_public_to_subscribers: true,
        is_announcement_only: true,
      }),
    );
    const base = {
      id: expect.any(Number),
      type: 'stream',
      op: 'update',
      stream_id: id,
      name: 'keys',
    };
    expect(events.get(gus)).toEqual([
      { ...base, property: 'description', value: '*D*', rendered_description: '<p><em>D</em></p>' },
      { ...base, property: 'invite_only', value: true, history_public_to_subscribers: true },
      { ...base, property: 'is_announcement_only', value: true },
      { ...base, property: 'name', value: 'new keys' },
    ]);
    const closing = await eventsOf(service, () =>
      change(id, { history_public_to_subscribers: false }),
    );
    expect(closing.get(gus)).toEqual([
      { ...base, name: 'new keys', property: 'history_public_to_subscribers', value: false },
    ]);
  });
});

describe('archiving a stream', () => {
  test('archiving a stream unsubscribes everybody, frees the name, and leaves messages with those who hold them [stream-admin.archiving-unsubscribes-everybody]', async () => {
    const id = await create(ben, 'a pub', { principals: [ben, gus] });
    const message = await service.say(ben, 'a pub', 't', 'kept');
    expect(await service.ask(ada, archive, { stream_id: id })).toEqual({});
    await service.restart();
    const { subscriptions } = await service.ask(ben, api.streams.subscriptions);
    expect(subscriptions.some(({ name }) => name === 'a pub')).toBe(false);
    for (const who of [ben, gus]) {
      expect((await service.read(who, message))?.content).toContain('kept');
      const narrow = [{ operator: 'stream', operand: id }];
      expect((await service.read(who, message, { narrow }))?.id).toBe(message);
    }
    expect(await service.read(cleo, message)).toBeUndefined();
    const again = await create(cleo, 'A Pub');
    expect(again).not.toBe(id);
    const { streams } = await service.ask(ada, list, { include_all_active: true });
    expect(streams.filter(({ name }) => name.toLowerCase() === 'a pub')).toHaveLength(1);
  });

  test('deactivated accounts leave it too', async () => {
    const id = await create(ada, 'a inactive', { principals: [ada, cleo] });
    service.change('UPDATE account SET is_active = 0 WHERE id = 3');
    await service.ask(ada, archive, { stream_id: id });
    service.change('UPDATE account SET is_active = 1 WHERE id = 3');
    const { stream: streams = [], membership = [] } = service.dump();
    const recipient = streams.find((row) => row['id'] === id)?.['recipient_id'];
    const open = membership.filter(
      (row) => row['recipient_id'] === recipient && row['until_id'] === null,
    );
    expect(open).toEqual([]);
  });

  test('an archived stream takes no more messages, by name or by id', async () => {
    const id = await create(ada, 'a silent');
    await service.ask(ada, archive, { stream_id: id });
    for (const to of ['a silent', id]) {
      const params = { type: 'stream', to, topic: 't', content: 'x' };
      expect(await service.refuse(ada, api.messages.send, params)).toMatchObject({
        code: 'STREAM_DOES_NOT_EXIST',
      });
    }
  });

  test('a public one: subscribers hear that they left, members that it is deleted [stream-admin.archiving-public]', async () => {
    const id = await create(ada, 'a heard', { principals: [ben, gus] });
    expect(await heardOf(service, () => service.ask(ada, archive, { stream_id: id }))).toEqual({
      [ada]: ['delete a heard'],
      [ben]: ['left a heard', 'delete a heard'],
      [cleo]: ['delete a heard'],
      [gus]: ['left a heard'],
      [echoBot]: ['delete a heard'],
    });
  });

  test('a private one: its subscribers and administrators [stream-admin.archiving-private]', async () => {
    const id = await create(ben, 'a priv', { principals: [ben, gus], invite_only: true });
    expect(await heardOf(service, () => service.ask(ada, archive, { stream_id: id }))).toEqual({
      [ada]: ['delete a priv'],
      [ben]: ['left a priv', 'delete a priv'],
      [gus]: ['left a priv', 'delete a priv'],
    });
  });

  test('an empty one [stream-admin.archiving-empty]', async () => {
    const id = await create(ada, 'a empty');
    await service.ask(ada, api.subscriptions.unsubscribe, { subscriptions: ['a empty'] });
    const events = await eventsOf(service, () => service.ask(ada, archive, { stream_id: id }));
    expect(events.get(gus)).toEqual([]);
    expect(events.get(cleo)).toEqual([
      {
        id: expect.any(Number),
        type: 'stream',
        op: 'delete',
        streams: [
          expect.objectContaining({ stream_id: id, name: 'a empty', is_old_stream: false }),
        ],
      },
    ]);
  });

  test.each<[string, string, number, Params]>([
    ['a member', ben, 2, bad],
    ["an administrator's bot", echoBot, 2, bad],
    ['a guest', gus, 2, bad],
    ['an incoming webhook bot', hookBot, 2, { code: 'UNAUTHORIZED' }],
    ['an unknown id', ada, 999, bad],
  ])(
    'the archiving of a stream is refused: %s [stream-admin.archiving-refused]',
    async (_, who, id, expected) => {
      expect(await service.refuse(who, archive, { stream_id: id })).toMatchObject(expected);
    },
  );

  test('archiving a stream twice is refused', async () => {
    const id = await create(ada, 'a twice');
    await service.ask(ada, archive, { stream_id: id });
    expect(await service.refuse(ada, archive, { stream_id: id })).toMatchObject(bad);
  });

  test('whoever subscribes at the same moment is in a stream of that name afterwards', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await create(ada, 'a race');
      const [joined] = await Promise.all([
        service.ask(cleo, api.streams.subscribe, { subscriptions: [{ name: 'a race' }] }),
        service.ask(ada, archive, { stream_id: id }),
      ]);
      expect(joined.subscribed).toEqual({ [cleo]: ['a race'] });
      const { streams } = await service.ask(ada, list);
      const left = streams.find(({ name }) => name === 'a race');
      if (left !== undefined) await service.ask(ada, archive, { stream_id: left.stream_id });
    }
  });
});
