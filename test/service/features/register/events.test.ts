import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  describeEvent,
  echoBot,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestQueue,
  type TestService,
} from '#test/support/service/api.ts';

const { register } = api.events;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const everybody = [ada, ben, cleo, gus, echoBot];

/** What a piece of work makes each account hear; those that hear nothing are left out. */
async function heardOf(
  work: () => Promise<unknown>,
  params: Params = {},
): Promise<Record<string, readonly string[]>> {
  const queues = await Promise.all(everybody.map((who) => service.register(who, params)));
  await work();
  const heard = await Promise.all(
    queues.map(async (queue) => [queue.who, await queue.heard()] as const),
  );
  await Promise.all(
    queues.map((queue) => service.ask(queue.who, api.events.deleteQueue, { queue_id: queue.id })),
  );
  return Object.fromEntries(heard.filter(([, events]) => events.length > 0));
}

test('new messages name their sender, their conversation and the links of their topic as these are by then', async () => {
  const queue = await service.register(cleo, { event_types: ['message'] });
  const told = async () => {
    await service.say(ben, 'general', 'fixes #7');
    await service.tell(ben, [cleo]);
    const events = (await queue.now()) as unknown as readonly {
      readonly message: Readonly<Record<string, unknown>>;
    }[];
    return events.map(({ message }) => [
      message['sender_full_name'],
      message['subject_links'],
      message['type'] === 'private'
        ? (message['display_recipient'] as readonly { full_name: string }[]).map(
            (each) => each.full_name,
          )
        : message['display_recipient'],
    ]);
  };
  const before = [
    ['Ben Member', [], 'general'],
    ['Ben Member', [], ['Ben Member', 'Cleo Member']],
  ];
  expect([await told(), await told()]).toEqual([before, before]);
  const issue = { pattern: '#(?P<id>[0-9]+)', url_format_string: 'https://t.test/%(id)s' };
  const { id } = await service.ask(ada, api.linkifiers.add, issue);
  await service.ask(ben, api.settings.update, { full_name: 'Ben Newman' });
  const after = [
    ['Ben Newman', ['https://t.test/7'], 'general'],
    ['Ben Newman', [], ['Ben Newman', 'Cleo Member']],
  ];
  expect([await told(), await told()]).toEqual([after, after]);
  await service.ask(ada, api.linkifiers.remove, { filter_id: id });
  await service.ask(ben, api.settings.update, { full_name: 'Ben Member' });
  expect(await told()).toEqual(before);
  await service.ask(cleo, api.events.deleteQueue, { queue_id: queue.id });
});

describe('who hears of a subscription', () => {
  test('a new public stream: members of its creation, its subscribers of themselves [events.new-public-stream]', async () => {
    const created = ['create pub', 'occupy pub'];
    expect(await heardOf(() => service.join(ada, ['pub'], { principals: [cleo, gus] }))).toEqual({
      [ada]: [...created, 'peer 3 pub', 'peer 4 pub'],
      [ben]: [...created, 'peer 3 pub', 'peer 4 pub'],
      [cleo]: [...created, 'joined pub', 'peer 4 pub'],
      [gus]: ['joined pub'],
      [echoBot]: [...created, 'peer 3 pub', 'peer 4 pub'],
    });
  });

  test('joining a public stream: nobody hears of a creation, and guests not of peers', async () => {
    expect(await heardOf(() => service.join(ben, ['pub']))).toEqual({
      [ada]: ['peer 2 pub'],
      [ben]: ['joined pub'],
      [cleo]: ['peer 2 pub'],
      [echoBot]: ['peer 2 pub'],
    });
  });

  test('a new private stream: its subscribers and the administrators [events.new-private-stream]', async () => {
    const params = { principals: [ben, gus], invite_only: true };
    expect(await heardOf(() => service.join(ben, ['priv'], params))).toEqual({
      [ada]: ['create priv', 'peer 2 priv', 'peer 4 priv'],
      [ben]: ['create priv', 'joined priv', 'peer 4 priv'],
      [gus]: ['create priv', 'joined priv', 'peer 2 priv'],
    });
  });

  test('coming into a private stream: its subscribers and the administrators [events.coming-private-stream]', async () => {
    const params = { principals: [cleo] };
    expect(await heardOf(() => service.join(ben, ['priv'], params))).toEqual({
      [ada]: ['peer 3 priv'],
      [ben]: ['peer 3 priv'],
      [cleo]: ['joined priv'],
      [gus]: ['peer 3 priv'],
    });
  });

  test('several streams at once: one event for each account that joined', async () => {
    expect(await heardOf(() => service.join(cleo, ['pub', 'many a', 'many b']))).toMatchObject({
      [cleo]: [
        'create many a',
        'occupy many a',
        'create many b',
        'occupy many b',
        'joined many a,many b',
      ],
    });
  });

  test('subscribing again: nobody', async () => {
    expect(await heardOf(() => service.join(cleo, ['pub']))).toEqual({});
  });

  test('the first subscriber of a stream that all have left: members [events.first-subscriber-stream]', async () => {
    await service.join(ada, ['empty']);
    service.change(
      `UPDATE membership SET until_id = 0 WHERE account_id = 1
         AND recipient_id = (SELECT recipient_id FROM stream WHERE name = 'empty')`,
    );
    expect(await heardOf(() => service.join(ada, ['empty']))).toEqual({
      [ada]: ['occupy empty', 'joined empty'],
      [ben]: ['occupy empty', 'peer 1 empty'],
      [cleo]: ['occupy empty', 'peer 1 empty'],
      [echoBot]: ['occupy empty', 'peer 1 empty'],
    });
  });

  test('an announcement is one message more', async () => {
    const heard = await heardOf(() => service.join(ben, ['loud'], { announce: true }));
    expect(heard[gus]).toEqual([expect.stringMatching(/^message/)]);
    expect(heard[cleo]).toEqual([
      'create loud',
      'occupy loud',
      'peer 2 loud',
      expect.stringMatching(/^message/),
    ]);
  });
});

describe('events of subscriptions', () => {
  const only = async (who: string, params: Params, work: () => Promise<unknown>) => {
    const queue = await service.register(who, params);
    await work();
    const events = await queue.now();
    return (type: string) => events.find((event) => describeEvent(event).startsWith(type));
  };

  test('a subscription is told as /register tells it [events.subscription-register]', async () => {
    const find = await only(cleo, {}, () => service.join(cleo, ['told']));
    const state = await service.ask(cleo, register, { fetch_event_types: ['subscription'] });
    const subscriptions = state['subscriptions'] as readonly { readonly name: string }[];
    const expected = subscriptions.find(({ name }) => name === 'told');
    expect(expected).toBeDefined();
    expect(find('joined')).toEqual({
      id: expect.any(Number),
      type: 'subscription',
      op: 'add',
      subscriptions: [expected],
    });
    expect(expected).not.toHaveProperty('subscribers');
  });

  test('subscribers are ids, for a queue that asked for them [events.subscribers-ids-queue]', async () => {
    const params = { include_subscribers: true };
    const find = await only(cleo, params, () =>
      service.join(ada, ['asked'], { principals: [ben, cleo] }),
    );
    expect(find('joined')).toMatchObject({ subscriptions: [{ subscribers: [2, 3] }] });
  });

  test('a peer names one stream and one account, in old and new keys [events.peer-names-stream]', async () => {
    const find = await only(ada, {}, () => service.join(ben, ['peered']));
    const created = find('create');
    const streams = created?.type === 'stream' && 'streams' in created ? created.streams : [];
    const streamId = streams[0]?.stream_id ?? 0;
    expect(find('peer')).toEqual({
      id: expect.any(Number),
      type: 'subscription',
      op: 'peer_add',
      stream_id: streamId,
      user_id: 2,
      stream_ids: [streamId],
      user_ids: [2],
      subscriptions: ['peered'],
    });
  });

  test('a stream is told with everything that /register knows of it [events.stream-everything-register]', async () => {
    const find = await only(ada, {}, () =>
      service.ask(ben, api.streams.subscribe, {
        subscriptions: [{ name: 'described', description: 'What *for*' }],
      }),
    );
    for (const op of ['create', 'occupy']) {
      expect(find(op)).toMatchObject({
        type: 'stream',
        op,
        streams: [
          {
            name: 'described',
            description: 'What *for*',
            rendered_description: '<p>What <em>for</em></p>',
            invite_only: false,
            first_message_id: null,
            stream_weekly_traffic: null,
            is_old_stream: false,
          },
        ],
      });
    }
  });
});

describe('events of accounts', () => {
  const account = { password: 'correct horse', full_name: 'Nina New' };

  test('everybody hears of a new account, and members of its default streams [events.everybody-hears-new]', async () => {
    const email = 'nina@example.com';
    const heard = await heardOf(() => service.ask(ada, api.users.create, { ...account, email }));
    const { members } = await service.ask(ada, api.users.list);
    const id = members.find((member) => member.email === email)?.user_id;
    const told = [`user ${email}`, `peer ${id} general`];
    expect(heard).toEqual({
      [ada]: told,
      [ben]: told,
      [cleo]: told,
      [gus]: told.slice(0, 1),
      [echoBot]: told,
    });
  });

  test('a person is told as /register tells it, with the gravatar as the queue wants it [events.person-register-gravatar]', async () => {
    const queues = await Promise.all(
      [true, false].map((gravatar) => service.register(gus, { client_gravatar: gravatar })),
    );
    const email = 'otto@example.com';
    await service.ask(ada, api.users.create, { ...account, email });
    for (const [index, queue] of queues.entries()) {
      const state = await service.ask(gus, register, {
        fetch_event_types: ['realm_user'],
        client_gravatar: index === 0,
      });
      const users = state['realm_users'] as readonly { readonly email: string }[];
      const person = users.find((user) => user.email === email);
      expect(await queue.now()).toEqual([
        { id: expect.any(Number), type: 'realm_user', op: 'add', person },
      ]);
    }
  });

  test('a new account can listen and is heard at once', async () => {
    const email = 'pia@example.com';
    await service.ask(ada, api.users.create, { ...account, email });
    const queue = await service.register(email);
    const id = await service.say(email, 'general', 'hello');
    expect(await queue.heard()).toEqual([`message ${id}`]);
  });
});

describe('who hears of a message', () => {
  test.each<[string, () => Promise<number>, readonly string[]]>([
    ['in a stream with everybody', () => service.say(ada, 'general', 't'), everybody],
    ['in a public stream', () => service.say(ada, 'engineering', 't'), [ada, ben]],
    ['from outside of a public stream', () => service.say(cleo, 'engineering', 't'), [ada, ben]],
    ['in a private stream', () => service.say(ben, 'leads', 't'), [ada, ben]],
    [
      "from a bot in its owner's private stream",
      () => service.say(echoBot, 'leads', 't'),
      [ada, ben],
    ],
    ['between two', () => service.tell(gus, [cleo]), [cleo, gus]],
    ['among three', () => service.tell(gus, [cleo, echoBot]), [cleo, gus, echoBot]],
    ['to oneself', () => service.tell(ben, [ben]), [ben]],
  ])('%s [events.who-hears-message]', async (_, send, holders) => {
    let id = 0;
    const heard = await heardOf(async () => {
      id = await send();
    });
    expect(heard).toEqual(Object.fromEntries(holders.map((who) => [who, [`message ${id}`]])));
  });

  test('who joined hears what follows, and not what came before', async () => {
    const queue = await service.register(cleo, { event_types: ['message'] });
    await service.join(ada, ['late']);
    await service.say(ada, 'late', 'early');
    await service.join(cleo, ['late']);
    const id = await service.say(ada, 'late', 'late');
    expect(await queue.heard()).toEqual([`message ${id}`]);
  });

  test('a refused message is heard by nobody', async () => {
    const params = { type: 'stream', to: 'leads', topic: 't', content: 'x' };
    expect(await heardOf(() => service.refuse(cleo, api.messages.send, params))).toEqual({});
  });
});

describe('a message in an event', () => {
  const variants = [true, false].flatMap((markdown) =>
    [true, false].flatMap((gravatar) =>
      [true, false].map((source) => ({
        apply_markdown: markdown,
        client_gravatar: gravatar,
        with_source: source,
      })),
    ),
  );

  test.each(variants)(
    'a message in an event is as GET /messages has it, without flags: %j [events.message-get-messages]',
    async (options) => {
      const queue = await service.register(ben, options);
      const ids = [
        await service.say(ada, 'general', 'https://example.com', '/me **waves**'),
        await service.tell(gus, [ben, cleo], '**b**'),
      ];
      const events = await queue.now();
      expect(events).toHaveLength(2);
      for (const [index, event] of events.entries()) {
        const message = await service.read(ben, ids[index] ?? 0, options);
        const { flags, is_held: _, ...rest } = message ?? { flags: undefined, is_held: undefined };
        expect(event).toEqual({ id: event.id, type: 'message', message: rest, flags });
      }
    },
  );

  test('a message in an event is raw unless the queue asked for HTML [events.message-raw-queue]', async () => {
    const queue = await service.register(ben);
    await service.tell(ada, [ben], '**b**');
    expect(await queue.now()).toMatchObject([
      { message: { content: '**b**', content_type: 'text/x-markdown' } },
    ]);
  });

  test.each<[string, string, string, readonly string[]]>([
    ['the sender', ada, 'x', ['read']],
    ['a sender that is a bot', echoBot, 'x', ['read']],
    ['somebody else', ben, 'x', []],
    ['somebody who is mentioned', ben, '@**Ben Member**', ['mentioned']],
    ['everybody', gus, '@**all**', ['wildcard_mentioned']],
    ['the sender of a wildcard', ada, '@**all**', ['read', 'wildcard_mentioned']],
  ])(
    'a message event has the flags of %s [events.message-flags]',
    async (_, who, content, flags) => {
      const queue = await service.register(who);
      await service.say(who === echoBot ? echoBot : ada, 'general', 'flags', content);
      expect(await queue.now()).toMatchObject([{ type: 'message', flags }]);
    },
  );

  test('a message event carries the local id only in the queue that the sender named [events.message-carries-local]', async () => {
    const [first, second] = await Promise.all([service.register(ada), service.register(ada)]);
    const other = await service.register(ben);
    await service.ask(ada, api.messages.send, {
      type: 'private',
      to: [ben],
      content: 'x',
      queue_id: first.id,
      local_id: '17.01"\n',
    });
    expect(await first.now()).toMatchObject([{ local_message_id: '17.01"\n' }]);
    for (const queue of [second, other]) {
      const [event] = await queue.now();
      expect(event?.type).toBe('message');
      expect(event).not.toHaveProperty('local_message_id');
    }
  });

  test.each<Params>([{ queue_id: '1:2', local_id: '7' }, { local_id: '7' }])(
    'a message event carries no local id for %j',
    async (more) => {
      const queue = await service.register(ada);
      const params = { type: 'private', to: [ben], content: 'x', ...more };
      await service.ask(ada, api.messages.send, params);
      const [event] = await queue.now();
      expect(event?.type).toBe('message');
      expect(event).not.toHaveProperty('local_message_id');
    },
  );
});

describe('what a queue takes', () => {
  test.each<[unknown, readonly string[]]>([
    [undefined, ['create T', 'occupy T', 'joined T', 'message']],
    ['null', ['create T', 'occupy T', 'joined T', 'message']],
    [['message'], ['message']],
    [['subscription'], ['joined T']],
    [
      ['stream', 'nonsense'],
      ['create T', 'occupy T'],
    ],
    ['message,stream', ['create T', 'occupy T', 'message']],
    [['realm_user'], []],
    [[], []],
  ])('event types %j [events.queue-types]', async (types, expected) => {
    const name = `types ${types === undefined ? 'absent' : JSON.stringify(types)}`;
    const queue = await service.register(cleo, { event_types: types });
    await service.join(cleo, [name]);
    await service.say(cleo, name, 't');
    const heard = (await queue.heard()).map((event) =>
      event.startsWith('message') ? 'message' : event.replace(name, 'T'),
    );
    expect(heard).toEqual(expected);
  });

  describe('from all public streams', () => {
    let queue: TestQueue;
    const listen = async (who: string, more: Params = {}): Promise<void> => {
      queue = await service.register(who, { all_public_streams: true, ...more });
    };

    test('a member hears what it does not hold, without flags [events.member-hears-not]', async () => {
      await listen(cleo);
      const id = await service.say(ada, 'engineering', 't', '@**all** @**Cleo Member**');
      const [event, ...rest] = await queue.now();
      expect(rest).toEqual([]);
      expect(event).toMatchObject({ type: 'message', message: { id }, flags: [] });
    });

    test('what it sends from outside of a stream has no flags either', async () => {
      await listen(cleo);
      await service.say(cleo, 'engineering', 't');
      expect(await queue.now()).toMatchObject([{ type: 'message', flags: [] }]);
    });

    test('what it holds has its flags', async () => {
      await listen(cleo);
      await service.say(ada, 'general', 't', '@**Cleo Member**');
      expect(await queue.now()).toMatchObject([{ type: 'message', flags: ['mentioned'] }]);
    });

    test('nothing of private streams and of private messages of others [events.nothing-private-streams]', async () => {
      await listen(echoBot);
      await service.say(ada, 'leads', 't');
      await service.tell(ada, [ben]);
      const id = await service.say(ada, 'engineering', 't');
      expect(await queue.heard()).toEqual([`message ${id}`]);
    });

    test('a guest may not ask for it [events.guest-all-streams-refused]', async () => {
      const refusal = await service.refuse(gus, register, { all_public_streams: true });
      expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    });

    test('a waiting fetch wakes for it', async () => {
      await listen(cleo);
      const waiting = queue.poll();
      await service.arrived();
      const id = await service.say(ada, 'engineering', 't');
      expect((await waiting).map(describeEvent)).toEqual([`message ${id}`]);
    });
  });

  describe('by a narrow', () => {
    /** Sent while the queue of each row listens. */
    const sent: readonly [string, () => Promise<number>][] = [
      ['deploy', () => service.say(ada, 'engineering', 'Deploy')],
      ['other', () => service.say(ben, 'engineering', 'other')],
      ['general', () => service.say(ben, 'general', 'deploy', '@**Cleo Member**')],
      ['own', () => service.say(cleo, 'general', 'mine')],
      ['secret', () => service.say(ada, 'leads', 'deploy')],
      ['private', () => service.tell(ben, [cleo])],
      ['elsewhere', () => service.tell(ben, [gus])],
    ];

    test.each<[string, unknown, readonly string[]]>([
      ['none', [], ['general', 'own', 'private']],
      ['pairs', [['stream', 'engineering']], ['deploy', 'other']],
      ['a flat pair', ['stream', 'Engineering'], ['deploy', 'other']],
      ['objects', [{ operator: 'stream', operand: 'engineering' }], ['deploy', 'other']],
      [
        'pairs and objects',
        [['stream', 'engineering'], { operator: 'topic', operand: 'DEPLOY' }],
        ['deploy'],
      ],
      ['a topic', [['topic', 'deploy']], ['deploy', 'general']],
      ['a sender', [['sender', 'BEN@example.com']], ['other', 'general', 'private']],
      ['private messages', ['is', 'private'], ['private']],
      ['mentions', [['is', 'mentioned']], ['general']],
      [
        'unread',
        [
          ['IS', 'Unread'],
          ['stream', 'general'],
        ],
        ['general'],
      ],
      ['starred', [['is', 'starred']], []],
      ['alerted', [['is', 'alerted']], []],
      ['a private stream of others', [['stream', 'leads']], []],
      ['an unknown stream', [['stream', 'nowhere']], []],
    ])('%s [events.narrow-filters]', async (_, narrow, expected) => {
      const queue = await service.register(cleo, { narrow });
      const names = new Map<string, string>();
      for (const [name, send] of sent) names.set(`message ${await send()}`, name);
      expect((await queue.heard()).map((event) => names.get(event))).toEqual(expected);
    });

    test('only messages are filtered [events.messages-filtered]', async () => {
      const queue = await service.register(cleo, { narrow: [['stream', 'nowhere']] });
      await service.join(cleo, ['unfiltered']);
      expect(await queue.heard()).toEqual([
        'create unfiltered',
        'occupy unfiltered',
        'joined unfiltered',
      ]);
    });

    test('a guest hears nothing of public streams that it is not in', async () => {
      const queue = await service.register(gus, { narrow: [['stream', 'engineering']] });
      await service.say(ada, 'engineering', 't');
      expect(await queue.heard()).toEqual([]);
    });

    test.each<[string, unknown, Params]>([
      ['an operator that queues lack', [['has', 'link']], { code: 'BAD_REQUEST' }],
      ['another one', [['pm-with', ben]], { code: 'BAD_REQUEST' }],
      ['full-text search', ['search', 'word'], { code: 'BAD_REQUEST' }],
      ['an unknown operand of is', [['is', 'green']], { code: 'BAD_REQUEST' }],
      ['a string', '"stream"', { code: 'REQUEST_VARIABLE_INVALID', var_name: 'narrow' }],
      ['three strings', ['a', 'b', 'c'], { code: 'REQUEST_VARIABLE_INVALID', var_name: 'narrow' }],
      ['numbers', [['stream', 1]], { code: 'REQUEST_VARIABLE_INVALID', var_name: 'narrow' }],
    ])('%s is refused [events.narrow-refused]', async (_, narrow, expected) => {
      expect(await service.refuse(cleo, register, { narrow })).toMatchObject(expected);
    });
  });

  describe('by the defaults of a bot', () => {
    const setDefaults = (allPublicStreams: number, stream: string | null): void => {
      service.change(
        `UPDATE account SET default_all_public_streams = ?, default_events_register_stream_id =
           (SELECT id FROM stream WHERE name = ?) WHERE id = ?`,
        allPublicStreams,
        stream ?? '',
        idOf[echoBot] ?? 0,
      );
    };

    test('all public streams where the call does not say', async () => {
      setDefaults(1, null);
      const [silent, refusing] = await Promise.all([
        service.register(echoBot),
        service.register(echoBot, { all_public_streams: false }),
      ]);
      setDefaults(0, null);
      const id = await service.say(ada, 'engineering', 't');
      expect(await silent.heard()).toEqual([`message ${id}`]);
      expect(await refusing.heard()).toEqual([]);
    });

    test('a stream where the call has no narrow', async () => {
      setDefaults(0, 'engineering');
      const [silent, narrowed] = await Promise.all([
        service.register(echoBot),
        service.register(echoBot, { narrow: ['stream', 'general'] }),
      ]);
      setDefaults(0, null);
      const first = await service.say(ada, 'engineering', 't');
      const second = await service.say(ada, 'general', 't');
      expect(await silent.heard()).toEqual([`message ${first}`]);
      expect(await narrowed.heard()).toEqual([`message ${second}`]);
    });
  });
});
