/**
 * What ten times the messages cost: every operation, asked in turn of a service with 2,000 messages and of one with 20,000,
 * takes at most twice the processor time, unless it is listed here with its reason.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { NarrowOperator } from '#shared/search/narrow-terms.ts';
import { indexEntry } from '#service/features/reading/rules/index-entry.ts';
import { defaultLimits, withoutRates } from '#shared/limits.ts';
import type { Store } from '#service/db/port.ts';
import { openStore } from '#service/db/sqlite/open.ts';
import { openIndexWriter } from '#service/db/sqlite/search-indexing.ts';
import { isLong, shortOrLong } from '../support/long.ts';
import { type Caller, callers, cast, isStranger, type Member } from '../support/matrix/cast.ts';
import type { Thing } from '../support/matrix/facts.ts';
import { type Operation, operations } from '../support/matrix/scenarios.ts';
import { MatrixWorld } from '../support/matrix/world.ts';
import { ben, echoBot, gus, type Params, startTestService } from '../support/service/api.ts';

const SIZES = [2000, 20_000] as const;
const UNREAD = 500;
const STARS = 400;
const ROUNDS = shortOrLong(2, 9);
/** What seems to grow is measured so often before it fails: the machine does other work, too. */
const MORE_ROUNDS = 25;
const ATTEMPTS = 3;
const UNCOUNTED_MS = 0.02;
/** Besides twice as much. 20,000 rows that are looked at one by one take three times as long. */
const NOISE_MS = 0.4;

/** What may cost more with more messages, and why. */
const growing: readonly (readonly [name: RegExp, reason: string])[] = [
  [
    / of -search:(?:text|wo\*|"text")$/,
    'what nearly no message lacks is looked for in all of them, with turns for others in between',
  ],
];

/** A world that does not run out of messages. */
class LargeWorld extends MatrixWorld {
  override async message(thing: Thing, isSpent: boolean): Promise<number> {
    if (!isSpent) return super.message(thing, false);
    return this.service.say(
      ben,
      (await this.stage(thing.place)).name,
      'plans',
      this.fresh('soup '),
    );
  }

  override async build(...[place, count]: Parameters<MatrixWorld['build']>) {
    return super.build(place, Math.min(count ?? 1, 3));
  }
}

/** Streams, topics, conversations, mentions, stars and files in proportion; all but the newest are read. */
async function fill(store: Store, streamIds: readonly number[], messages: number): Promise<void> {
  const people = (await store.listUsers()).map(({ id }) => id);
  const pick = (at: number): number => people[at % people.length] ?? 1;
  const topics = messages * 0.03;
  for (let begin = 0; begin < messages; begin += UNREAD) {
    if (begin === messages - UNREAD) for (const id of people) await store.markAllAsRead(id);
    await store.change(function* (tx) {
      for (let at = begin; at < begin + UNREAD; at += 1) {
        const senderId = pick(at * 7);
        const topic = at % 3 === 0 ? 'plans' : `topic ${String(at % topics)}`;
        yield* tx.appendMessage({
          ...{
            senderId,
            client: 'test',
            is_me_message: false,
            has_wildcard_mention: at % 400 === 0,
          },
          ...{ content: `word${String(at % 50)} text`, rendered: '<p>text</p>', echo: null },
          ...{ has_link: at % 20 === 0, has_image: at % 400 === 1, has_attachment: at % 200 === 1 },
          ...{ mentionedUserIds: at % 50 === 0 ? [pick(at)] : [], sentAt: 1_700_000_000 + at * 60 },
          target:
            at % 5 === 0
              ? { kind: 'private', userIds: [...new Set([senderId, pick(at + (at % 30))])] }
              : {
                  ...{ kind: 'stream', streamId: streamIds[at % streamIds.length] ?? 1 },
                  ...{ topic, topicKey: topic },
                },
        });
      }
    });
    await store.trimEvents(store.lastEventId());
  }
  for (const userId of people) {
    const messageIds = Array.from(
      { length: STARS },
      (_, at) => 1 + (at % 5) + Math.floor((at * messages) / STARS),
    );
    await store.changeFlags({ userId, messageIds, op: 'add', flag: 'starred' }, () => true);
  }
}

async function indexAll(store: Store, file: string): Promise<void> {
  const writer = openIndexWriter(file, indexEntry);
  for (let isBehind = true; isBehind;) {
    const block = writer.index();
    await store.settleIndexed(block.settled);
    ({ isBehind } = block);
  }
  writer.close();
}

async function worldOf(messages: number): Promise<MatrixWorld> {
  const made = { profileFields: Infinity, userGroups: Infinity, linkifiers: Infinity };
  const limits = { ...withoutRates(defaultLimits), failedKeys: Infinity, ...made };
  const world = new LargeWorld(await startTestService({ limits }));
  const { service } = world;
  await world.prepare();
  const { id } = await world.stage('public');
  await service.halt();
  const store = await openStore({ file: service.file, commitMs: Infinity });
  await fill(store, [id, 1, 2], messages);
  await indexAll(store, service.file);
  await store.close();
  await service.start();
  return world;
}

const worlds: MatrixWorld[] = [];
beforeAll(async () => {
  for (const size of SIZES) worlds.push(await worldOf(size));
});
afterAll(async () => {
  for (const world of worlds) await world.stop();
});

const nobody = new Int32Array(new SharedArrayBuffer(4));

/** The system counts a thread's time up to now only where the thread stops for a moment. */
function threadMs(): number {
  Atomics.wait(nobody, 0, 0, 0.05);
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = threadMs();
  await work();
  const ms = threadMs() - startedAt;
  // The system has not counted it yet: no request takes so little.
  return ms < UNCOUNTED_MS ? Infinity : ms;
}

/** Whoever calls without an account has no more than a guest who is nowhere. */
const guest: Member = { name: 'guest', role: 'guest', bot: null, at: 'out' };

/** Who may do it, those first who see most. */
function callerOf({ row }: Operation, thing: Thing): Caller {
  const order: readonly Caller[] = ['admin inside', 'author', 'incoming bot', ...callers];
  if (row.auth === 'none') return 'nobody';
  const found = order.find(
    (each) => !isStranger(each) && row.may({ ...cast[each], name: each }, thing),
  );
  return found ?? 'admin inside';
}

/** The processor time of one call, its preparation left out. */
async function costIn(world: MatrixWorld, operation: Operation): Promise<number> {
  const { row, scenario, endpoint } = operation;
  const thing: Thing = row.on[0] ?? { place: 'public', moment: 'held' };
  const caller = callerOf(operation, thing);
  const isSpent = endpoint.method !== 'GET';
  // Whatever was tried before may have renewed it.
  if (!isStranger(caller)) world.service.forgetKey(world.emailOf(caller));
  const use = { world, caller, thing, isSpent };
  const { params, body } = await scenario.prepare(use);
  const headers = await world.authorizationOf(caller);
  const how = { headers, ...(body === undefined ? {} : { body }) };
  const answer = { status: 0 };
  const ms = await timed(async () => {
    answer.status = (await world.service.answer(null, endpoint, params, how)).status;
  });
  scenario.settle?.(use);
  const by = isStranger(caller) ? guest : { ...cast[caller], name: caller };
  if (row.may(by, thing)) expect(answer.status).toBe(200);
  return ms;
}

/** Stands for the stream that most messages are in. */
const LARGE = 'the large stream';

/** Every operator, where it may with an operand that many messages have and with one that few have. */
const operands: Readonly<Record<NarrowOperator | 'search', readonly unknown[]>> = {
  stream: [LARGE, 'general'],
  topic: ['plans', 'topic 7', 'nothing'],
  sender: [ben, echoBot],
  'pm-with': [ben, gus],
  'group-pm-with': [ben, gus],
  is: ['private', 'starred', 'mentioned', 'alerted', 'unread'],
  has: ['link', 'image', 'attachment'],
  near: [1000],
  id: [1000],
  in: ['all', 'home'],
  streams: ['public'],
  'sent-after': [1_700_050_000],
  'sent-before': [1_700_050_000],
  'sent-within': [[1_700_050_000, 1_700_060_000]],
  search: ['word7', 'text', 'nothing', 'wo*', '"text"'],
};

interface Term {
  readonly operator: string;
  readonly operand: unknown;
  readonly negated?: boolean;
}

const alone: readonly (readonly Term[])[] = Object.entries(operands).flatMap(([operator, all]) =>
  all.flatMap((operand) => [false, true].map((negated) => [{ operator, operand, negated }])),
);

const is = (operand: string): Term => ({ operator: 'is', operand });
const has = (operand: string): Term => ({ operator: 'has', operand });
const search: Term = { operator: 'search', operand: 'text' };

/** What an index finds of one is looked through for the other. */
const together: readonly (readonly Term[])[] = [
  ...['starred', 'mentioned', 'private', 'unread'].map((operand) => [search, is(operand)]),
  [search, has('image')],
  [has('image'), { operator: 'streams', operand: 'public' }],
  [has('attachment'), is('private')],
  [
    { operator: 'stream', operand: LARGE },
    { operator: 'topic', operand: 'topic 7' },
  ],
];

/** With what a page may be asked for beside it. */
const ways: Readonly<Record<string, Params>> = {
  'the newest': { anchor: 'newest' },
  ...(isLong && {
    'readable ones in the middle': { anchor: 900, reach: 'readable' },
    'the first unread': { anchor: 'first_unread' },
  }),
};

const said = ({ operator, operand, negated }: Term): string =>
  `${negated === true ? '-' : ''}${operator}:${String(operand)}`;

const narrows = Object.entries(ways).flatMap(([way, params]) =>
  [...alone, ...together].map((terms) => ({
    name: `${way} of ${terms.map(said).join(' ')}`,
    terms,
    params: { num_before: 20, num_after: 20, ...params },
  })),
);

async function costOfPage(
  world: MatrixWorld,
  { terms, params }: (typeof narrows)[number],
): Promise<number> {
  const { name } = await world.stage('public');
  const narrow = terms.map((term) => ({
    ...term,
    operand: term.operand === LARGE ? name : term.operand,
  }));
  const headers = await world.authorizationOf('admin inside');
  const asked = { ...params, narrow: JSON.stringify(narrow) };
  return timed(() => world.service.answer(null, api.messages.page, asked, { headers }));
}

type Least = readonly [small: number, large: number];
const NEVER: Least = [Infinity, Infinity];

/** Both in turn, so that they share what the machine does beside. */
async function leastOf(
  costs: readonly (() => Promise<number>)[],
  rounds: number,
  so: Least,
): Promise<Least> {
  const least: [number, number] = [...so];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, cost] of costs.entries()) {
      least[index] = Math.min(least[index] ?? Infinity, await cost());
    }
  }
  return least;
}

const isFlat = ([small, large]: Least): boolean =>
  large < Infinity && large <= 2 * small + NOISE_MS;

async function expectFlat(name: string, cost: (world: MatrixWorld) => Promise<number>) {
  if (growing.some(([pattern]) => pattern.test(name))) return;
  const costs = worlds.map((world) => () => cost(world));
  let least: Least = NEVER;
  // One figure that is too small would stay the least for ever.
  for (let attempt = 0; attempt < ATTEMPTS && !isFlat(least); attempt += 1) {
    least = await leastOf(costs, ROUNDS, NEVER);
    for (let more = 0; more < MORE_ROUNDS && !isFlat(least); more += 1) {
      least = await leastOf(costs, 1, least);
    }
  }
  const [small, large] = least.map((ms) => ms.toFixed(2));
  expect(isFlat(least), `${String(small)} ms, then ${String(large)}`).toBe(true);
}

test.for(narrows)('$name costs no more with ten times the messages', (narrowed) =>
  expectFlat(narrowed.name, (world) => costOfPage(world, narrowed)),
);

test.for(operations)('$name costs no more with ten times the messages', (operation) =>
  expectFlat(operation.name, (world) => costIn(world, operation)),
);
