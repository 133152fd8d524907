import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { subscribe, subscriptions, list, topics } = api.streams;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const named = (...names: readonly string[]) => ({ subscriptions: names.map((name) => ({ name })) });

async function findStream(name: string) {
  const { streams } = await service.ask(ada, list, { include_all_active: true });
  const found = streams.find((stream) => stream.name === name);
  if (found === undefined) throw new Error(`no stream ${name}`);
  return found;
}

async function namesOf(who: string): Promise<string[]> {
  const answer = await service.ask(who, subscriptions);
  return answer.subscriptions.map((subscription) => subscription.name);
}

describe('subscribing', () => {
  test('a stream that is missing is created, and subscribing again changes nothing [streams.missing-created-subscribing]', async () => {
    const first = await service.ask(ada, subscribe, {
      subscriptions: [{ name: '  Ops  ', description: 'Run *it*\nand keep it running' }],
    });
    expect(first).toEqual({ subscribed: { [ada]: ['Ops'] }, already_subscribed: {} });
    expect(await findStream('Ops')).toMatchObject({
      description: 'Run *it* and keep it running',
      rendered_description: '<p>Run <em>it</em> and keep it running</p>',
      invite_only: false,
      is_announcement_only: false,
      history_public_to_subscribers: true,
      first_message_id: null,
    });
    const before = service.dump();
    const second = await service.ask(ada, subscribe, named('OPS'));
    expect(second).toEqual({ subscribed: {}, already_subscribed: { [ada]: ['Ops'] } });
    expect(service.dump()).toEqual(before);
  });

  test('an existing stream is joined under its own name [streams.existing-joined-name]', async () => {
    const answer = await service.ask(
      cleo,
      subscribe,
      named('Engineering', 'engineering', 'GENERAL'),
    );
    expect(answer).toEqual({
      subscribed: { [cleo]: ['engineering'] },
      already_subscribed: { [cleo]: ['general'] },
    });
  });

  test('the rows of one new stream with two members', async () => {
    const added = await service.rowsAdded(() =>
      service.join(ada, ['rows'], { principals: [ada, ben] }),
    );
    // create, occupy, and for each member one event to itself and one to the others.
    expect(added).toEqual({
      ...{ recipient: 1, stream: 1, membership: 2, stream_setting: 2, event: 6 },
      audit_entry: 1,
    });
  });

  test('principals are addresses or ids, without case, each counted once [streams.principals-addresses-ids]', async () => {
    const answer = await service.ask(ada, subscribe, {
      ...named('principals'),
      principals: [ben, 'CLEO@example.com', idOf[gus], idOf[ben]],
    });
    expect(answer.subscribed).toEqual({
      [ben]: ['principals'],
      [cleo]: ['principals'],
      [gus]: ['principals'],
    });
    expect(await namesOf(ada)).not.toContain('principals');
  });

  test.each<[string, Params, boolean, boolean]>([
    ['public', {}, false, true],
    [
      'public, with history said to be closed',
      { history_public_to_subscribers: false },
      false,
      true,
    ],
    ['private', { invite_only: true }, true, false],
    [
      'private, with open history',
      { invite_only: true, history_public_to_subscribers: true },
      true,
      true,
    ],
    [
      'private, with no word about history',
      { invite_only: 'True', history_public_to_subscribers: 'null' },
      true,
      false,
    ],
  ])(
    'a new stream that is %s [streams.subscribing-new]',
    async (name, params, isPrivate, isOpen) => {
      const short = `kind ${name}`.slice(0, 60);
      await service.join(ben, [short], params);
      expect(await findStream(short)).toMatchObject({
        invite_only: isPrivate,
        history_public_to_subscribers: isOpen,
        is_web_public: false,
      });
    },
  );

  test('colours are accepted in four forms and listed in one; a missing one is not used yet [streams.colours-accepted-four]', async () => {
    await service.ask(cleo, subscribe, {
      subscriptions: [
        { name: 'c1', color: '#AbC' },
        { name: 'c2', color: 'a0b1c2' },
        { name: 'c3', color: '#A0B1C3' },
        { name: 'c4', color: 'f00' },
        { name: 'c5' },
        { name: 'c6' },
      ],
    });
    const answer = await service.ask(cleo, subscriptions);
    const colors = new Map(answer.subscriptions.map(({ name, color }) => [name, color]));
    expect(['c1', 'c2', 'c3', 'c4'].map((name) => colors.get(name))).toEqual([
      '#aabbcc',
      '#a0b1c2',
      '#a0b1c3',
      '#ff0000',
    ]);
    expect(new Set(colors.values()).size).toBe(colors.size);
    for (const color of colors.values()) expect(color).toMatch(/^#[0-9a-f]{6}$/);
  });

  const invalid = (varName: string): Params => ({
    code: 'REQUEST_VARIABLE_INVALID',
    var_name: varName,
  });
  const bad = { code: 'BAD_REQUEST' };

  test.each<[string, Params, Params]>([
    ['no list', {}, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscriptions' }],
    ['a list of names', { subscriptions: ['x'] }, invalid('subscriptions')],
    ['a bare name', { subscriptions: 'x' }, invalid('subscriptions')],
    [
      'an object without a name',
      { subscriptions: [{ description: 'x' }] },
      invalid('subscriptions'),
    ],
    ['a name that is a number', { subscriptions: [{ name: 7 }] }, invalid('subscriptions')],
    ['principals that are no list', { ...named('x'), principals: '{}' }, invalid('principals')],
    ['principals of another type', { ...named('x'), principals: [true] }, invalid('principals')],
    ['a flag of another type', { ...named('x'), invite_only: 'perhaps' }, invalid('invite_only')],
    ['a blank name', named('good name', '  '), bad],
    ['a name of 61 characters', named('good name', 'a'.repeat(61)), bad],
    ['a name of two lines', named('good name', 'a\nb'), bad],
    [
      'a description of 1025 characters',
      { subscriptions: [{ name: 'good name', description: 'a'.repeat(1025) }] },
      bad,
    ],
    ['a colour that is none', { subscriptions: [{ name: 'good name', color: 'red' }] }, bad],
    [
      'an unknown address',
      { ...named('good name'), principals: [ben, 'nobody@example.com'] },
      { code: 'UNAUTHORIZED_PRINCIPAL', principal: 'nobody@example.com' },
    ],
    [
      'an unknown id',
      { ...named('good name'), principals: [99] },
      { code: 'UNAUTHORIZED_PRINCIPAL', principal: 99 },
    ],
  ])(
    '%s is refused, and nothing is created [streams.refused-nothing-created]',
    async (_, params, expected) => {
      expect(await service.refuse(ada, subscribe, params)).toMatchObject(expected);
    },
  );

  test('60 characters of two code units are a name', async () => {
    await service.join(ada, ['😀'.repeat(60)]);
    expect(await namesOf(ada)).toContain('😀'.repeat(60));
  });

  test('a deactivated account is no principal [streams.deactivated-account-no]', async () => {
    const id = idOf[echoBot] ?? 0;
    service.change('UPDATE account SET is_active = 0 WHERE id = ?', id);
    try {
      const params = { ...named('general'), principals: [echoBot] };
      expect(await service.refuse(ada, subscribe, params)).toMatchObject({
        code: 'UNAUTHORIZED_PRINCIPAL',
        principal: echoBot,
      });
    } finally {
      service.change('UPDATE account SET is_active = 1 WHERE id = ?', id);
    }
  });

  test('two callers who create the same stream at once both end up in it', async () => {
    const answers = await Promise.all(
      [ada, ben, cleo, echoBot].map((who) => service.ask(who, subscribe, named('Race'))),
    );
    for (const [index, who] of [ada, ben, cleo, echoBot].entries()) {
      expect(answers[index]?.subscribed).toEqual({ [who]: ['Race'] });
    }
    expect(service.dump()['stream']?.filter((row) => row['name'] === 'Race')).toHaveLength(1);
  });

  test('settings of an earlier subscription hold again', async () => {
    await service.ask(ada, subscribe, { subscriptions: [{ name: 'again', color: '#123456' }] });
    service.change(
      `UPDATE stream_setting SET is_pinned = 1, is_muted = 1 WHERE account_id = 1
         AND stream_id = (SELECT id FROM stream WHERE name = 'again')`,
    );
    service.change(
      `UPDATE membership SET until_id = 0 WHERE account_id = 1
         AND recipient_id = (SELECT recipient_id FROM stream WHERE name = 'again')`,
    );
    expect(await namesOf(ada)).not.toContain('again');
    await service.ask(ada, subscribe, { subscriptions: [{ name: 'again', color: '#654321' }] });
    const answer = await service.ask(ada, subscriptions);
    expect(answer.subscriptions.find(({ name }) => name === 'again')).toMatchObject({
      color: '#123456',
      pin_to_top: true,
      is_muted: true,
      in_home_view: false,
    });
  });
});

describe('who may subscribe whom to what', () => {
  beforeAll(async () => {
    await service.join(ada, ['p public'], { principals: [ada, ben] });
    await service.join(ada, ['p private'], { principals: [ada, ben], invite_only: true });
  });

  const self = (name: string): Params => named(name);
  const other = (name: string): Params => ({
    ...named(name),
    principals: ['hook-bot@example.com'],
  });
  const create = (params: Params = {}): Params => ({ ...named('p new'), ...params });
  const yes = 'success';
  const no = 'NONE';
  const bad = 'BAD_REQUEST';

  test.each<[string, string, Params, string]>([
    ['a member joins a public stream', cleo, self('p public'), yes],
    ['a generic bot joins a public stream', echoBot, self('p public'), yes],
    ['a guest joins a public stream', gus, self('p public'), bad],
    ['a guest joins a stream that it is in', gus, self('general'), yes],
    ['a member joins a private stream', cleo, self('p private'), no],
    ['a guest joins a private stream', gus, self('p private'), no],
    ["a bot joins its owner's private stream", echoBot, self('p private'), no],
    ['a member joins a private stream that it is in', ben, self('p private'), yes],
    ['a guest creates a stream', gus, create(), bad],
    ['a guest creates a private stream', gus, create({ invite_only: true }), bad],
    [
      'a member creates an announcement-only stream',
      ben,
      create({ is_announcement_only: true }),
      bad,
    ],
    [
      "an administrator's bot creates an announcement-only stream",
      echoBot,
      create({ is_announcement_only: true }),
      bad,
    ],
    ['an incoming webhook bot subscribes', hookBot, self('p public'), 'UNAUTHORIZED'],
    ['a guest subscribes somebody', gus, other('general'), bad],
    [
      'a member subscribes somebody to a public stream that it is not in',
      cleo,
      other('engineering'),
      yes,
    ],
    [
      'a member subscribes somebody to a private stream that it is not in',
      cleo,
      other('p private'),
      no,
    ],
    ['a bot subscribes somebody to a private stream of its owner', echoBot, other('p private'), no],
    ['a member subscribes somebody to its own private stream', ben, other('p private'), yes],
  ])('%s: %s [streams.subscribe-whom]', async (_, who, params, expected) => {
    if (expected === yes) await service.ask(who, subscribe, params);
    else expect(await service.refuse(who, subscribe, params)).toMatchObject({ code: expected });
  });

  test('an administrator may not join a private stream of others by itself [streams.administrator-not-join]', async () => {
    await service.join(ben, ['p bens'], { invite_only: true });
    expect(await service.refuse(ada, subscribe, self('p bens'))).toMatchObject({ code: 'NONE' });
  });

  test('a private stream is refused without a code, and named [streams.private-refused-without]', async () => {
    const refusal = await service.refuse(cleo, subscribe, named('p public', 'p private'));
    expect(refusal).toEqual({ code: 'NONE', msg: expect.stringContaining('p private') });
  });

  test('unless refusals are fatal, the other subscriptions proceed and the refused ones are listed [streams.refusals-fatal-subscriptions]', async () => {
    const params = { ...named('p private', 'p fresh'), authorization_errors_fatal: false };
    expect(await service.ask(cleo, subscribe, params)).toEqual({
      subscribed: { [cleo]: ['p fresh'] },
      already_subscribed: {},
      unauthorized: ['p private'],
    });
    const guest = { ...named('engineering', 'general'), authorization_errors_fatal: false };
    expect(await service.ask(gus, subscribe, guest)).toEqual({
      subscribed: {},
      already_subscribed: { [gus]: ['general'] },
      unauthorized: ['engineering'],
    });
  });
});

describe('announcing new streams', () => {
  const newest = async () => {
    const { messages } = await service.ask(ada, api.messages.page, {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [
        ['stream', 'general'],
        ['topic', 'new streams'],
      ],
    });
    return messages[0];
  };

  test('a public stream is announced once, by a message that links it [streams.public-announced-once]', async () => {
    await service.join(ben, ['heralded'], { announce: true });
    const message = await newest();
    expect(message).toMatchObject({ subject: 'new streams', display_recipient: 'general' });
    expect(message?.content).toContain('#heralded</a>');
    await service.join(cleo, ['heralded'], { announce: true });
    expect((await newest())?.id).toBe(message?.id);
  });

  test('a stream is created even where its creator may not announce it', async () => {
    service.change("UPDATE stream SET is_announcement_only = 1 WHERE name = 'general'");
    const before = (await newest())?.id;
    const answer = await service.ask(ben, subscribe, { ...named('unsung'), announce: true });
    service.change("UPDATE stream SET is_announcement_only = 0 WHERE name = 'general'");
    expect(answer.subscribed).toEqual({ [ben]: ['unsung'] });
    expect((await newest())?.id).toBe(before);
  });

  test.each<[string, Params]>([
    ['without being asked', {}],
    ['a private stream', { announce: true, invite_only: true }],
  ])('nothing is announced: %s [streams.nothing-announced]', async (name, params) => {
    const before = (await newest())?.id;
    await service.join(ben, [`unheralded ${name}`], params);
    expect((await newest())?.id).toBe(before);
  });
});

describe('listing subscriptions', () => {
  test('a subscription has every key, and the notification keys are never null [streams.subscription-key-notification]', async () => {
    const id = await service.say(ada, 'leads', 't');
    const answer = await service.ask(ben, subscriptions);
    expect(answer.subscriptions.find(({ name }) => name === 'leads')).toEqual({
      stream_id: (await findStream('leads')).stream_id,
      name: 'leads',
      description: 'Plans',
      rendered_description: '<p>Plans</p>',
      invite_only: true,
      is_web_public: false,
      is_announcement_only: false,
      history_public_to_subscribers: false,
      first_message_id: id,
      stream_weekly_traffic: null,
      is_old_stream: false,
      email_address: '',
      color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      pin_to_top: false,
      is_muted: false,
      in_home_view: true,
      desktop_notifications: false,
      audible_notifications: false,
      push_notifications: false,
      email_notifications: false,
    });
  });

  test('subscribers are addresses, and only there when asked for [streams.subscribers-addresses-asked]', async () => {
    const answer = await service.ask(ben, subscriptions, { include_subscribers: 'true' });
    expect(answer.subscriptions.find(({ name }) => name === 'leads')?.subscribers).toEqual([
      ada,
      ben,
    ]);
    const plain = await service.ask(ben, subscriptions, { include_subscribers: false });
    for (const subscription of plain.subscriptions) {
      expect(subscription).not.toHaveProperty('subscribers');
    }
  });

  test('the traffic of a stream that is older than a week is a number', async () => {
    const stream = await findStream('engineering');
    service.change('UPDATE stream SET created_at = 0 WHERE id = ?', stream.stream_id);
    await service.say(ada, 'engineering', 't');
    const answer = await service.ask(ben, subscriptions);
    expect(answer.subscriptions.find(({ name }) => name === 'engineering')).toMatchObject({
      stream_weekly_traffic: 1,
      is_old_stream: true,
    });
  });

  test('a guest is told its own', async () => {
    expect((await namesOf(gus))[0]).toBe('general');
    expect(await namesOf(gus)).not.toContain('engineering');
  });
});

describe('listing streams', () => {
  beforeAll(async () => {
    await service.stop();
    service = await startTestService();
    await service.join(ben, ['bens'], { invite_only: true });
    await service.join(ben, ['lobby']);
    service.change("UPDATE stream SET is_default = 1 WHERE name = 'lobby'");
  });

  const no = false;
  const none = { include_public: no, include_subscribed: no };

  test.each<[string, Params, readonly string[]]>([
    [ada, {}, ['engineering', 'general', 'leads', 'lobby']],
    [ben, {}, ['bens', 'engineering', 'general', 'leads', 'lobby']],
    [cleo, {}, ['engineering', 'general', 'lobby']],
    [gus, {}, ['general']],
    [echoBot, {}, ['engineering', 'general', 'lobby']],
    [cleo, { include_public: no }, ['general']],
    [ben, { include_public: no }, ['bens', 'engineering', 'general', 'leads', 'lobby']],
    [ben, { include_subscribed: no }, ['engineering', 'general', 'lobby']],
    [gus, { include_subscribed: no }, []],
    [ada, none, []],
    [
      ada,
      { ...none, include_all_active: true },
      ['bens', 'engineering', 'general', 'leads', 'lobby'],
    ],
    [cleo, { ...none, include_default: true }, ['general', 'lobby']],
    [gus, { include_default: true }, ['general']],
    [echoBot, { include_owner_subscribed: true }, ['engineering', 'general', 'leads', 'lobby']],
    [echoBot, { ...none, include_owner_subscribed: true }, ['engineering', 'general', 'leads']],
    [ben, { ...none, include_owner_subscribed: true }, []],
    [cleo, { include_public: '', include_subscribed: 'null' }, ['engineering', 'general', 'lobby']],
  ])('%s, %j: %j [streams.listing-arguments]', async (who, params, expected) => {
    const { streams } = await service.ask(who, list, params);
    expect(streams.map((stream) => stream.name)).toEqual(expected);
  });

  test.each([ben, gus, echoBot])(
    '%s may not list all streams [streams.listing-all-refused]',
    async (who) => {
      const refusal = await service.refuse(who, list, { include_all_active: true });
      expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  test('whether a stream is a default one is told only when asked for [streams.default-asked]', async () => {
    const asked = await service.ask(cleo, list, { include_default: true });
    expect(asked.streams.map((stream) => [stream.name, stream.is_default])).toEqual([
      ['engineering', false],
      ['general', true],
      ['lobby', true],
    ]);
    const plain = await service.ask(cleo, list);
    for (const stream of plain.streams) expect(stream).not.toHaveProperty('is_default');
  });
});

describe('listing topics', () => {
  let ids: readonly number[];

  beforeAll(async () => {
    await service.join(ben, ['t open'], { principals: [ben, gus] });
    await service.join(ben, ['t closed'], { invite_only: true });
    ids = [
      await service.say(ben, 't open', 'Old'),
      await service.say(ben, 't open', 'deploy'),
      await service.say(ben, 't open', 'Other'),
      await service.say(ben, 't open', 'DEPLOY'),
      await service.say(ben, 't closed', 'early'),
    ];
    await service.join(ben, ['t closed'], { principals: [cleo] });
    ids = [...ids, await service.say(ben, 't closed', 'late')];
  });

  const topicsOf = async (who: string, stream: string) => {
    const { stream_id } = await findStream(stream);
    const answer = await service.ask(who, topics, { stream_id });
    return answer.topics.map(({ name, max_id }) => `${name} ${ids.indexOf(max_id)}`);
  };

  test('each topic once, newest first, spelled as in its newest message [streams.topic-once-newest]', async () => {
    for (const who of [ada, ben, cleo, gus, echoBot]) {
      expect(await topicsOf(who, 't open')).toEqual(['DEPLOY 3', 'Other 2', 'Old 0']);
    }
  });

  test('without open history only topics of what the account holds are listed [streams.without-open-history]', async () => {
    expect(await topicsOf(ben, 't closed')).toEqual(['late 5', 'early 4']);
    expect(await topicsOf(cleo, 't closed')).toEqual(['late 5']);
    expect(await topicsOf(ada, 't closed')).toEqual([]);
  });

  test('a stream without messages has no topics', async () => {
    expect(await topicsOf(ada, 'leads')).toEqual([]);
  });

  test('an id that is unknown, hidden or archived is refused in the same words', async () => {
    const closed = await findStream('t closed');
    const refusals = [
      await service.refuse(echoBot, topics, { stream_id: closed.stream_id }),
      await service.refuse(gus, topics, { stream_id: (await findStream('engineering')).stream_id }),
      await service.refuse(ada, topics, { stream_id: 9999 }),
    ];
    service.change('UPDATE stream SET is_archived = 1 WHERE id = ?', closed.stream_id);
    refusals.push(await service.refuse(ben, topics, { stream_id: closed.stream_id }));
    for (const refusal of refusals) {
      expect(refusal).toEqual({ code: 'BAD_REQUEST', msg: refusals[0]?.msg });
    }
  });

  test('an id beyond the integers is refused', async () => {
    const params = { stream_id: '99999999999999999999' };
    expect(await service.refuse(ada, topics, params)).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'stream_id',
    });
  });
});
