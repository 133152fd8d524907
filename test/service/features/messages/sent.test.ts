import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';

const { page } = api.messages;

let service: TestService;
let ids: Readonly<Record<string, number>>;

/** Friday, 2 January 2026, 12:00 UTC: the full hour matters to what is kept of times, days do not. */
const NOON = 1_767_355_200;

async function say(seconds: number, topic: string, content: string): Promise<number> {
  vi.spyOn(Date, 'now').mockReturnValue((NOON + seconds) * 1000);
  return await service.say(ada, 'general', topic, content);
}

beforeAll(async () => {
  service = await startTestService();
  ids = {
    dawn: await say(-21_600, 'plan', 'first light'),
    late: await say(-1, 'plan', 'red apple'),
    noon: await say(0, 'lunch', 'green apple'),
    after: await say(1, 'lunch', 'soup'),
    // Somebody sets the clock back, and forward again.
    back: await say(-7200, 'clock', 'brown apple'),
    again: await say(90, 'lunch', 'yellow apple'),
    evening: await say(25_000, 'plan', 'last light'),
  };
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => service.stop());

const nameOf = (id: number): string =>
  Object.entries(ids).find(([, each]) => each === id)?.[0] ?? String(id);

/** Moments are written as seconds from noon on. */
const absolute = (terms: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(terms), (_, value: unknown) =>
    typeof value === 'number' ? NOON + value : value,
  );

interface Found {
  readonly names: readonly string[];
  readonly isOldest: boolean;
  readonly isNewest: boolean;
}

async function find(terms: readonly unknown[], where: object): Promise<Found> {
  const params = { num_before: 0, num_after: 0, narrow: absolute(terms), ...where };
  const found = await service.ask(ben, page, params);
  return {
    names: found.messages.map(({ id }) => nameOf(id)),
    isOldest: found.found_oldest,
    isNewest: found.found_newest,
  };
}

const not = (operator: string, operand: unknown): object => ({ operator, operand, negated: true });

const table: readonly (readonly [string, readonly unknown[], readonly string[]])[] = [
  ['from a moment on', [['sent-after', 0]], ['noon', 'after', 'again', 'evening']],
  ['from the next second on', [['sent-after', 1]], ['after', 'again', 'evening']],
  ['before a moment', [['sent-before', 0]], ['dawn', 'late', 'back']],
  ['written otherwise', [['SENT_BEFORE', 0]], ['dawn', 'late', 'back']],
  ['as an object', [{ operator: 'sent-before', operand: -7200 }], ['dawn']],
  ['not after', [not('sent-after', 0)], ['dawn', 'late', 'back']],
  ['not before', [not('sent-before', 0)], ['noon', 'after', 'again', 'evening']],
  ['between two', [['sent-within', [-7200, 1]]], ['late', 'noon', 'back']],
  ['not between two', [not('sent-within', [-7200, 1])], ['dawn', 'after', 'again', 'evening']],
  ['between one and the same', [['sent-within', [0, 0]]], []],
  [
    'both ends',
    [
      ['sent-after', -7200],
      ['sent-before', 1],
    ],
    ['late', 'noon', 'back'],
  ],
  [
    'ends that exclude each other',
    [
      ['sent-after', 1],
      ['sent-before', 0],
    ],
    [],
  ],
  ['after everything', [['sent-after', 25_001]], []],
  ['before everything', [['sent-before', -21_600]], []],
  [
    'in a topic',
    [
      ['topic', 'lunch'],
      ['sent-after', 1],
    ],
    ['after', 'again'],
  ],
  [
    'in a stream',
    [
      ['stream', 'general'],
      ['sent-before', -1],
    ],
    ['dawn', 'back'],
  ],
];

describe('times of sending', () => {
  test.each(table)(
    '%s finds what was sent then, whatever the clock did [sent.finds-clock-did]',
    async (_, terms, names) => {
      const all = { names, isOldest: true, isNewest: true };
      const wide = { num_before: 100, num_after: 100 };
      expect(await find(terms, { anchor: 'newest', num_before: 100 })).toEqual(all);
      expect(await find(terms, { anchor: 0, num_after: 100 })).toEqual(all);
      expect(await find(terms, { anchor: ids['noon'], ...wide })).toEqual(all);
      expect(await find(terms, { anchor: ids['dawn'], ...wide })).toEqual(all);
    },
  );

  test.each(table)(
    '%s: a page ends where its time does [sent.page-ends-time]',
    async (_, terms, names) => {
      for (const [index, name] of names.entries()) {
        const around = { anchor: ids[name], num_before: 1, num_after: 1 };
        expect(await find(terms, around)).toEqual({
          names: names.slice(Math.max(0, index - 1), index + 2),
          isOldest: index <= 1,
          isNewest: index >= names.length - 2,
        });
      }
    },
  );

  test('times of sending narrow a search for words, too [sent.times-sending-narrow]', async () => {
    const apples = (...terms: readonly unknown[]) =>
      find([['search', 'apples'], ...terms], { anchor: 'newest', num_before: 9 });
    expect(await apples()).toMatchObject({ names: ['late', 'noon', 'back', 'again'] });
    expect(await apples(['sent-after', 0])).toMatchObject({ names: ['noon', 'again'] });
    expect(await apples(not('sent-after', 0))).toMatchObject({ names: ['late', 'back'] });
    expect(await apples(['sent-within', [-1, 1]])).toMatchObject({ names: ['late', 'noon'] });
    expect(await apples(['sent-after', 91])).toMatchObject({ names: [], isOldest: true });
    const upward = [
      ['search', 'apples'],
      ['sent-before', 0],
    ];
    expect(await find(upward, { anchor: 0, num_after: 9 })).toEqual({
      names: ['late', 'back'],
      isOldest: true,
      isNewest: true,
    });
    expect(await find(upward, { anchor: ids['late'], num_after: 9 })).toMatchObject({
      names: ['late', 'back'],
      isNewest: true,
    });
  });

  test('a time of sending tells of given messages whether they were sent then [sent.time-sending-given]', async () => {
    const { messages } = await service.ask(ben, api.search.matchesNarrow, {
      msg_ids: Object.values(ids),
      narrow: absolute([['sent-within', [0, 2]]]),
    });
    expect(Object.keys(messages).map((id) => nameOf(Number(id)))).toEqual(['noon', 'after']);
  });
});

describe('what is no time', () => {
  const oneMoment = 'must be a moment in whole seconds since 1970 (UTC)';
  const twoMoments =
    'operand of sent-within must be a list of two moments in whole seconds since 1970 (UTC), the earlier one first';
  test.each<[string, readonly unknown[], string]>([
    ['a date', ['sent-after', '2026-01-02'], `operand of sent-after ${oneMoment}`],
    ['a word', ['sent-before', 'today'], `operand of sent-before ${oneMoment}`],
    ['nothing', ['sent-before', ''], `operand of sent-before ${oneMoment}`],
    ['a moment before 1970', ['sent-before', -1], `operand of sent-before ${oneMoment}`],
    ['a fraction', ['sent-before', '1.5'], `operand of sent-before ${oneMoment}`],
    ['a list', ['sent_after', [1, 2]], `operand of sent-after ${oneMoment}`],
    ['one moment for two', ['sent-within', 1], twoMoments],
    ['a list of one', ['sent-within', [1]], twoMoments],
    ['a list of three', ['sent-within', [1, 2, 3]], twoMoments],
    ['a list the wrong way round', ['sent-within', [2, 1]], twoMoments],
  ])('%s is BAD_NARROW and says what to give [sent.bad-narrow-give]', async (_, term, desc) => {
    const params = { anchor: 0, num_before: 0, num_after: 1, narrow: [term] };
    expect(await service.refuse(ben, page, params)).toMatchObject({ code: 'BAD_NARROW', desc });
  });

  test('times of sending are no filter of an event queue [sent.times-sending-no]', async () => {
    const refusal = await service.refuse(ben, api.events.register, {
      narrow: [['sent-after', '1']],
    });
    expect(refusal.msg).toBe('Operator sent-after not supported.');
  });
});
