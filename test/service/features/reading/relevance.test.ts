import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { RANKED_HITS } from '#shared/search/rank.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  startTestService,
  type Params,
  type TestService,
} from '#test/support/service/api.ts';

const { page } = api.messages;

let service: TestService;
let ids: Readonly<Record<string, number>>;

beforeAll(async () => {
  service = await startTestService();
  ids = {
    topic: await service.say(ada, 'general', 'Parachutes', 'all about them'),
    exact: await service.say(ada, 'general', 'lunch', 'parachute'),
    row: await service.say(cleo, 'engineering', 'plan', 'the red parachute of the company is here'),
    hidden: await service.tell(cleo, [gus], 'parachute'),
    apart: await service.tell(cleo, [ben], 'a parachute which is, as far as anybody knows, red'),
    forms: await service.say(ben, 'general', 'lunch', 'people who are parachuting for a long time'),
  };
});
afterAll(() => service.stop());

const nameOf = (id: number): string =>
  Object.entries(ids).find(([, each]) => each === id)?.[0] ?? String(id);

const ranked = (narrow: unknown, more: Params = {}): Params => ({
  anchor: 'newest',
  num_before: 100,
  num_after: 0,
  order: 'relevance',
  narrow,
  ...more,
});

async function find(narrow: unknown, more: Params = {}) {
  const { messages, ...rest } = await service.ask(ben, page, ranked(narrow, more));
  return { names: messages.map(({ id }) => nameOf(id)), ...rest };
}

describe('hits in the order of relevance', () => {
  test.each<[unknown, readonly string[]]>([
    [[['search', 'parachute']], ['topic', 'exact', 'apart', 'row', 'forms']],
    [[['search', 'red parachute']], ['row', 'apart']],
    [[['search', 'parachuting']], ['topic', 'forms', 'exact', 'apart', 'row']],
    [
      [
        ['search', 'parachute'],
        ['stream', 'general'],
      ],
      ['topic', 'exact', 'forms'],
    ],
    [
      [['search', 'parachute'], { operator: 'search', operand: 'red', negated: true }],
      ['topic', 'exact', 'forms'],
    ],
    [
      [
        ['search', 'parachute'],
        ['is', 'private'],
      ],
      ['apart'],
    ],
    [[['search', 'nothing at all']], []],
  ])('%j: the best comes first [relevance.best-comes-first]', async (narrow, names) => {
    expect(await find(narrow)).toEqual({
      names,
      anchor: 10_000_000_000_000_000,
      found_anchor: false,
      found_oldest: true,
      found_newest: true,
      history_limited: false,
    });
  });

  test('hits by relevance are marked, and have what every message has [relevance.hits-marked-message]', async () => {
    const narrow = [['search', 'parachute']];
    const { messages } = await service.ask(ben, page, ranked(narrow));
    const plain = await service.ask(ben, page, ranked(narrow, { order: 'newest' }));
    expect(messages.toSorted((a, b) => a.id - b.id)).toEqual(plain.messages);
    expect(messages[1]?.match_content).toContain('<span class="highlight">parachute</span>');
  });

  test('hits by relevance that are too many for the page are left out at the end, and said to be [relevance.hits-too-many]', async () => {
    const narrow = [['search', 'parachute']];
    expect(await find(narrow, { num_before: 2 })).toMatchObject({
      names: ['topic', 'exact'],
      found_oldest: false,
    });
    expect(await find(narrow, { num_before: 5 })).toMatchObject({ found_oldest: true });
    expect(await find(narrow, { num_before: 0 })).toMatchObject({ names: [], found_oldest: false });
  });

  test('hits come in the order of time where nothing else is asked for [relevance.hits-come-order]', async () => {
    const narrow = [['search', 'parachute']];
    const times = ['topic', 'exact', 'row', 'apart', 'forms'];
    expect(await find(narrow, { order: 'newest' })).toMatchObject({ names: times });
    const { messages } = await service.ask(ben, page, {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow,
    });
    expect(messages.map(({ id }) => nameOf(id))).toEqual(times);
  });

  test('hits by relevance are sought among the newest of them only [relevance.hits-sought-among]', async () => {
    const best = await service.say(ada, 'general', 'umbrella', 'umbrella');
    const other = await service.say(ada, 'general', 'sale', 'my umbrella');
    const next: number[] = [];
    for (let n = 1; n < RANKED_HITS; n += 1) {
      next.push(await service.say(ada, 'general', 'sale', 'two umbrellas that are sold'));
    }
    const answer = await service.ask(ben, page, ranked([['search', 'umbrella']]));
    expect(answer.messages.map(({ id }) => id)).toEqual([other, ...next.toReversed().slice(0, 99)]);
    const all = ranked([['search', 'umbrella']], { num_before: 5000 });
    const whole = await service.ask(ben, page, all);
    expect(whole.messages).toHaveLength(RANKED_HITS);
    expect(whole.messages.some(({ id }) => id === best)).toBe(false);
    expect(whole.found_oldest).toBe(false);
  });
});

describe('what has no order of relevance', () => {
  const needsTerm = 'The order of relevance needs a search term that is not negated';
  const needsNewest = 'The order of relevance needs the anchor newest';
  const words = [['search', 'parachute']];

  test.each<[string, Params, string]>([
    ['no narrow', ranked([]), needsTerm],
    ['other terms alone', ranked([['is', 'private']]), needsTerm],
    ['a blank term', ranked([['search', ' ']]), needsTerm],
    ['a negated term', ranked([{ operator: 'search', operand: 'x', negated: true }]), needsTerm],
    ['a message as anchor', ranked(words, { anchor: 5 }), needsNewest],
    ['the oldest as anchor', ranked(words, { anchor: 'oldest' }), needsNewest],
    ['the first unread as anchor', ranked(words, { anchor: 'first_unread' }), needsNewest],
    ['the flag for it', ranked(words, { use_first_unread_anchor: true }), needsNewest],
    [
      'messages after the anchor',
      ranked(words, { num_after: 1 }),
      'The order of relevance has nothing after: num_after must be 0',
    ],
  ])('%s is refused with a reason [relevance.refused-reason]', async (_, params, msg) => {
    expect(await service.refuse(ben, page, params)).toMatchObject({ code: 'BAD_REQUEST', msg });
  });

  test('another order is refused [relevance.another-order-refused]', async () => {
    expect(await service.refuse(ben, page, ranked(words, { order: 'random' }))).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'order',
      bad_value: 'random',
    });
  });
});
