import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { Message } from '#shared/api/models/message.ts';
import { searchFileOf } from '#service/db/sqlite/search-file.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  startTestService,
  type Params,
  type TestService,
} from '#test/support/service/api.ts';

const { page } = api.messages;
const { matchesNarrow } = api.search;

let service: TestService;
/** The messages by the name under which the tables know them. */
let ids: Readonly<Record<string, number>>;

beforeAll(async () => {
  service = await startTestService();
  ids = {
    early: await service.say(ada, 'engineering', 'Rollout', 'the parachute was packed'),
    deploy: await service.say(ada, 'general', 'Rollout plan', 'Deploying the **Server** tonight'),
    cafe: await service.say(cleo, 'general', 'lunch', 'Meet at the Café, naïve Łukasz'),
    link: await service.say(
      ada,
      'general',
      'links',
      'see https://wiki.example.com/pages/QuarterlyReport?id=build77',
    ),
    code: await service.say(
      ben,
      'general',
      'code',
      'call `parse_httpRequest.maxRetries` and HTTPServer',
    ),
    quote: await service.say(ben, 'general', 'code', '```quote\nancient wisdom\n```\nindeed'),
    phrase: await service.say(ada, 'general', 'animals', 'the Quick brown fox & the dog'),
    scattered: await service.say(ada, 'general', 'animals', 'a fox that is brown, quick to run'),
    chinese: await service.say(ada, 'general', '中文', '我们在清华大学学习机器学习'),
    japanese: await service.say(ada, 'general', '日本語', '東京に行きました。データベース'),
    thai: await service.say(ada, 'general', 'ไทย', 'ผมชอบกินข้าวผัด'),
    signs: await service.say(cleo, 'general', 'signs', 'a -> b <c> 🎉'),
    stops: await service.say(cleo, 'general', 'signs', 'to be or not to be'),
    stems: await service.say(cleo, 'general', 'stems', 'happy, hoping for the capability'),
    begun: await service.say(cleo, 'general', 'stems', 'happiness that was hoped capable'),
    pair: await service.tell(cleo, [ben], 'secret parachute'),
    hidden: await service.tell(cleo, [gus], 'secret parachute elsewhere'),
  };
});
afterAll(() => service.stop());

async function find(who: string, narrow: unknown, more: Params = {}): Promise<Message[]> {
  const params = { anchor: 'newest', num_before: 100, num_after: 0, narrow, ...more };
  return (await service.ask(who, page, params)).messages;
}

const nameOf = (id: number): string =>
  Object.entries(ids).find(([, each]) => each === id)?.[0] ?? String(id);

async function search(who: string, ...terms: readonly unknown[]): Promise<string[]> {
  const narrow = terms.map((term) => (typeof term === 'string' ? ['search', term] : term));
  return (await find(who, narrow)).map(({ id }) => nameOf(id));
}

const not = (operand: string): object => ({ operator: 'search', operand, negated: true });

describe('what ben finds', () => {
  test.each<[string, readonly string[]]>([
    // words, in any order, case and accents folded, stemmed
    ['deploy', ['deploy']],
    ['DEPLOYED servers', ['deploy']],
    ['servers deploys', ['deploy']],
    ['deploy lunch', []],
    ['cafe', ['cafe']],
    ['CAFÉ NAIVE lukasz', ['cafe']],
    // the topic
    ['rollout', ['early', 'deploy']],
    ['plan server', ['deploy']],
    // stop words
    ['the servers of tonight', ['deploy']],
    ['to be', ['stops']],
    // quoted text and code
    ['wisdom', ['quote']],
    ['maxRetries', ['code']],
    ['retries', ['code']],
    ['parse request', ['code']],
    ['parse_http', ['code']],
    ['server', ['deploy', 'code']],
    // addresses
    ['wiki', ['link']],
    ['example.com', ['link']],
    ['quarterly', ['link']],
    ['report', ['link']],
    ['77', ['link']],
    ['https://wiki.example.com/pages/', ['link']],
    // quoted parts
    ['"quick brown"', ['phrase']],
    ['"QUICK BROWN FOX & the"', ['phrase']],
    ['"brown quick"', []],
    ['"uick brown"', []],
    ['quick "brown fox" dog', ['phrase']],
    ['"Rollout plan"', ['deploy']],
    ['"rollout plan" parachute', []],
    ['"->"', ['signs']],
    ['"be or not"', ['stops']],
    // beginnings
    ['par*', ['early', 'code', 'pair']],
    ['quar* pag*', ['link']],
    // where another word has the stem of one that begins so
    ['happ*', ['stems', 'begun']],
    ['happi*', ['begun']],
    ['happiness*', ['begun']],
    ['hope*', ['begun']],
    ['capabl*', ['begun']],
    ['capabi* hap*', ['stems']],
    ['*', ['deploy']],
    // unspaced scripts
    ['大学', ['chinese']],
    ['清华大学', ['chinese']],
    ['机器 学习', ['chinese']],
    ['中文', ['chinese']],
    ['東京', ['japanese']],
    ['データベース', ['japanese']],
    ['ข้าว', ['thai']],
    ['ชอบกิน', ['thai']],
    ['"清华大学学习"', ['chinese']],
    // signs alone
    ['->', ['signs']],
    ['🎉', ['signs']],
    ['nothingofthekind', []],
  ])('%s', async (operand, expected) => {
    expect(await search(ben, operand)).toEqual(expected);
  });

  test('several terms are joined', async () => {
    expect(await search(ben, 'quick', 'fox')).toEqual(['phrase', 'scattered']);
    expect(await search(ben, '"quick', 'brown"')).toEqual(['phrase']);
  });

  test('a negated term removes what it matches', async () => {
    expect(await search(ben, 'fox', not('dog'))).toEqual(['scattered']);
    expect(await search(ben, 'fox', not('"quick brown"'))).toEqual(['scattered']);
    expect(await search(ben, 'fox', not('do*'))).toEqual(['scattered']);
    expect(await search(ben, 'fox', not('dog quick'))).toEqual(['scattered']);
    expect(await search(ben, 'fox', not('dog'), not('run'))).toEqual([]);
    const all = (await find(ben, [])).map(({ id }) => nameOf(id));
    expect(await search(ben, not('fox'))).toEqual(
      all.filter((name) => name !== 'phrase' && name !== 'scattered'),
    );
    expect(await search(ben, not('->'))).toEqual(all.filter((name) => name !== 'signs'));
  });

  test('a blank term removes nothing, and a number is text', async () => {
    expect(await search(ben, 'fox', '  ')).toEqual(['phrase', 'scattered']);
    expect(await search(ben, 'fox', not(' '))).toEqual(['phrase', 'scattered']);
    expect(await search(ben, ['search', 77])).toEqual(['link']);
  });

  test.each([
    'NEAR(fox dog)',
    'fox AND',
    'fox OR zebra',
    'fox NOT dog',
    'tokens: fox',
    '{tokens}: fox',
    '^fox',
    'fox + dog',
    'fox"',
    '"fox',
    "fox'; DROP TABLE message; --",
    'fox*dog',
    'rowid:1',
    '(((fox',
    '\\"fox',
    '%fox_',
  ])('operators of the index mean nothing: %s', async (operand) => {
    const found = await search(ben, operand);
    expect(['phrase', 'scattered']).toEqual(expect.arrayContaining(found));
  });
});

describe('together with other terms', () => {
  test.each<[string, readonly unknown[], readonly string[]]>([
    ['a stream', [['stream', 'general'], 'parachute'], []],
    ['another stream', [['stream', 'engineering'], 'parachute'], ['early']],
    [
      'not a stream',
      ['parachute', { operator: 'stream', operand: 'engineering', negated: true }],
      ['pair'],
    ],
    ['a topic', [['topic', 'animals'], 'brown'], ['phrase', 'scattered']],
    ['no such topic', [['topic', 'plants'], 'brown'], []],
    ['a sender', [['sender', ben], 'server'], ['code']],
    ['not a sender', ['server', { operator: 'sender', operand: ben, negated: true }], ['deploy']],
    ['a conversation', [['pm-with', cleo], 'parachute'], ['pair']],
    ['private ones', [['is', 'private'], 'parachute'], ['pair']],
    ['unread ones', [['is', 'unread'], 'server'], ['deploy']],
    ['starred ones', [['is', 'starred'], 'server'], []],
    ['links', [['has', 'link'], 'wiki'], ['link']],
    ['no links', ['wiki', { operator: 'has', operand: 'link', negated: true }], []],
    ['images', [['has', 'image'], 'wiki'], []],
    ['what is at home', [['in', 'home'], 'fox'], ['phrase', 'scattered']],
    ['public streams', [['streams', 'public'], 'parachute'], ['early']],
  ])('%s', async (_, terms, expected) => {
    expect(await search(ben, ...terms)).toEqual(expected);
  });

  test('one message', async () => {
    const id = ids['phrase'];
    expect(await search(ben, ['id', id], 'fox')).toEqual(['phrase']);
    expect(await search(ben, ['id', id], 'zebra')).toEqual([]);
  });
});

describe('a narrow that asks for too much is refused', () => {
  const words = (count: number, from = 0): string =>
    Array.from({ length: count }, (_, at) => `word${from + at}`).join(' ');
  /** By POST, as what does not fit into an address is asked. */
  const ask = (...terms: readonly unknown[]) =>
    service.send(ben, 'POST /messages', {
      method: 'GET',
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: terms.map((term) => (typeof term === 'string' ? ['search', term] : term)),
    });
  const several = (count: number) => Array.from({ length: count }, (_, at) => at);

  test.each<[string, readonly unknown[], RegExp]>([
    ['a hundred thousand words', [words(100_000)], /16 KiB/],
    ['many negated searches', several(99).map((at) => not(words(1000, at * 1000))), /16 KiB/],
    ['a long filter', [['topic', 'x'.repeat(16 * 1024 + 1)]], /16 KiB/],
    ['a word too many', [words(33)], /at most 32 different words and quoted parts.*33/],
    ['in several terms', [words(20), not(words(13, 20))], /at most 32 .*33/],
    ['beginnings', [`${words(31)} a* b*`], /at most 32 .*33/],
    [
      'signs',
      [
        several(33)
          .map((at) => `"${'!'.repeat(at + 1)}"`)
          .join(' '),
      ],
      /at most 32 .*33/,
    ],
    ['a quoted part too long', [`"${words(65)}"`], /at most 64 words.*65/],
  ])('%s', async (_, terms, sentence) => {
    const { status, body } = await ask(...terms);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'BAD_NARROW', msg: expect.stringMatching(sentence) });
    expect(body['desc']).toBe(body['msg']);
  });

  test('a narrow that repeats itself, or quotes the lines of an error, is not refused', async () => {
    const many = several(99).map((at) => not(`word${at % 32} word${(at * 7) % 32}`));
    const quoted = several(25).map((at) => `"${words(63)} ${at}"`);
    for (const terms of [many, [words(32), words(32)], quoted])
      expect((await ask(...terms)).status).toBe(200);
  });
});

describe('who may find what', () => {
  test('nobody finds what others told each other [search.nobody-finds]', async () => {
    expect(await search(ben, 'secret')).toEqual(['pair']);
    expect(await search(gus, 'secret')).toEqual(['hidden']);
    expect(await search(cleo, 'secret')).toEqual(['pair', 'hidden']);
    expect(await search(ada, 'secret')).toEqual([]);
  });

  test('a public stream is searched where it is named, by who may read its history', async () => {
    expect(await search(cleo, 'packed')).toEqual([]);
    const found = await find(cleo, [
      ['stream', 'engineering'],
      ['search', 'packed'],
    ]);
    expect(found).toMatchObject([{ id: ids['early'], flags: ['read', 'historical'] }]);
    expect(await search(cleo, ['streams', 'public'], 'packed')).toEqual(['early']);
    expect(await search(gus, ['streams', 'public'], 'packed')).toEqual([]);
    expect(await search(echoBot, ['stream', 'engineering'], 'packed')).toEqual(['early']);
  });

  test('a private stream is found by those who held it, and only what they held', async () => {
    await service.join(ada, ['vault'], { invite_only: true, principals: [ada, ben] });
    const before = await service.say(ada, 'vault', 'gold', 'zinnober one');
    await service.join(ada, ['vault'], { principals: [cleo] });
    const after = await service.say(ada, 'vault', 'gold', 'zinnober two');
    const found = async (who: string): Promise<number[]> =>
      (await find(who, [['search', 'zinnober']])).map(({ id }) => id);
    expect(await found(ben)).toEqual([before, after]);
    expect(await found(cleo)).toEqual([after]);
    expect(await found(gus)).toEqual([]);
    const { status } = await service.send(ben, 'DELETE /users/me/subscriptions', {
      subscriptions: ['vault'],
    });
    expect(status).toBe(200);
    await service.say(ada, 'vault', 'gold', 'zinnober three');
    expect(await found(ben)).toEqual([before, after]);
  });
});

describe('pages', () => {
  test('pages of a search are counted and bounded as in any other narrow', async () => {
    const sent: number[] = [];
    for (let n = 0; n < 30; n += 1)
      sent.push(await service.say(ada, 'general', 'many', `quokka ${n}`));
    const narrow = [['search', 'quokkas']];
    const middle = sent[15] ?? 0;
    const around = await service.ask(ben, page, {
      anchor: middle,
      num_before: 2,
      num_after: 3,
      narrow,
    });
    expect(around.messages.map(({ id }) => id)).toEqual(sent.slice(13, 19));
    expect(around).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
    const oldest = await service.ask(ben, page, {
      anchor: 'oldest',
      num_before: 0,
      num_after: 30,
      narrow,
    });
    expect(oldest.messages.map(({ id }) => id)).toEqual(sent);
    expect(oldest).toMatchObject({ found_oldest: true, found_newest: true });
    const newest = await service.ask(ben, page, {
      anchor: 'newest',
      num_before: 30,
      num_after: 0,
      narrow,
    });
    expect(newest).toMatchObject({ found_oldest: true, found_newest: true });
    const unread = { num_before: 0, num_after: 1, narrow, use_first_unread_anchor: true };
    expect(await service.ask(ben, page, unread)).toMatchObject({ anchor: sent[0] });
    expect(await service.ask(ada, page, unread)).toMatchObject({ messages: [] });
  });
});

describe('matches are marked', () => {
  const hit = (text: string): string => `<span class="highlight">${text}</span>`;

  async function matchOf(
    name: string,
    operand: string,
    more: Params = {},
  ): Promise<Message | undefined> {
    return (await find(ben, [['search', operand]], more)).find(({ id }) => id === ids[name]);
  }

  test.each<[string, string, string, string]>([
    [
      'deploy',
      'deploy',
      `<p>${hit('Deploying')} the <strong>Server</strong> tonight</p>`,
      'Rollout plan',
    ],
    [
      'deploy',
      'rollout servers',
      `<p>Deploying the <strong>${hit('Server')}</strong> tonight</p>`,
      `${hit('Rollout')} plan`,
    ],
    ['cafe', 'cafe', `<p>Meet at the ${hit('Café')}, naïve Łukasz</p>`, 'lunch'],
    [
      'phrase',
      '"quick brown fox"',
      `<p>the ${hit('Quick brown fox')} &amp; the dog</p>`,
      'animals',
    ],
    ['phrase', 'qui*', `<p>the ${hit('Quick')} brown fox &amp; the dog</p>`, 'animals'],
    ['phrase', 'amp OR fox', '', ''],
    ['chinese', '大学', `<p>我们在清华${hit('大学')}学习机器学习</p>`, '中文'],
    ['thai', 'ข้าว', `<p>ผมชอบกิน${hit('ข้าว')}ผัด</p>`, 'ไทย'],
  ])('%s: %s', async (name, operand, content, subject) => {
    const found = await matchOf(name, operand);
    if (content === '') expect(found).toBeUndefined();
    else expect(found).toMatchObject({ match_content: content, match_subject: subject });
  });

  test('matches are marked only in text, never in tags', async () => {
    const found = await matchOf('link', 'wiki pages');
    expect(found?.match_content?.replaceAll(/<span class="highlight">(.*?)<\/span>/g, '$1')).toBe(
      found?.content,
    );
    expect(found?.match_content).toContain(hit('wiki'));
    expect(found?.match_content).toContain('href="https://wiki.');
  });

  test('matches are also marked where the content is asked for as it was typed, and where nothing is wanted', async () => {
    expect(await matchOf('deploy', 'deploy', { apply_markdown: false })).toMatchObject({
      content: 'Deploying the **Server** tonight',
      match_content: `<p>${hit('Deploying')} the <strong>Server</strong> tonight</p>`,
    });
    const [only] = await find(ben, [['topic', 'animals'], not('dog')]);
    expect(only).toMatchObject({
      id: ids['scattered'],
      match_content: only?.content,
      match_subject: 'animals',
    });
    const [private_] = await find(ben, [['search', 'secret']]);
    expect(private_).toMatchObject({
      match_subject: '',
      match_content: `<p>${hit('secret')} parachute</p>`,
    });
  });

  test('no message has these fields where nothing is searched', async () => {
    for (const message of await find(ben, [])) {
      expect(message).not.toHaveProperty('match_content');
      expect(message).not.toHaveProperty('match_subject');
    }
  });
});

describe('the index', () => {
  test('the search index never hides a message that was just acknowledged', async () => {
    for (let n = 0; n < 20; n += 1) {
      const id = await service.say(ada, 'general', 'fresh', `wombat${n} arrives`);
      expect((await find(ben, [['search', `wombat${n}`]])).map((each) => each.id)).toEqual([id]);
    }
  });

  test('the search index goes on after a restart, also when nothing of it was left', async () => {
    const id = await service.say(ada, 'general', 'restart', 'pangolin');
    await service.restart();
    expect((await find(ben, [['search', 'pangolin']])).map((each) => each.id)).toEqual([id]);
    await service.halt();
    rmSync(searchFileOf(service.file));
    await service.start();
    await expect.poll(() => search(ben, 'fox')).toEqual(['phrase', 'scattered']);
    expect(await search(ben, '"quick brown"')).toEqual(['phrase']);
    expect((await find(ben, [['search', 'pangol*']])).map((each) => each.id)).toEqual([id]);
  });

  test('the search index follows edits, moves and deletions at once', async () => {
    const id = await service.say(ada, 'general', 'drafts', 'armadillo');
    const found = async (operand: string): Promise<number[]> =>
      (await find(ben, [['search', operand]])).map((each) => each.id);
    expect(await found('armadillo')).toEqual([id]);
    const edit = async (params: Params): Promise<void> => {
      const { status, body } = await service.send(ada, `PATCH /messages/${id}`, params);
      expect(status, JSON.stringify(body)).toBe(200);
    };
    await edit({ content: 'hedgehog' });
    expect([await found('armadillo'), await found('hedgehog')]).toEqual([[], [id]]);
    await edit({ topic: 'burrows' });
    expect([await found('drafts'), await found('burrows')]).toEqual([[], [id]]);
    expect(
      (
        await find(ben, [
          ['topic', 'burrows'],
          ['search', 'hedgehog'],
        ])
      ).length,
    ).toBe(1);
    expect((await service.send(ada, `DELETE /messages/${id}`)).status).toBe(200);
    expect(await found('hedgehog')).toEqual([]);
  });
});

describe('matches_narrow', () => {
  const ask = async (who: string, names: readonly string[], narrow: unknown): Promise<string[]> => {
    const msgIds = names.map((name) => ids[name]);
    const { messages } = await service.ask(who, matchesNarrow, { msg_ids: msgIds, narrow });
    return Object.keys(messages).map((id) => nameOf(Number(id)));
  };

  test('matches_narrow answers which of the messages match, with what was found', async () => {
    const { messages } = await service.ask(ben, matchesNarrow, {
      msg_ids: [ids['phrase'], ids['deploy'], 999_999],
      narrow: [['search', 'fox']],
    });
    expect(messages).toEqual({
      [String(ids['phrase'])]: {
        match_content: '<p>the Quick brown <span class="highlight">fox</span> &amp; the dog</p>',
        match_subject: 'animals',
      },
    });
  });

  test('matches_narrow takes any narrow, and looks only among what the caller holds', async () => {
    expect(await ask(ben, ['phrase', 'code', 'pair'], [['sender', ben]])).toEqual(['code']);
    expect(await ask(ben, ['phrase', 'hidden', 'pair'], undefined)).toEqual(['phrase', 'pair']);
    expect(await ask(cleo, ['early', 'cafe'], [['stream', 'engineering']])).toEqual([]);
    expect(await ask(ben, [], [])).toEqual([]);
  });

  test('matches_narrow refuses what is no narrow, and what are no ids', async () => {
    const refuse = (params: Params) => service.refuse(ben, matchesNarrow, params);
    expect(await refuse({ narrow: [] })).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'msg_ids',
    });
    expect(await refuse({ msg_ids: 'x', narrow: [] })).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'msg_ids',
    });
    expect(await refuse({ msg_ids: [1], narrow: [['colour', 'red']] })).toMatchObject({
      code: 'BAD_NARROW',
    });
    expect(await refuse({ msg_ids: [1], narrow: [['search', ['a']]] })).toMatchObject({
      code: 'BAD_NARROW',
      desc: 'operand of search must be one string',
    });
  });
});

test('register names the words that a search leaves out', async () => {
  const answer = await service.ask(ben, api.events.register, { fetch_event_types: ['stop_words'] });
  expect(answer['stop_words']).toEqual(expect.arrayContaining(['the', 'and', 'to']));
  expect(idOf[ben]).toBe(2);
});
