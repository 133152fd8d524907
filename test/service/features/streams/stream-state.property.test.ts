/**
 * Random administration by everybody at once: what each account knows from the initial state and the events since
 * is what it would be told if it registered now.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import {
  ada,
  ben,
  everybody,
  gus,
  type Params,
  startTestService,
  TestQueue,
  type TestService,
} from '#test/support/service/api.ts';
import { shortOrLong } from '#test/support/long.ts';

const RUNS = shortOrLong(8, 60);
const types = ['stream', 'subscription', 'default_streams', 'muted_topics'];
const streamKeys = [
  'name',
  'description',
  'rendered_description',
  'invite_only',
  'is_announcement_only',
  'history_public_to_subscribers',
] as const;
const subscriptionKeys = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
] as const;

let service: TestService;

type Facts = Readonly<Record<string, unknown>>;

/** What a client keeps. */
interface Known {
  readonly streams: Map<number, Facts>;
  readonly subscriptions: Map<number, Facts>;
  readonly subscribers: Map<number, Set<number>>;
  defaults: readonly number[];
  /** Whether a stream was left, of which nobody tells what becomes of it, and with it of its muted topics. */
  hasLeft: boolean;
  muted: readonly (readonly [string, string])[];
}

interface StreamObject extends Facts {
  readonly stream_id: number;
  readonly name: string;
  readonly subscribers?: readonly number[];
}

const pick = (from: Facts, keys: readonly string[]): Facts =>
  Object.fromEntries(keys.map((key) => [key, from[key]]));

function addSubscription(known: Known, each: StreamObject): void {
  known.streams.set(each.stream_id, pick(each, streamKeys));
  known.subscriptions.set(each.stream_id, pick(each, subscriptionKeys));
  known.subscribers.set(each.stream_id, new Set(each.subscribers));
}

const idsIn = (streams: unknown): readonly number[] =>
  (streams as readonly StreamObject[]).map((stream) => stream.stream_id);

async function register(
  who: string,
): Promise<{ readonly known: Known; readonly queue: TestQueue }> {
  const state = await service.ask(who, api.events.register, {
    event_types: types,
    include_subscribers: true,
  });
  const known: Known = {
    streams: new Map(),
    subscriptions: new Map(),
    subscribers: new Map(),
    defaults: idsIn(state['realm_default_streams']),
    hasLeft: false,
    muted: state['muted_topics'] as Known['muted'],
  };
  for (const each of state['streams'] as readonly StreamObject[]) {
    known.streams.set(each.stream_id, pick(each, streamKeys));
  }
  for (const each of state['subscriptions'] as readonly StreamObject[])
    addSubscription(known, each);
  const lists = ['subscriptions', 'unsubscribed', 'never_subscribed'].flatMap((key) =>
    idsIn(state[key]),
  );
  expect(new Set(lists)).toEqual(new Set(known.streams.keys()));
  const cursor = { id: state.queue_id, lastEventId: state.last_event_id };
  return { known, queue: new TestQueue(service, who, cursor) };
}

/** Whoever leaves a stream that it may not see otherwise knows that by itself. */
function leave(known: Known, who: string, id: number): void {
  known.hasLeft = true;
  known.subscriptions.delete(id);
  known.subscribers.delete(id);
  const isPrivate = known.streams.get(id)?.['invite_only'] === true;
  if (who === gus || (isPrivate && who !== ada)) known.streams.delete(id);
}

function updateStream(known: Known, event: Facts): void {
  const id = Number(event['stream_id']);
  const stream = known.streams.get(id);
  expect(stream?.['name'], JSON.stringify(event)).toBe(event['name']);
  const property = String(event['property']);
  const more = pick(
    event,
    streamKeys.filter((key) => key !== 'name' && key in event),
  );
  known.streams.set(id, { ...stream, ...more, [property]: event['value'] });
  if (property !== 'name') return;
  const rename = ([name, topic]: readonly [string, string]) =>
    [name === event['name'] ? String(event['value']) : name, topic] as const;
  known.muted = known.muted.map(rename);
}

function applyStreamEvent(known: Known, event: Facts): void {
  if (event['op'] === 'update') updateStream(known, event);
  for (const each of (event['streams'] ?? []) as readonly StreamObject[]) {
    if (event['op'] === 'create') known.streams.set(each.stream_id, pick(each, streamKeys));
    if (event['op'] === 'delete') known.streams.delete(each.stream_id);
  }
}

function applySubscriptionEvent(known: Known, who: string, event: Facts): void {
  const subscriptions = event['subscriptions'] as readonly StreamObject[];
  const id = Number(event['stream_id']);
  switch (event['op']) {
    case 'add':
      for (const each of subscriptions) addSubscription(known, each);
      break;
    case 'remove':
      for (const each of subscriptions) leave(known, who, each.stream_id);
      break;
    case 'update':
      known.subscriptions.set(id, {
        ...known.subscriptions.get(id),
        [String(event['property'])]: event['value'],
      });
      break;
    case 'peer_add':
      known.subscribers.get(id)?.add(Number(event['user_id']));
      break;
    case 'peer_remove':
      known.subscribers.get(id)?.delete(Number(event['user_id']));
      break;
  }
}

function apply(known: Known, who: string, event: Facts): void {
  switch (event['type']) {
    case 'stream':
      applyStreamEvent(known, event);
      break;
    case 'subscription':
      applySubscriptionEvent(known, who, event);
      break;
    case 'default_streams':
      known.defaults = idsIn(event['default_streams']);
      break;
    case 'muted_topics':
      known.muted = event['muted_topics'] as Known['muted'];
  }
}

/** Guests are not told of the other subscribers of public streams. */
function comparable(known: Known, who: string, hasMuted: boolean): object {
  const sorted = <T>(entries: Iterable<readonly [number, T]>) =>
    [...entries].sort(([a], [b]) => a - b);
  const users = (ids: ReadonlySet<number>) => [...ids].sort((a, b) => a - b);
  return {
    streams: sorted(known.streams),
    subscriptions: sorted(known.subscriptions),
    subscribers: who === gus ? [] : sorted(known.subscribers).map(([id, ids]) => [id, users(ids)]),
    defaults: known.defaults,
    muted: hasMuted ? known.muted.map((entry) => entry.join('>')) : [],
  };
}

const endpoints = {
  subscribe: api.streams.subscribe,
  unsubscribe: api.subscriptions.unsubscribe,
  change: api.subscriptions.change,
  setProperties: api.subscriptions.setProperties,
  muteTopic: api.subscriptions.muteTopic,
  update: api.streamAdmin.update,
  archive: api.streamAdmin.archive,
  addDefault: api.streamAdmin.addDefault,
  removeDefault: api.streamAdmin.removeDefault,
} satisfies Record<string, AnyEndpoint>;

type EndpointName = keyof typeof endpoints;

interface Step {
  readonly who: string;
  readonly endpoint: EndpointName;
  /** A stream to name by its id. */
  readonly stream: string | null;
  /** Whether an archived stream is meant: the newest one of the name. */
  readonly isArchived: boolean;
  readonly params: Params;
}

const who = fc.constantFrom(...everybody);
const name = fc.constantFrom('general', 'engineering', 'leads', 'a', 'b', 'c');
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
const principals = fc.uniqueArray(fc.constantFrom(...everybody), { maxLength: 3 });

const step = (
  endpoint: EndpointName,
  params: fc.Arbitrary<Params>,
  stream: fc.Arbitrary<string | null> = fc.constant(null),
  callers: fc.Arbitrary<string> = who,
): fc.Arbitrary<Step> =>
  fc.record({
    ...{ who: callers, endpoint: fc.constant(endpoint), stream, params },
    isArchived: fc.constant(false),
  });

const asObjects = names.map((each) => each.map((one) => ({ name: one })));
const admins = fc.constantFrom(ada, ada, ada, ben);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  step('subscribe', fc.record({ subscriptions: asObjects, principals, invite_only: fc.boolean() })),
  step('unsubscribe', fc.record({ subscriptions: names, principals })),
  step('change', fc.record({ add: asObjects, delete: names })),
  step(
    'update',
    fc.record(
      {
        new_name: name,
        description: fc.constantFrom('', 'x', '*y*'),
        is_private: fc.boolean(),
        is_announcement_only: fc.boolean(),
        history_public_to_subscribers: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    name,
    admins,
  ),
  step('archive', fc.constant({}), name, admins),
  step(
    'update',
    fc.record({ new_name: name }, { requiredKeys: [] }).map((named) => ({
      ...named,
      is_archived: false,
    })),
    name,
    admins,
  ).map((each) => ({ ...each, isArchived: true })),
  step('addDefault', fc.constant({}), name, admins),
  step('removeDefault', fc.constant({}), name, admins),
  step(
    'muteTopic',
    fc.record({
      stream: name,
      topic: fc.constantFrom('t', 'T', 'u'),
      op: fc.constantFrom('add', 'remove'),
    }),
  ),
);

const settings = fc.oneof(
  fc.record({
    property: fc.constantFrom('is_muted', 'in_home_view', 'pin_to_top', 'desktop_notifications'),
    value: fc.boolean(),
  }),
  fc.record({ property: fc.constant('color'), value: fc.constantFrom('#abc', 'fff') }),
);
const settingStep: fc.Arbitrary<Step> = step(
  'setProperties',
  settings.map((each) => ({ setting: each })),
  name,
);

async function idsByName(isArchived: boolean): Promise<ReadonlyMap<string, number>> {
  const all = { include_all_active: true, include_archived: true };
  const { streams } = await service.ask(ada, api.streams.list, all);
  const meant = streams.filter((stream) => stream.is_archived === isArchived);
  return new Map(meant.map((stream) => [stream.name, stream.stream_id]));
}

async function take({ who: caller, endpoint, stream, isArchived, params }: Step): Promise<void> {
  const id = stream === null ? undefined : ((await idsByName(isArchived)).get(stream) ?? 999);
  const { setting, ...rest } = params;
  const data =
    setting === undefined ? {} : { subscription_data: [{ stream_id: id, ...(setting as object) }] };
  // Whether it is refused does not matter here; the answer is checked against the endpoint all the same.
  await service.answer(caller, endpoints[endpoint], {
    ...rest,
    ...data,
    ...(id === undefined ? {} : { stream_id: id }),
  });
}

async function check(steps: readonly Step[]): Promise<void> {
  service = await startTestService();
  try {
    await run(steps);
  } finally {
    await service.stop();
  }
}

async function run(steps: readonly Step[]): Promise<void> {
  const clients = await Promise.all(
    everybody.map(async (account) => ({ who: account, ...(await register(account)) })),
  );
  for (const each of steps) await take(each);
  for (const { who: account, known, queue } of clients) {
    for (const event of await queue.now()) apply(known, account, event);
    const { known: fresh } = await register(account);
    const hasMuted = !known.hasLeft;
    const told = comparable(fresh, account, hasMuted);
    expect(comparable(known, account, hasMuted), account).toEqual(told);
  }
}

test('events keep every account up to date with what it would be told afresh', async () => {
  const steps = fc.array(fc.oneof({ weight: 8, arbitrary: anyStep }, settingStep), {
    minLength: 10,
    maxLength: 40,
  });
  await fc.assert(fc.asyncProperty(steps, check), { numRuns: RUNS });
}, 700_000);
