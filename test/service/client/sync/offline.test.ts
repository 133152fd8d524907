import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NarrowScope } from '#client/cache/narrow-scope.ts';
import type { Cache, PageQuery } from '#client/cache/port.ts';
import { type NarrowTerm, type HistoryScope, historyScopes } from '#shared/api/narrow.ts';
import { openSqliteCache } from '#desktop/storage/cache/sqlite-cache.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import {
  askCache,
  type ServiceAnswer,
  askService,
  buildWorld,
  expectSame,
  expectSameEnds,
  fillCache,
  scopeFor,
  texts,
} from '#test/support/client/cache-world.ts';
import { shortOrLong } from '#test/support/long.ts';
import { randomFrom } from '#test/support/random.ts';

const not = (operator: string, operand: NarrowTerm['operand']): NarrowTerm => ({
  operator,
  operand,
  negated: true,
});
const is = (operator: string, operand: NarrowTerm['operand']): NarrowTerm => ({
  operator,
  operand,
});
const id = (email: string): number => idOf[email] ?? 0;

const narrows: readonly (readonly NarrowTerm[])[] = [
  [],
  [is('stream', 'open')],
  [is('channel', 'ÜNÏ CAFÉ')],
  [is('stream', 'noisy')],
  [is('stream', 'later')],
  [is('stream', 'left')],
  [is('stream', 'secret')],
  [is('stream', 'vault')],
  [is('stream', 'gone')],
  [is('stream', 'elsewhere')],
  [is('stream', 'open'), is('topic', 'deploy')],
  [is('stream', 'open'), is('subject', '  DEPLOY ')],
  [is('stream', 'later'), is('topic', 'lunch & <b>')],
  [is('topic', '清华')],
  [is('topic', 'wide')],
  [not('topic', 'deploy')],
  [is('stream', 'open'), not('topic', 'deploy')],
  [not('stream', 'open')],
  [is('stream', 'later'), not('sender', ada)],
  [is('sender', ada)],
  [is('from', id(cleo))],
  [is('sender', 'BEN@example.com')],
  [not('sender', ada)],
  [is('pm-with', ada)],
  [is('pm_with', `${ada}, ${cleo}`)],
  [is('dm', [id(ada), id(cleo), id(gus)])],
  [is('pm-with', ben)],
  [is('pm-with', gus)],
  [not('pm-with', ada)],
  [is('group-pm-with', cleo)],
  [is('dm-including', id(gus))],
  [not('group-pm-with', cleo)],
  [is('is', 'private')],
  [not('is', 'private')],
  [is('is', 'starred')],
  [is('is', 'mentioned')],
  [is('is', 'alerted')],
  [is('is', 'unread')],
  [not('is', 'unread')],
  [is('stream', 'later'), not('is', 'starred')],
  [is('stream', 'elsewhere'), is('is', 'starred')],
  [is('stream', 'open'), is('is', 'mentioned'), not('is', 'alerted')],
  [is('has', 'link')],
  [is('has', 'image')],
  [is('has', 'attachment'), is('is', 'private')],
  [not('has', 'link'), is('sender', ada)],
  [is('in', 'home')],
  [not('in', 'home')],
  [is('in', 'all'), is('near', 12)],
  [is('streams', 'public'), is('sender', ada)],
];

/** When the world begins. It lasts some hours, in which the clock is set back now and then. */
const START = 1_767_225_600;
const SENT_AT = `${String(START)} + id * 97 - CASE WHEN id % 40 < 6 THEN 9000 ELSE 0 END`;
const moments = [0, -9000, 97 * 37, 97 * 41, 3600, 7200, 7201, 97 * 150, 20_000, 10 ** 7].map(
  (seconds) => START + seconds,
);
const [dawn = 0, , one = 0, two = 0, hour = 0, , , late = 0] = moments;

const timed: readonly (readonly NarrowTerm[])[] = [
  [is('sent-after', late)],
  [is('sent_before', String(late))],
  [not('sent-after', one)],
  [not('SENT-BEFORE', two)],
  [is('sent-after', one), is('sent-before', late)],
  [is('sent-within', [hour, late])],
  [not('sent-within', [hour, String(late)])],
  [is('sent-within', [hour, hour])],
  [is('sent-after', 10 ** 12)],
  [is('sent-before', 0)],
  [is('stream', 'open'), is('sent-within', [dawn, two])],
  [is('topic', 'deploy'), is('sent-after', two)],
  [is('is', 'unread'), is('sent-before', late)],
  [is('is', 'starred'), is('sent-after', one)],
  [is('pm-with', ada), is('sent-after', hour)],
  [is('search', 'pineapple'), is('sent-before', late)],
  [is('search', 'dep*'), is('sent-within', [one, late])],
  [is('search', '"the server"'), not('sent-within', [one, late])],
  [is('search', 'server'), not('search', 'deploy'), is('sent-after', hour)],
  [is('stream', 'open'), is('search', 'pineapple'), is('sent-after', late)],
  [
    is('search', 'server'),
    ...Array.from({ length: 99 }, (_, at) => not('search', `x${String(at % 30)} deploy`)),
  ],
];

const refused: readonly (readonly NarrowTerm[])[] = [
  [is('stream', 'nowhere')],
  [is('stream', 999)],
  [is('sender', 'nobody@example.com')],
  [is('pm-with', `${ada},nobody@example.com`)],
  [is('is', 'blue')],
  [is('has', 'wings')],
  [is('in', 'out')],
  [is('streams', 'private')],
  [is('id', 'x')],
  [is('sideways', 'x')],
  [is('search', [1])],
  [is('search', Array.from({ length: 33 }, (_, at) => `word${String(at)}`).join(' '))],
  [is('search', `"${'word '.repeat(65)}"`)],
  [is('stream', ['open'])],
  [is('sent-after', 'yesterday')],
  [is('sent-before', '2026-11-03')],
  [is('sent-before', -1)],
  [is('sent-after', [START])],
  [is('sent-within', START)],
  [is('sent-within', [START])],
  [is('sent-within', [START + 1, START])],
  [is('sent-within', [START, START, START])],
];

const words = [
  'deploy',
  'deployment',
  'DEPLOYED server',
  'pineapple',
  'pineapples juice',
  '清华',
  '大学',
  'cafe',
  'naïve',
  'lodz',
  'strasse',
  'angstrom bar',
  '42',
  'const',
  'print',
  'foo',
  'foobarbaz',
  'http server',
  'build',
  'hearth',
  'bold gone',
  'tada',
  '🎉',
  'the',
  'the and',
  'of it',
  '->',
  '"->"',
  '"=> c"',
  '"the server"',
  '"server is running"',
  '"pineapple juice"',
  '"Pineapple" late',
  '"清华大学"',
  '"**bold**"',
  'dep*',
  'pine* jui*',
  'caf*',
  'x*',
  '"x < y"',
  "isn't",
  'nothingatall',
  'waves',
  'beijing students',
  'math',
  'two pineapples',
  '""',
  '*',
  'server -deploy',
  'example.com',
] as const;

const places: readonly (readonly NarrowTerm[])[] = [
  [],
  [is('stream', 'open')],
  [is('stream', 'elsewhere')],
  [is('stream', 'later'), is('topic', 'deploy')],
  [is('is', 'private')],
  [is('sender', ada)],
  [is('is', 'starred')],
  [is('is', 'unread')],
  [not('stream', 'open')],
  [is('in', 'home')],
  [is('has', 'link')],
  [not('search', 'server')],
  [not('search', '"the server"'), not('search', 'cafe')],
  [is('streams', 'public')],
  [is('pm-with', ada)],
];

/** Each of the words alone, and each somewhere. */
const searches = [
  ...words.map((text) => [is('search', text)]),
  ...words.map((text, index) => [...(places[index % places.length] ?? []), is('search', text)]),
];

const random = randomFrom(11);
const queryOf = (narrow: readonly NarrowTerm[], index: number): PageQuery => {
  const anchors = ['newest', 'first-unread', 0, 40 + (index % 90), 2 ** 53] as const;
  return {
    narrow,
    anchor: anchors[index % anchors.length] ?? 'newest',
    numBefore: random.below(30),
    numAfter: random.below(30),
  };
};

const whole = (narrow: readonly NarrowTerm[], historyScope: HistoryScope): PageQuery => ({
  ...{ narrow, historyScope },
  ...{ anchor: 'newest', numBefore: 1000, numAfter: 0 },
});

const ranked = (narrow: readonly NarrowTerm[], numBefore: number): PageQuery => ({
  narrow,
  anchor: 'newest',
  numBefore,
  numAfter: 0,
  order: 'relevance',
});

/** Each at three places of the history, and all of it as far as each reach goes; searches by relevance, too. */
const queries = [...narrows, ...timed, ...searches, ...refused].flatMap((narrow, index) => [
  queryOf(narrow, index),
  queryOf(narrow, index + 1),
  { narrow, anchor: 'newest' as const, numBefore: 1000, numAfter: 0 },
  { ...queryOf(narrow, index), historyScope: historyScopes[index % historyScopes.length] },
  whole(narrow, 'subscribed'),
  whole(narrow, 'readable'),
  ...(narrow.some(({ operator }) => operator === 'search')
    ? [ranked(narrow, 1000), ranked(narrow, 1 + (index % 7))]
    : []),
]);

let service: TestService;
let dir: string;
let cache: Cache;
let scope: NarrowScope;

beforeAll(async () => {
  service = await startTestService();
  await buildWorld(service, 1, { messages: 260, changes: 90 });
  service.change(`UPDATE message SET sent_at = ${SENT_AT}`);
  service.change('DELETE FROM message_hour');
  service.change(`INSERT INTO message_hour SELECT id, hour FROM (SELECT id, sent_at / 3600 AS hour,
    LAG(sent_at / 3600) OVER (ORDER BY id) AS hour_before FROM message)
    WHERE hour IS NOT hour_before`);
  dir = mkdtempSync(join(tmpdir(), 'hearth-cache-'));
  ({ cache } = openSqliteCache(join(dir, 'cache.db')));
  await fillCache(service, cache);
  scope = await scopeFor(service);
});

afterAll(async () => {
  cache.close();
  await service.stop();
  rmSync(dir, { recursive: true });
});

const operand = fc.constantFrom(
  ...texts.flatMap((text) => text.split(/\s+/)),
  'dep*',
  '"the server"',
);
const seconds = fc.oneof(
  fc.constantFrom(...moments),
  fc.nat(30_000).map((each) => START + each),
);
const moment = fc
  .oneof(
    fc.tuple(fc.constantFrom('sent-after', 'sent-before'), seconds),
    fc.tuple(fc.constant('sent-within'), fc.tuple(seconds, seconds)),
  )
  .map(([operator, operand]) => is(operator, operand));
const term: fc.Arbitrary<NarrowTerm> = fc
  .record({
    plain: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...[...narrows, ...refused].flat()) },
      { weight: 2, arbitrary: moment },
    ),
    search: operand,
    isSearch: fc.boolean(),
    negated: fc.boolean(),
  })
  .map(({ plain, search, isSearch, negated }) => ({
    ...(isSearch ? is('search', search) : plain),
    negated,
  }));
const anyQuery: fc.Arbitrary<PageQuery> = fc.record({
  order: fc.option(fc.constant('relevance' as const), { nil: undefined, freq: 2 }),
  reach: fc.option(fc.constantFrom(...historyScopes), { nil: undefined }),
  narrow: fc.array(term, { maxLength: 4 }),
  anchor: fc.oneof(fc.constantFrom('newest' as const, 'first-unread' as const), fc.nat(400)),
  numBefore: fc.nat(40),
  numAfter: fc.nat(40),
});

describe('what is kept answers as the service does', () => {
  test('50 narrows and 100 searches are asked', () => {
    expect(narrows).toHaveLength(50);
    expect(searches).toHaveLength(100);
  });

  test('while the service runs, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const given = await askService(service, query);
        const kept = askCache(cache, query, scope);
        expectSame(given, kept, query);
        expectSameEnds(given, kept, query);
      }),
      {
        numRuns: shortOrLong(80, 400),
        examples: [
          [
            {
              historyScope: 'readable',
              narrow: [],
              anchor: 'first-unread',
              numBefore: 0,
              numAfter: 0,
            },
          ],
        ],
      },
    );
  });

  test('with the service stopped, what is kept still answers as the service did, from a file that is opened anew', async () => {
    const given: { readonly query: PageQuery; readonly answer: ServiceAnswer }[] = [];
    for (const query of queries) given.push({ query, answer: await askService(service, query) });
    await service.halt();
    cache.close();
    const { cache: reopened, problem } = openSqliteCache(join(dir, 'cache.db'));
    cache = reopened;
    expect(problem).toBeNull();
    for (const { query, answer } of given) {
      expectSame(answer, askCache(cache, query, scope), query);
    }
  });

  test('what is said of time is what looking at every message finds', () => {
    const all = cache.page({ narrow: [], anchor: 'newest', numBefore: 1000, numAfter: 0 }, scope);
    fc.assert(
      fc.property(fc.array(fc.tuple(moment, fc.boolean()), { maxLength: 3 }), (drawn) => {
        const terms = drawn
          .filter(([{ operand: each }]) => !Array.isArray(each) || (each[0] ?? 0) <= (each[1] ?? 0))
          .map(([each, negated]) => ({ ...each, negated }));
        const wanted = all.messages.filter(({ timestamp }) =>
          terms.every(({ operator, operand: each, negated }) => {
            const [first, second] = [each].flat().map(Number);
            if (first === undefined) return false;
            if (operator === 'sent-after') return timestamp >= first !== negated;
            if (operator === 'sent-before') return timestamp < first !== negated;
            return (timestamp >= first && timestamp < (second ?? 0)) !== negated;
          }),
        );
        const query = { narrow: terms, anchor: 'newest', numBefore: 1000, numAfter: 0 } as const;
        const { messages, isComplete } = cache.page(query, scope);
        expect(messages.map(({ id: each }) => each)).toEqual(wanted.map(({ id: each }) => each));
        expect(isComplete).toBe(true);
      }),
      { numRuns: shortOrLong(70, 300) },
    );
  });

  const incomplete = (reach: HistoryScope, key: 'isComplete' | 'isOwnComplete'): typeof narrows =>
    narrows.filter((narrow) => !cache.page(whole(narrow, reach), scope)[key]);
  // Nobody tells what is new in streams that the account does not follow.
  const unfollowed = [
    [is('stream', 'left')],
    [is('stream', 'elsewhere')],
    [is('streams', 'public'), is('sender', ada)],
  ];

  test.each(['held', 'subscribed'] as const)(
    'an answer from what is kept is complete in what is %s',
    (reach) => {
      expect(incomplete(reach, 'isComplete')).toEqual(unfollowed);
      expect(incomplete(reach, 'isOwnComplete')).toEqual(unfollowed);
    },
  );

  test('an answer from what is kept is complete in all that may be read but for streams that the account does not follow', () => {
    expect(incomplete('readable', 'isOwnComplete')).toEqual(unfollowed);
    expect(incomplete('readable', 'isComplete')).toContainEqual([]);
    expect(incomplete('readable', 'isComplete')).not.toContainEqual([is('is', 'starred')]);
    expect(incomplete('readable', 'isComplete')).not.toContainEqual([is('pm-with', ada)]);
  });

  test('further with every reach', () => {
    const count = (reach: HistoryScope): number =>
      cache.page(whole([], reach), scope).messages.length;
    expect(count('subscribed')).toBeGreaterThan(count('held'));
    expect(count('readable')).toBeGreaterThan(count('subscribed'));
  });
});
