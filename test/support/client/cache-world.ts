/** A service with everything that bears on what an account finds, and its cache filled through the API. */
import { expect } from 'vitest';
import type { Cache, CachedPage, PageQuery, CoverageScope } from '#client/cache/port.ts';
import type { NarrowScope } from '#client/cache/narrow-scope.ts';
import { scopeOf } from '#client/sync/state/scope.ts';
import { Snapshot, snapshotTypes, stateFrom } from '#client/sync/state/snapshot.ts';
import { api } from '#shared/api/endpoints/index.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';
import { ada, ben, cleo, gus, type Params, type TestService } from '../service/api.ts';
import { type Random, randomFrom } from '../random.ts';

/** The account whose cache it is. */
export const viewer = ben;

export const texts: readonly string[] = [
  'The **deployment** of the server is running late',
  'deploys and deployed: see https://example.com/plan',
  'look at https://example.com/cat.png',
  '[minutes](/user_uploads/1/x/minutes.txt) of the meeting',
  '清华大学的学生 met in Beijing',
  'Café crème at the naïve Ångström bar',
  '`const answer = 42;` is code',
  '```python\nprint("deploy")\n```',
  '> quoted pineapple\n\nand an answer',
  'fooBarBaz and HTTPServer talk to build123',
  '**H**earth is **bold** and ~~gone~~',
  'party :tada: time 🎉',
  '@**Ben Member** please look at the pineapple',
  '@**all** the server is down',
  'the and of it',
  'a -> b => c',
  'Straße nach ŁÓDŹ',
  '/me waves at the deployment',
  'x < y && "quoted" isn\'t > z',
  'pineapple pineapple juice',
  '$$x^2$$ is math',
  '* one\n* two pineapples',
];

const topics = [
  'deploy',
  'Deploy',
  'lunch & <b>',
  '清华',
  'naïve café',
  '(no topic)',
  'a/b.c%20d',
  '🎉',
  'ＷＩＤＥ',
] as const;

const streams = ['open', 'Ünï café', 'noisy', 'later', 'left', 'secret', 'vault', 'gone'] as const;
/** Those that stay. */
const lasting = [...streams, 'elsewhere'] as const;

export async function streamIdOf(service: TestService, name: string): Promise<number> {
  const { streams: all } = await service.ask(ada, api.streams.list, { include_all_active: true });
  const found = all.find((stream) => stream.name === name);
  if (found === undefined) throw new Error(`no stream ${name}`);
  return found.stream_id;
}

interface Talk {
  readonly count: number;
  readonly places: readonly string[];
}

async function talk(service: TestService, random: Random, { count, places }: Talk): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const text = `${random.pick(texts)}${random.chance(0.3) ? ` ${random.pick(texts)}` : ''}`;
    if (random.chance(0.3)) {
      const others = random.pick([[ada], [cleo], [ada, cleo], [ben], [ada, cleo, gus]]);
      const who = others[0] === ben ? ben : random.pick([ben, ...others]);
      await service.tell(who, [ben, ...others], text);
    } else {
      await service.say(ada, random.pick(places), random.pick(topics), text);
    }
  }
}

async function prepareStreams(service: TestService): Promise<void> {
  const all = { principals: [ada, ben, cleo] };
  await service.join(ada, ['open', 'Ünï café', 'noisy', 'left', 'old'], all);
  await service.join(ada, ['later', 'elsewhere'], { principals: [ada, cleo] });
  await service.join(ada, ['gone'], { invite_only: true, principals: [ada, ben] });
  const isPrivate = { invite_only: true, principals: [ada, cleo] };
  await service.join(ada, ['secret'], { ...isPrivate, history_public_to_subscribers: true });
  await service.join(ada, ['vault'], { ...isPrivate, history_public_to_subscribers: false });
  await service.ask(ben, api.alertWords.add, { alert_words: ['pineapple'] });
}

async function changeMemberships(service: TestService): Promise<void> {
  await service.join(ada, ['later', 'secret', 'vault'], { principals: [ben] });
  const stream_id = await streamIdOf(service, 'noisy');
  const setting = { stream_id, property: 'is_muted', value: true };
  await service.ask(ben, api.subscriptions.setProperties, { subscription_data: [setting] });
  for (const topic of ['Deploy', '🎉', 'ＷＩＤＥ']) {
    await service.ask(ben, api.subscriptions.muteTopic, { stream: 'open', topic, op: 'add' });
  }
}

/** One change of a message, by whoever may do it; refusals change nothing. */
export async function changeSomething(service: TestService, random: Random): Promise<void> {
  const { messages } = await service.ask(ada, api.messages.page, {
    anchor: random.pick(['newest', 'oldest']),
    num_before: 200,
    num_after: 200,
  });
  const message_id = random.pick(messages).id;
  const text = random.pick(texts);
  const topic = random.pick(topics);
  const mode = { propagate_mode: random.pick(['change_one', 'change_later', 'change_all']) };
  const flag = { messages: [message_id], op: random.pick(['add', 'remove']) };
  const reaction = { message_id, emoji_name: random.pick(['tada', 'heart', 'smile']) };
  const who = random.pick([ada, ben, cleo]);
  const target = await streamIdOf(service, random.pick(['open', 'noisy', 'later', 'elsewhere']));
  const works: readonly (() => Promise<unknown>)[] = [
    () => service.answer(ada, api.lifecycle.edit, { message_id, content: `${text} edited` }),
    () => service.answer(ada, api.lifecycle.edit, { message_id, topic, ...mode }),
    () => service.answer(ada, api.lifecycle.edit, { message_id, stream_id: target, ...mode }),
    () => service.answer(ada, api.lifecycle.delete, { message_id }),
    () => service.answer(ben, api.readState.changeFlags, { ...flag, flag: 'read' }),
    () => service.answer(ben, api.readState.changeFlags, { ...flag, flag: 'starred' }),
    () => service.answer(who, api.reactions.add, reaction),
    () => service.answer(who, api.reactions.remove, reaction),
    () =>
      service.answer(who, api.submessages.add, { message_id, msg_type: 'widget', content: '{}' }),
    () => talk(service, random, { count: 1, places: lasting }),
  ];
  await random.pick(works)();
}

export interface WorldOptions {
  readonly messages: number;
  readonly changes: number;
}

/** Sends, changes, joins and leaves, the same for the same seed. */
export async function buildWorld(
  service: TestService,
  seed: number,
  { messages, changes }: WorldOptions,
): Promise<void> {
  const random = randomFrom(seed);
  await prepareStreams(service);
  const half = { count: messages / 2, places: [...lasting, 'old'] };
  await talk(service, random, half);
  await changeMemberships(service);
  await talk(service, random, half);
  for (let count = 0; count < changes; count += 1) await changeSomething(service, random);
  await starHistory(service);
  const left = { subscriptions: ['left', 'gone'] };
  await service.ask(ben, api.subscriptions.unsubscribe, left);
  await service.ask(ada, api.streamAdmin.archive, { stream_id: await streamIdOf(service, 'old') });
  await talkAfterwards(service);
}

/** Copies: of one that stays starred, of one that no longer is, and of one that was reacted to. */
async function starHistory(service: TestService): Promise<void> {
  for (const stream of ['elsewhere', 'later']) {
    const narrow = [['stream', stream]];
    const page = { anchor: 'oldest', num_before: 0, num_after: 3, narrow };
    const { messages } = await service.ask(ben, api.messages.page, page);
    const [first, second, third] = messages.map(({ id }) => id);
    const star = { messages: [first, second], flag: 'starred' };
    await service.ask(ben, api.readState.changeFlags, { ...star, op: 'add' });
    const unstar = { messages: [second], flag: 'starred', op: 'remove' };
    await service.ask(ben, api.readState.changeFlags, unstar);
    const reaction = { message_id: third, emoji_name: 'eyes' };
    await service.ask(ben, api.reactions.add, reaction);
  }
}

/** What comes after the viewer has left. */
async function talkAfterwards(service: TestService): Promise<void> {
  for (const stream of ['left', 'gone', 'open', 'elsewhere']) {
    await service.say(ada, stream, 'afterwards', 'pineapple deployment');
  }
}

export async function scopeFor(service: TestService): Promise<NarrowScope> {
  const answer = await service.ask(viewer, api.events.register, {
    fetch_event_types: snapshotTypes,
    client_gravatar: true,
    event_types: [],
  });
  return scopeOf(stateFrom(Snapshot.parse(answer)));
}

const asked: Params = { apply_markdown: true, client_gravatar: true, with_source: true };

export const narrowsOf = (place: CoverageScope): readonly NarrowTerm[] => {
  if (place.kind === 'held') return [];
  return place.kind === 'private'
    ? [{ operator: 'is', operand: 'private' }]
    : [{ operator: 'stream', operand: place.streamId }];
};

/** Everything of a place, page by page, as the background does it. */
export async function fillPlace(
  service: TestService,
  cache: Cache,
  place: CoverageScope,
): Promise<void> {
  let throughId = Infinity;
  for (;;) {
    const { messages, found_oldest: isOldest } = await service.ask(viewer, api.messages.page, {
      ...asked,
      anchor: throughId === Infinity ? 'newest' : throughId + 1,
      num_before: 100,
      num_after: 0,
      narrow: narrowsOf(place),
    });
    const older = messages.filter(({ id }) => id <= throughId);
    const fromId = isOldest ? 0 : (older[0]?.id ?? 0);
    cache.putRange(place, older, { fromId, throughId });
    if (isOldest) return;
    throughId = fromId - 1;
  }
}

export async function fillCache(service: TestService, cache: Cache): Promise<void> {
  const scope = await scopeFor(service);
  await fillPlace(service, cache, { kind: 'held' });
  for (const { streamId } of scope.streams) {
    await fillPlace(service, cache, { kind: 'stream', streamId });
  }
}

/** Fetches what the cache knows to be out of date. */
export async function refreshStale(service: TestService, cache: Cache): Promise<void> {
  for (let ids = cache.findStale(10); ids.length > 0; ids = cache.findStale(10)) {
    const messages: Message[] = [];
    for (const id of ids) {
      const answer = await service.answer(viewer, api.lifecycle.get, { message_id: id, ...asked });
      if (answer.status === 200) messages.push(answer.body['message'] as Message);
    }
    cache.putFetchedMessage(ids, messages);
  }
}

type ServicePage = Omit<CachedPage, 'isComplete' | 'isOwnComplete'>;

export type ServiceAnswer = { readonly page: ServicePage } | { readonly refusal: string };

const anchorOf = ({ anchor }: PageQuery): Params =>
  anchor === 'first-unread' ? { use_first_unread_anchor: true, anchor: 0 } : { anchor };

/** What is compared: flags are a set, and what was there before an edit is not kept. */
function comparable(message: Message): object {
  const { edit_history: _history, is_held: _isHeld, flags, ...rest } = message;
  return { ...rest, flags: [...flags].sort() };
}

const comparablePage = (page: ServicePage): object => ({
  anchor: page.anchor,
  found_anchor: page.found_anchor,
  messages: page.messages.map(comparable),
});

export async function askService(service: TestService, query: PageQuery): Promise<ServiceAnswer> {
  const { status, body } = await service.answer(viewer, api.messages.page, {
    ...asked,
    ...anchorOf(query),
    num_before: query.numBefore,
    num_after: query.numAfter,
    narrow: query.narrow,
    ...(query.order === undefined ? {} : { order: query.order }),
    ...(query.historyScope === undefined ? {} : { reach: query.historyScope }),
  });
  if (status !== 200) return { refusal: String(body['msg']) };
  return { page: body as unknown as ServicePage };
}

export function askCache(
  cache: Cache,
  query: PageQuery,
  scope: NarrowScope,
): { readonly page: CachedPage } | { readonly refusal: string } {
  try {
    return { page: cache.page(query, scope) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ServiceError') throw error;
    return { refusal: error.message };
  }
}

/** The same messages, or the same words of refusal; and both ends, where the cache knows that it has them. */
export function expectSame(
  given: ServiceAnswer,
  kept: ReturnType<typeof askCache>,
  query: PageQuery,
): void {
  const what = JSON.stringify(query);
  if ('refusal' in given || 'refusal' in kept) {
    expect(kept, what).toEqual(given);
    return;
  }
  // Those who may no longer read where a message stands keep its MAC, and are given none for what it becomes.
  const unproven = new Set(
    given.page.messages.filter(({ proof }) => proof === undefined).map(({ id }) => id),
  );
  const proven = (page: typeof kept.page): typeof kept.page => ({
    ...page,
    messages: page.messages.map((message) => {
      const { proof: _, ...rest } = message;
      return unproven.has(message.id) ? rest : message;
    }),
  });
  expect(comparablePage(proven(kept.page)), what).toEqual(comparablePage(given.page));
  if (kept.page.found_oldest) expect(given.page.found_oldest, what).toBe(true);
  if (kept.page.found_newest) expect(given.page.found_newest, what).toBe(true);
}

/**
 * As `expectSame`, where everything was fetched: then the ends are known as well, but for that of a side on which nothing is
 * asked for. A page is complete without what lies there.
 */
export function expectSameEnds(
  given: ServiceAnswer,
  kept: ReturnType<typeof askCache>,
  { numBefore, numAfter }: Pick<PageQuery, 'numBefore' | 'numAfter'>,
): void {
  if ('refusal' in given || 'refusal' in kept || !kept.page.isComplete) return;
  const ends = ({ found_oldest, found_newest }: ServicePage): object => ({
    found_oldest: numBefore > 0 && found_oldest,
    found_newest: numAfter > 0 && found_newest,
  });
  expect(ends(kept.page)).toEqual(ends(given.page));
}
