import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestQueue,
  type TestService,
} from '#test/support/service/api.ts';
import { png, upload } from '#test/support/images.ts';

const { add, remove } = api.reactions;
const bad = { code: 'BAD_REQUEST' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const fullNames: Readonly<Record<string, string>> = {
  [ada]: 'Ada Admin',
  [ben]: 'Ben Member',
  [cleo]: 'Cleo Member',
};

/** A reaction as messages and events show it. */
const reaction = (who: string, name: string, code: string, type = 'unicode_emoji') => ({
  emoji_name: name,
  emoji_code: code,
  reaction_type: type,
  user_id: idOf[who],
  user: { id: idOf[who], user_id: idOf[who], email: who, full_name: fullNames[who] },
});

const reactionsOf = async (who: string, id: number) => (await service.read(who, id))?.reactions;

const custom = async (name: string): Promise<string> => {
  await service.ask(ben, api.emoji.add, { name }, { body: upload(png) });
  const { emoji } = await service.ask(ben, api.emoji.list);
  return Object.values(emoji).find((each) => each.name === name)?.id ?? '';
};

describe('reacting', () => {
  test('a reaction stands on the message, in the order of adding [reactions.message-order-adding]', async () => {
    const id = await service.say(ada, 'engineering', 'order');
    await service.ask(ben, add, { message_id: id, emoji_name: 'tada' });
    await service.ask(ada, add, { message_id: id, emoji_name: 'heart' });
    await service.ask(cleo, add, { message_id: id, emoji_name: 'tada' });
    const expected = [
      reaction(ben, 'tada', '1f389'),
      reaction(ada, 'heart', '2764'),
      reaction(cleo, 'tada', '1f389'),
    ];
    expect(await reactionsOf(ada, id)).toEqual(expected);
    await service.restart();
    expect(await reactionsOf(ben, id)).toEqual(expected);
  });

  test('a page shows the reactions of each of its messages', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      ids.push(await service.say(ada, 'engineering', 'page'));
    }
    await service.ask(ben, add, { message_id: ids[1], emoji_name: 'tada' });
    await service.ask(ben, add, { message_id: ids[3], emoji_name: 'octopus' });
    const page = { anchor: ids[0], num_before: 0, num_after: 3 };
    const { messages } = await service.ask(ada, api.messages.page, page);
    expect(messages.map((message) => message.reactions.map((each) => each.emoji_name))).toEqual([
      [],
      ['tada'],
      [],
      ['octopus'],
    ]);
  });

  test('the second person keeps the name of the first [reactions.second-person-name]', async () => {
    const id = await service.say(ada, 'engineering', 'names');
    await service.ask(ada, add, { message_id: id, emoji_name: 'thumbs_up' });
    await service.ask(ben, add, { message_id: id, emoji_name: '+1' });
    expect(await reactionsOf(ada, id)).toEqual([
      reaction(ada, 'thumbs_up', '1f44d'),
      reaction(ben, 'thumbs_up', '1f44d'),
    ]);
    await service.ask(ben, remove, { message_id: id, emoji_name: '+1' });
    expect(await reactionsOf(ada, id)).toEqual([reaction(ada, 'thumbs_up', '1f44d')]);
  });

  test.each<[string, Params, readonly [string, string, string]]>([
    ['a name', { emoji_name: 'tada' }, ['tada', '1f389', 'unicode_emoji']],
    [
      'name and type, as bots do',
      { emoji_name: 'octopus', reaction_type: 'unicode_emoji' },
      ['octopus', '1f419', 'unicode_emoji'],
    ],
    [
      'name, code and type, as other clients do',
      { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' },
      ['tada', '1f389', 'unicode_emoji'],
    ],
    [
      'a name of the client itself with a known code',
      { emoji_name: 'upwards_trend', emoji_code: '1f4c8', reaction_type: 'unicode_emoji' },
      ['upwards_trend', '1f4c8', 'unicode_emoji'],
    ],
    [
      'a name that describes two emoji with the code of one',
      { emoji_name: 'cat', emoji_code: '1f408' },
      ['cat', '1f408', 'unicode_emoji'],
    ],
    [
      'a code with a variation selector',
      { emoji_name: 'heart', emoji_code: '2764-FE0F' },
      ['heart', '2764', 'unicode_emoji'],
    ],
    ['an extra emoji', { emoji_name: 'zulip' }, ['zulip', 'zulip', 'zulip_extra_emoji']],
    [
      'an extra emoji in full',
      { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' },
      ['zulip', 'zulip', 'zulip_extra_emoji'],
    ],
    [
      'empty arguments, which are absent',
      { emoji_name: 'tada', emoji_code: '', reaction_type: '' },
      ['tada', '1f389', 'unicode_emoji'],
    ],
  ])('%s is enough [reactions.reacting-enough]', async (_, params, [name, code, type]) => {
    const id = await service.say(ada, 'engineering', 'forms');
    await service.ask(ben, add, { message_id: id, ...params });
    expect(await reactionsOf(ada, id)).toEqual([reaction(ben, name, code, type)]);
  });

  test('a custom emoji is found by name, and a deactivated one only where it stands already', async () => {
    const code = await custom('our_party');
    const [first, second] = [
      await service.say(ada, 'engineering', 'custom'),
      await service.say(ada, 'engineering', 'custom'),
    ];
    const full = { emoji_name: 'our_party', emoji_code: code, reaction_type: 'realm_emoji' };
    await service.ask(ada, add, { message_id: first, emoji_name: 'our_party' });
    await service.refuse(ben, add, { message_id: first, ...full, emoji_name: 'tada' });
    await service.refuse(ben, add, { message_id: first, ...full, reaction_type: 'unicode_emoji' });
    await service.refuse(ben, add, { message_id: first, ...full, emoji_code: '99' });
    await service.ask(ben, api.emoji.deactivate, { name: 'our_party' });
    expect(await service.refuse(ben, add, { message_id: second, ...full })).toMatchObject(bad);
    expect(
      await service.refuse(ben, add, { message_id: second, emoji_name: 'our_party' }),
    ).toMatchObject(bad);
    await service.ask(ben, add, { message_id: first, ...full });
    expect(await reactionsOf(ada, first)).toEqual([
      reaction(ada, 'our_party', code, 'realm_emoji'),
      reaction(ben, 'our_party', code, 'realm_emoji'),
    ]);
  });

  test('a custom emoji comes before another of that name, unless the type tells', async () => {
    const code = await custom('octopus');
    const id = await service.say(ada, 'engineering', 'same name');
    await service.ask(ada, add, { message_id: id, emoji_name: 'octopus' });
    await service.ask(ada, add, {
      message_id: id,
      emoji_name: 'octopus',
      reaction_type: 'unicode_emoji',
    });
    await service.ask(ben, add, { message_id: id, emoji_name: 'octopus', emoji_code: '1f419' });
    expect(await reactionsOf(ada, id)).toEqual([
      reaction(ada, 'octopus', code, 'realm_emoji'),
      reaction(ada, 'octopus', '1f419'),
      reaction(ben, 'octopus', '1f419'),
    ]);
    await service.ask(ada, remove, {
      message_id: id,
      emoji_name: 'octopus',
      reaction_type: 'unicode_emoji',
    });
    expect((await reactionsOf(ada, id))?.map((each) => each.reaction_type)).toEqual([
      'realm_emoji',
      'unicode_emoji',
    ]);
  });

  test.each<[string, Params, Params]>([
    ['no name', {}, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'emoji_name' }],
    [
      'an unknown type',
      { emoji_name: 'tada', reaction_type: 'sticker' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'reaction_type' },
    ],
    ['an empty name', { emoji_name: '' }, bad],
    ['an unknown name', { emoji_name: 'no_such_emoji' }, bad],
    ['a name in colons', { emoji_name: ':tada:' }, bad],
    ['the code of another emoji', { emoji_name: 'tada', emoji_code: '1f44d' }, bad],
    ['an unknown code', { emoji_name: 'tada', emoji_code: 'ffff' }, bad],
    ['a name that is none', { emoji_name: 'a b', emoji_code: '1f389' }, bad],
    ['a name of 101 characters', { emoji_name: 'a'.repeat(101), emoji_code: '1f389' }, bad],
    ['another type', { emoji_name: 'tada', reaction_type: 'realm_emoji' }, bad],
    ['an extra emoji that is none', { emoji_name: 'x', reaction_type: 'zulip_extra_emoji' }, bad],
  ])('%s is refused [reactions.reacting-refused]', async (_, params, expected) => {
    const id = await service.say(ada, 'engineering', 'refused');
    expect(await service.refuse(ben, add, { message_id: id, ...params })).toMatchObject(expected);
  });

  test('reacting twice is refused, under another name too [reactions.reacting-twice-refused]', async () => {
    const id = await service.say(ada, 'engineering', 'twice');
    await service.ask(ben, add, { message_id: id, emoji_name: 'tada' });
    for (const name of ['tada', 'party_popper']) {
      expect(await service.refuse(ben, add, { message_id: id, emoji_name: name })).toMatchObject(
        bad,
      );
    }
  });
});

describe('taking a reaction back', () => {
  test.each<[string, Params]>([
    ['its name', { emoji_name: 'tada' }],
    ['another name of the emoji', { emoji_name: 'party_popper' }],
    ['its code', { emoji_code: '1f389' }],
    ['its code with an empty name', { emoji_name: '', emoji_code: '1f389' }],
    ['everything', { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }],
  ])('a reaction is taken back by %s [reactions.taken-back]', async (_, params) => {
    const id = await service.say(ada, 'engineering', 'back');
    for (const who of [ada, ben]) {
      await service.ask(who, add, { message_id: id, emoji_name: 'tada' });
      await service.ask(who, add, { message_id: id, emoji_name: 'heart' });
    }
    await service.ask(ada, remove, { message_id: id, ...params });
    expect(await reactionsOf(ada, id)).toEqual([
      reaction(ada, 'heart', '2764'),
      reaction(ben, 'tada', '1f389'),
      reaction(ben, 'heart', '2764'),
    ]);
    expect(await service.refuse(ada, remove, { message_id: id, ...params })).toMatchObject(bad);
  });

  test('the removal of a reaction needs a name or a code of a reaction of the caller [reactions.removal-needs-name]', async () => {
    const id = await service.say(ada, 'engineering', 'back');
    await service.ask(ada, add, { message_id: id, emoji_name: 'tada' });
    expect(await service.refuse(ada, remove, { message_id: id })).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'emoji_name',
    });
    const others: readonly Params[] = [
      { emoji_name: 'heart' },
      { emoji_code: '2764' },
      { emoji_name: 'tada', emoji_code: '2764' },
      { emoji_name: 'tada', reaction_type: 'realm_emoji' },
    ];
    for (const other of others) {
      expect(await service.refuse(ada, remove, { message_id: id, ...other })).toMatchObject(bad);
    }
    expect(await service.refuse(ben, remove, { message_id: id, emoji_name: 'tada' })).toMatchObject(
      bad,
    );
  });
});

describe('who may react, and who is told', () => {
  const tada = { emoji_name: 'tada' };
  const everybody = [ada, ben, cleo, gus, echoBot];

  async function listen(): Promise<readonly TestQueue[]> {
    return Promise.all(
      everybody.map((who) => service.register(who, { event_types: ['reaction'] })),
    );
  }

  async function heardBy(queues: readonly TestQueue[]) {
    const heard: Record<string, unknown[]> = {};
    for (const queue of queues) {
      const events = await queue.now();
      if (events.length > 0) heard[queue.who] = events.map(({ id: _, ...event }) => event);
    }
    return heard;
  }

  test('a message in a private stream, its deletion and its absence look the same', async () => {
    const hidden = await service.say(ada, 'leads', 'secret');
    const texts = await Promise.all(
      [add, remove].flatMap((endpoint) =>
        [hidden, 999_999].map(
          async (id) => (await service.refuse(cleo, endpoint, { message_id: id, ...tada })).msg,
        ),
      ),
    );
    expect(new Set(texts).size).toBe(1);
  });

  test('the participants of a private conversation are told, and nobody else [reactions.participants-private-conversation]', async () => {
    const id = await service.tell(ada, [ben]);
    const queues = await listen();
    await service.ask(ben, add, { message_id: id, ...tada });
    const event = { type: 'reaction', message_id: id, ...reaction(ben, 'tada', '1f389') };
    const added = { ...event, op: 'add' };
    expect(await heardBy(queues)).toEqual({ [ada]: [added], [ben]: [added] });
    await service.refuse(cleo, add, { message_id: id, ...tada });
    await service.ask(ben, remove, { message_id: id, ...tada });
    const removed = { ...event, op: 'remove' };
    expect(await heardBy(queues)).toEqual({ [ada]: [removed], [ben]: [removed] });
  });

  test('who holds no copy of a public message gets one, which is read, and is told from then on', async () => {
    const id = await service.say(ada, 'engineering', 'history');
    const queues = await listen();
    expect((await service.read(cleo, id, { narrow: [['stream', 'engineering']] }))?.flags).toEqual([
      'read',
      'historical',
    ]);
    expect(await service.read(cleo, id)).toBeUndefined();
    const added = await service.rowsAdded(() =>
      service.ask(cleo, add, { message_id: id, ...tada }),
    );
    expect(added).toEqual({ reaction: 1, message_flag: 1, event: 1 });
    expect((await service.read(cleo, id))?.flags).toEqual(['read', 'historical']);
    expect(Object.keys(await heardBy(queues)).sort()).toEqual([ada, ben, cleo]);
    await service.ask(ben, add, { message_id: id, ...tada });
    expect(Object.keys(await heardBy(queues)).sort()).toEqual([ada, ben, cleo]);
    await service.ask(cleo, remove, { message_id: id, ...tada });
    expect(Object.keys(await heardBy(queues)).sort()).toEqual([ada, ben, cleo]);
    expect((await service.read(cleo, id))?.flags).toEqual(['read', 'historical']);
  });

  test('who holds the message keeps it as it is', async () => {
    const id = await service.say(ada, 'engineering', 'unread');
    const added = await service.rowsAdded(() => service.ask(ben, add, { message_id: id, ...tada }));
    expect(added).toEqual({ reaction: 1, event: 1 });
    expect((await service.read(ben, id))?.flags).toEqual([]);
  });

  test('a guest reacts in a stream of theirs, and to nothing of another', async () => {
    const general = await service.say(ada, 'general', 'all');
    await service.ask(gus, add, { message_id: general, ...tada });
    const other = await service.say(ada, 'engineering', 'not all');
    expect(await service.refuse(gus, add, { message_id: other, ...tada })).toMatchObject(bad);
  });

  test('a bot reacts', async () => {
    const id = await service.say(ada, 'engineering', 'bot');
    await service.ask(echoBot, add, { message_id: id, ...tada });
    expect((await reactionsOf(ada, id))?.map((each) => each.user_id)).toEqual([idOf[echoBot]]);
  });

  test('a queue that reads a message late gets it without reactions, and then the reaction', async () => {
    const queue = await service.register(ben, { event_types: ['message', 'reaction'] });
    const id = await service.say(ada, 'engineering', 'late');
    await service.ask(ada, add, { message_id: id, ...tada });
    const [message, added] = await queue.now();
    expect(message).toMatchObject({ type: 'message', message: { id, reactions: [] } });
    expect(added).toMatchObject({ type: 'reaction', op: 'add', message_id: id });
  });
});
