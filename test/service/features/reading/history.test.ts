import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
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

const { page } = api.messages;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const idsOf = (messages: readonly { readonly id: number }[]): number[] =>
  messages.map(({ id }) => id);

describe('a page around an anchor', () => {
  /** Ids of the three messages of the narrow, with gaps of other messages between and around them. */
  let ids: readonly [number, number, number];
  let gaps: readonly [number, number, number, number];
  const narrow = [['topic', 'edges']];

  beforeAll(async () => {
    const gap = (): Promise<number> => service.say(ada, 'general', 'gap');
    const edge = (): Promise<number> => service.say(ada, 'general', 'edges');
    const before = await gap();
    const first = await edge();
    const between = await gap();
    const second = await edge();
    const after = await gap();
    const third = await edge();
    ids = [first, second, third];
    gaps = [before, between, after, await gap()];
  });

  /** 10, 20 and 30 stand for the three ids, 5 and 25 for ids between them that the narrow lacks. */
  const real = (id: number): number =>
    new Map([
      [10, ids[0]],
      [20, ids[1]],
      [30, ids[2]],
      [5, gaps[0]],
      [15, gaps[1]],
      [25, gaps[2]],
      [35, gaps[3]],
    ]).get(id) ?? id;

  test.each<[number, string, number[], boolean, boolean, boolean]>([
    [20, '1/1', [10, 20, 30], true, true, true],
    [25, '1/1', [20, 30], false, false, true],
    [20, '0/0', [20], true, false, false],
    [10_000_000_000_000_000, '2/5', [20, 30], false, false, true],
    [1_000_000_000, '2/0', [20, 30], false, false, true],
    [0, '5/2', [10, 20], false, true, false],
    [5, '0/0', [], false, true, false],
    [35, '0/0', [], false, false, true],
    [20, '1/0', [10, 20], true, true, false],
    [20, '0/1', [20, 30], true, false, true],
    [10, '0/0', [10], true, true, false],
    [30, '0/0', [30], true, false, true],
    [15, '1/0', [10], false, true, false],
    [0, '0/0', [], false, true, false],
    [10_000_000_000_000_000, '0/0', [], false, false, true],
    [30, '5000/0', [10, 20, 30], true, true, true],
    [10, '0/5000', [10, 20, 30], true, true, true],
  ])(
    'anchor %i, %s: %j, found %s, oldest %s, newest %s [history.anchor-found-oldest]',
    async (anchor, counts, expected, ...found) => {
      const [before, after] = counts.split('/').map(Number);
      const answer = await service.ask(ada, page, {
        anchor: real(anchor),
        num_before: before,
        num_after: after,
        narrow,
      });
      expect(idsOf(answer.messages)).toEqual(expected.map(real));
      expect([answer.found_anchor, answer.found_oldest, answer.found_newest]).toEqual(found);
      expect(answer.anchor).toBe(real(anchor));
      expect(answer.history_limited).toBe(false);
    },
  );

  test.each<[unknown, number]>([
    ['newest', NEWEST_ANCHOR],
    ['oldest', 0],
    ['"newest"', NEWEST_ANCHOR],
    ['-1', 0],
    ['-9007199254740993', 0],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', NEWEST_ANCHOR],
    ['10000000000000000', NEWEST_ANCHOR],
    ['9'.repeat(50), NEWEST_ANCHOR],
    [' 7 ', 7],
    ['"7"', 7],
    ['+7', 7],
  ])('the anchor %j is read as %i [history.anchor-read]', async (anchor, expected) => {
    const answer = await service.ask(ada, page, { anchor, num_before: 1, num_after: 1, narrow });
    expect(answer.anchor).toBe(expected);
  });

  test.each<[string, Params, Params]>([
    ['no anchor', { anchor: undefined }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'anchor' }],
    ['an empty anchor', { anchor: '' }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'anchor' }],
    [
      'a word that is no anchor',
      { anchor: 'latest' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'anchor', bad_value: 'latest' },
    ],
    ['a fraction', { anchor: '1.5' }, { code: 'REQUEST_VARIABLE_INVALID', var_name: 'anchor' }],
    [
      'no num_before',
      { num_before: undefined },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'num_before' },
    ],
    [
      'no num_after',
      { num_after: undefined },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'num_after' },
    ],
    [
      'a negative number',
      { num_before: -1 },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'num_before', bad_value: '-1' },
    ],
    [
      'a number beyond the integers',
      { num_after: '99999999999999999999' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'num_after' },
    ],
    ['more than 5000 messages', { num_before: 2501, num_after: 2500 }, { code: 'BAD_REQUEST' }],
    [
      'a flag that is neither true nor false',
      { apply_markdown: 'maybe' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'apply_markdown', bad_value: 'maybe' },
    ],
  ])('%s is refused [history.page-refused]', async (_, more, expected) => {
    const params = { anchor: 0, num_before: 1, num_after: 1, ...more };
    expect(await service.refuse(ada, page, params)).toMatchObject(expected);
  });

  test('5000 messages may be asked for [history.5000-messages-asked]', async () => {
    await service.ask(ada, page, { anchor: 0, num_before: 2500, num_after: 2500 });
  });
});

describe('the first unread message', () => {
  const firstUnread = (who: string, more: Params = {}) =>
    service.ask(who, page, {
      num_before: 0,
      num_after: 1,
      use_first_unread_anchor: true,
      ...more,
    });

  test('the first unread message has the smallest id that somebody else sent, and wins over an anchor that is given too [history.first-unread-message]', async () => {
    const topic = 'first unread';
    await service.say(cleo, 'general', topic);
    const second = await service.say(ada, 'general', topic);
    const third = await service.say(ada, 'general', topic);
    const narrow = [['topic', topic]];
    for (const more of [
      { anchor: 0, narrow },
      { narrow },
      { use_first_unread_anchor: undefined, anchor: 'first_unread', narrow },
    ]) {
      const answer = await firstUnread(cleo, more);
      expect(answer).toMatchObject({ anchor: second, found_anchor: true });
      expect(idsOf(answer.messages)).toEqual([second, third]);
    }
  });

  test('the first unread anchor is the sentinel where everything is read, and then nothing comes after it [history.first-unread-anchor]', async () => {
    const topic = 'all read';
    const id = await service.say(cleo, 'general', topic);
    const answer = await firstUnread(cleo, {
      num_before: 5,
      num_after: 5,
      narrow: [['topic', topic]],
    });
    expect(answer).toMatchObject({
      anchor: NEWEST_ANCHOR,
      found_anchor: false,
      found_oldest: true,
      found_newest: true,
    });
    expect(idsOf(answer.messages)).toEqual([id]);
  });

  test('a message that the account does not hold is never the first unread one', async () => {
    await service.join(ada, ['never joined']);
    await service.say(ada, 'never joined', 't');
    const answer = await firstUnread(cleo, { narrow: [['stream', 'never joined']] });
    expect(answer.anchor).toBe(NEWEST_ANCHOR);
  });

  test('the first unread anchor skips muted streams unless the narrow names a stream, and muted topics always', async () => {
    await service.join(ada, ['quiet'], { principals: [ada, cleo] });
    const sender = ['sender', echoBot];
    const muted = await service.say(echoBot, 'quiet', 'muted stream');
    const { streams } = await service.ask(ada, api.streams.list);
    const quietId = streams.find((stream) => stream.name === 'quiet')?.stream_id ?? 0;
    const cleoId = idOf[cleo] ?? 0;
    service.change(
      'UPDATE stream_setting SET is_muted = 1 WHERE account_id = ? AND stream_id = ?',
      cleoId,
      quietId,
    );
    const topical = await service.say(echoBot, 'general', 'muted topic');
    service.change(
      "INSERT INTO muted_topic SELECT ?, id FROM topic WHERE name = 'muted topic'",
      cleoId,
    );
    const heard = await service.say(echoBot, 'general', 'heard');
    expect((await firstUnread(cleo, { narrow: [sender] })).anchor).toBe(heard);
    expect((await firstUnread(cleo, { narrow: [sender, ['stream', 'quiet']] })).anchor).toBe(muted);
    expect((await firstUnread(cleo, { narrow: [sender, ['topic', 'muted topic']] })).anchor).toBe(
      NEWEST_ANCHOR,
    );
    expect((await firstUnread(ben, { narrow: [['topic', 'muted topic']] })).anchor).toBe(topical);
  });

  test('fetching changes nothing', async () => {
    const before = service.dump();
    await service.ask(cleo, page, { anchor: 'oldest', num_before: 0, num_after: 1000 });
    expect(service.dump()).toEqual(before);
  });
});

describe('a message as it is read', () => {
  const gravatar = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=1$/;

  test('a stream message has every key of its kind [history.stream-message-keys]', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const id = await service.say(ben, 'engineering', 'Shape https://example.com/x', '**b**');
    const message = await service.read(ada, id);
    const { streams } = await service.ask(ada, api.streams.list);
    expect(message).toEqual({
      id,
      type: 'stream',
      stream_id: streams.find((stream) => stream.name === 'engineering')?.stream_id,
      display_recipient: 'engineering',
      recipient_id: expect.any(Number),
      subject: 'Shape https://example.com/x',
      subject_links: ['https://example.com/x'],
      content: '<p><strong>b</strong></p>',
      content_type: 'text/html',
      timestamp: expect.any(Number),
      client: 'node',
      is_me_message: false,
      sender_id: idOf[ben],
      sender_email: ben,
      sender_full_name: 'Ben Member',
      sender_short_name: 'ben',
      sender_realm_str: '',
      avatar_url: expect.stringMatching(gravatar),
      flags: [],
      submessages: [],
      reactions: [],
    });
    expect(message?.timestamp).toBeGreaterThanOrEqual(seconds);
    expect(message?.timestamp).toBeLessThan(seconds + 60);
  });

  test('a private message names its participants, sorted by address, and no stream [history.private-message-names]', async () => {
    const id = await service.tell(gus, [ben, cleo]);
    const message = await service.read(ben, id);
    expect(message).not.toHaveProperty('stream_id');
    expect(message).toMatchObject({ type: 'private', subject: '', subject_links: [] });
    expect(message?.display_recipient).toEqual(
      [
        { email: ben, full_name: 'Ben Member', short_name: 'ben' },
        { email: cleo, full_name: 'Cleo Member', short_name: 'cleo' },
        { email: gus, full_name: 'Gus Guest', short_name: 'gus' },
      ].map((person) => ({ ...person, id: idOf[person.email], is_mirror_dummy: false })),
    );
  });

  test('raw content is Markdown and says so [history.raw-content-markdown]', async () => {
    const id = await service.say(ben, 'general', 'raw', '**b** <b>');
    expect(await service.read(ada, id, { apply_markdown: false })).toMatchObject({
      content: '**b** <b>',
      content_type: 'text/x-markdown',
    });
    expect(await service.read(ada, id, { apply_markdown: 'True' })).toMatchObject({
      content: '<p><strong>b</strong> &lt;b&gt;</p>',
      content_type: 'text/html',
    });
  });

  test('a client that computes gravatars gets null for them [history.client-computes-gravatars]', async () => {
    const id = await service.say(ben, 'general', 'avatar');
    expect((await service.read(ada, id, { client_gravatar: true }))?.avatar_url).toBeNull();
    expect((await service.read(ada, id, { client_gravatar: false }))?.avatar_url).toMatch(gravatar);
  });

  test.each([
    ['/me waves', true],
    ['/me waves\nback', false],
    ['/mewaves', false],
    [' /me waves', false],
    ['x /me', false],
  ])('%j is a status message: %s [history.status-message]', async (content, expected) => {
    const id = await service.say(ada, 'general', 'me', content);
    const message = await service.read(ada, id);
    expect(message?.is_me_message).toBe(expected);
    if (expected) expect(message?.content).toBe('<p>/me waves</p>');
  });

  test.each<[string, string, string, readonly string[]]>([
    ['the sender', ada, 'plain', ['read']],
    ['somebody else', ben, 'plain', []],
    ['somebody who is mentioned', ben, 'hi @**Ben Member**', ['mentioned']],
    ['somebody else than who is mentioned', cleo, 'hi @**Ben Member**', []],
    ['somebody silently mentioned', ben, 'hi @_**Ben Member**', []],
    ['anybody, by a wildcard', ben, 'hi @**all**', ['wildcard_mentioned']],
    ['the sender of a wildcard', ada, 'hi @**everyone**', ['read', 'wildcard_mentioned']],
    ['the sender who mentions itself', ada, 'hi @**Ada Admin**', ['read', 'mentioned']],
    [
      'both at once',
      ben,
      'hi @**Ben Member** and @**stream**',
      ['mentioned', 'wildcard_mentioned'],
    ],
  ])('the flags of %s [history.message-read-flags]', async (_, who, content, expected) => {
    const id = await service.say(ada, 'general', 'flags', content);
    const flags = (await service.read(who, id))?.flags ?? ['absent'];
    expect([...flags].sort()).toEqual([...expected].sort());
  });

  test('a mention of somebody who is not in the stream sets no flag', async () => {
    const id = await service.say(ada, 'engineering', 'flags', '@**Cleo Member** and @**all**');
    const message = await service.read(cleo, id, { narrow: [['stream', 'engineering']] });
    expect(message?.flags).toEqual(['read', 'historical']);
    expect(message?.content).toContain(`data-user-id="${idOf[cleo]}"`);
  });

  test('the topic is spelled as its message spells it [history.topic-spelled-message]', async () => {
    const first = await service.say(ada, 'general', 'Spelling');
    const second = await service.say(ada, 'general', 'SPELLING');
    expect((await service.read(ada, first))?.subject).toBe('Spelling');
    expect((await service.read(ada, second))?.subject).toBe('SPELLING');
  });

  test('an edited message tells when, in seconds', async () => {
    const id = await service.say(ada, 'general', 'edited');
    expect(await service.read(ada, id)).not.toHaveProperty('last_edit_timestamp');
    service.change('UPDATE message SET edited_at = 1700000000 WHERE id = ?', id);
    expect(await service.read(ada, id)).toMatchObject({ last_edit_timestamp: 1_700_000_000 });
  });

  test('a sender who is not subscribed to a public stream gets no copy', async () => {
    const id = await service.say(cleo, 'engineering', 'from outside');
    expect(await service.read(cleo, id)).toBeUndefined();
    expect(await service.read(cleo, id, { narrow: [['stream', 'engineering']] })).toMatchObject({
      flags: ['read', 'historical'],
    });
  });
});

describe('whose messages an account may read', () => {
  const open: Params = { narrow: [['stream', 'readable']] };
  const yes = 'message';
  const no = 'nothing';
  const refused = 'BAD_NARROW';
  let ids: Readonly<Record<'public' | 'shared' | 'protected' | 'private', number>>;

  // Everything is said before cleo and gus join; only ada and ben are there from the start.
  beforeAll(async () => {
    const principals = [ada, ben];
    await service.join(ada, ['readable'], { principals });
    await service.join(ada, ['shared'], {
      principals,
      invite_only: true,
      history_public_to_subscribers: true,
    });
    await service.join(ada, ['protected'], { principals, invite_only: true });
    ids = {
      public: await service.say(ada, 'readable', 'old'),
      shared: await service.say(ada, 'shared', 'old'),
      protected: await service.say(ada, 'protected', 'old'),
      private: await service.tell(ada, [ben]),
    };
  });

  const attempt = async (who: string, id: number, more: Params): Promise<string> => {
    const params = { anchor: id, num_before: 0, num_after: 0, ...more };
    const { status, body } = await service.answer(who, page, params);
    if (status !== 200) return String(body['code']);
    return (body['messages'] as readonly unknown[]).length === 1 ? yes : no;
  };

  const inStream = (name: string): Params => ({ narrow: [['stream', name]] });

  test.each<
    [string, 'public' | 'shared' | 'protected' | 'private', Params, Record<string, string>]
  >([
    [
      'a public stream, by its narrow',
      'public',
      open,
      { [ada]: yes, [ben]: yes, [cleo]: yes, [gus]: refused, [echoBot]: yes },
    ],
    [
      'a public stream, without a narrow',
      'public',
      {},
      { [ada]: yes, [ben]: yes, [cleo]: no, [gus]: no, [echoBot]: no },
    ],
    [
      'all public streams',
      'public',
      { narrow: [['streams', 'public']] },
      { [ada]: yes, [ben]: yes, [cleo]: yes, [gus]: no, [echoBot]: yes },
    ],
    [
      'a private stream, by its narrow',
      'shared',
      inStream('shared'),
      { [ada]: yes, [ben]: yes, [cleo]: refused, [gus]: refused, [echoBot]: refused },
    ],
    [
      'a protected private stream, by its narrow',
      'protected',
      inStream('protected'),
      { [ada]: yes, [ben]: yes, [cleo]: refused, [gus]: refused, [echoBot]: refused },
    ],
    [
      'a private stream, as if it were public',
      'shared',
      { narrow: [['streams', 'public']] },
      { [ada]: no, [cleo]: no, [echoBot]: no },
    ],
    [
      'a private message',
      'private',
      {},
      { [ada]: yes, [ben]: yes, [cleo]: no, [gus]: no, [echoBot]: no },
    ],
    [
      'a private message, by its id',
      'private',
      { narrow: [['streams', 'public']] },
      { [ada]: no, [cleo]: no },
    ],
  ])('%s', async (_, kind, more, expected) => {
    for (const [who, outcome] of Object.entries(expected)) {
      expect([who, await attempt(who, ids[kind], more)]).toEqual([who, outcome]);
    }
  });

  test('an administrator who is not in a private stream finds it empty [history.administrator-not-private]', async () => {
    await service.join(ben, ['bens own'], {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const id = await service.say(ben, 'bens own', 't');
    expect(await attempt(ada, id, inStream('bens own'))).toBe(no);
    expect(await attempt(cleo, id, inStream('bens own'))).toBe(refused);
  });

  test('a hidden private stream reads like one that does not exist', async () => {
    const around = { anchor: 0, num_before: 0, num_after: 1 };
    const hidden = await service.refuse(cleo, page, { ...around, ...inStream('protected') });
    const missing = await service.refuse(cleo, page, { ...around, ...inStream('protecteX') });
    expect(hidden.msg.replace('protected', '_')).toBe(missing.msg.replace('protecteX', '_'));
  });

  test('who joins late reads all of a public or shared stream, as history, and of a protected one only what follows [history.joins-late-reads]', async () => {
    for (const stream of ['readable', 'shared', 'protected']) {
      await service.join(ada, [stream], { principals: [cleo, gus] });
    }
    const next = {
      public: await service.say(ada, 'readable', 'new'),
      shared: await service.say(ada, 'shared', 'new'),
      protected: await service.say(ada, 'protected', 'new'),
    };
    for (const who of [cleo, gus]) {
      for (const [kind, stream] of [
        ['public', 'readable'],
        ['shared', 'shared'],
      ] as const) {
        const { messages } = await service.ask(who, page, {
          anchor: 'oldest',
          num_before: 0,
          num_after: 10,
          ...inStream(stream),
        });
        expect(messages.map(({ id, flags }) => ({ id, flags }))).toEqual([
          { id: ids[kind], flags: ['read', 'historical'] },
          { id: next[kind], flags: [] },
        ]);
      }
      const hidden = await service.ask(who, page, {
        anchor: 'oldest',
        num_before: 0,
        num_after: 10,
        ...inStream('protected'),
      });
      expect(hidden.found_oldest).toBe(true);
      expect(hidden.messages.map(({ id, flags }) => ({ id, flags }))).toEqual([
        { id: next.protected, flags: [] },
      ]);
      expect(await attempt(who, ids.shared, {})).toBe(no);
      expect(await attempt(who, next.shared, {})).toBe(yes);
    }
  });

  test('a guest who is in a public stream finds its history among all public streams [history.guest-public-stream]', async () => {
    const narrow = { narrow: [['streams', 'public']] };
    expect(await attempt(gus, ids.public, narrow)).toBe(yes);
    const outside = await service.say(ada, 'engineering', 'not for guests');
    expect(await attempt(gus, outside, narrow)).toBe(no);
  });

  test('an incoming webhook bot reads nothing [history.incoming-webhook-bot]', async () => {
    const params = { anchor: 0, num_before: 0, num_after: 1 };
    expect(await service.refuse(hookBot, page, params)).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('what was held stays readable after the stream was left and after it was archived', async () => {
    await service.join(ada, ['left'], { invite_only: true, principals: [ada, cleo] });
    const held = await service.say(ada, 'left', 'held');
    service.change(
      `UPDATE membership SET until_id = ? WHERE account_id = ? AND recipient_id =
         (SELECT recipient_id FROM stream WHERE name = 'left')`,
      held,
      idOf[cleo] ?? 0,
    );
    const later = await service.say(ada, 'left', 'later');
    expect(await attempt(cleo, held, inStream('left'))).toBe(yes);
    expect(await attempt(cleo, held, {})).toBe(yes);
    expect(await attempt(cleo, later, inStream('left'))).toBe(no);
    service.change("UPDATE stream SET is_archived = 1 WHERE name = 'left'");
    expect(await attempt(cleo, held, {})).toBe(yes);
    const { streams } = await service.ask(ada, api.streams.list, { include_all_active: true });
    expect(streams.map((stream) => stream.name)).not.toContain('left');
  });
});
