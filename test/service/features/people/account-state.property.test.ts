/**
 * Random doings of everybody beside streams: what each account knows from the initial state and the events since is
 * what it would be told if it registered now.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  echoBot,
  everybody,
  type Params,
  startTestService,
  TestQueue,
  type TestService,
} from '#test/support/service/api.ts';
import { shortOrLong } from '#test/support/long.ts';

const RUNS = shortOrLong(6, 60);

let service: TestService;

type Facts = Readonly<Record<string, unknown>>;

/** Keys of the initial state that events replace as a whole, or key by key. */
const plainKeys = [
  'alert_words',
  'muted_topics',
  'pointer',
  'realm_filters',
  'realm_name',
  'realm_mandatory_topics',
  'realm_message_content_edit_limit_seconds',
  'night_mode',
  'timezone',
  'enable_sounds',
  'desktop_icon_count_display',
  'max_message_id',
  'full_name',
];

interface Known {
  readonly plain: Map<string, unknown>;
  readonly users: Map<number, Facts>;
  readonly formerUsers: Map<number, Facts>;
  readonly bots: Map<number, Facts>;
  /** What is unread, each described by where it stands. */
  readonly unread: Map<number, string>;
  /** Where every message stands that was told, and whether it mentions the account. */
  readonly places: Map<number, { readonly place: string; readonly isMention: boolean }>;
  readonly starred: Set<number>;
  readonly statuses: Map<string, Facts>;
  readonly present: Set<string>;
  readonly ownId: number;
}

const listIn = (from: Facts, key: string): readonly Facts[] => from[key] as readonly Facts[];
const objectIn = (from: Facts, key: string): Facts => from[key] as Facts;
const numbersIn = (from: Facts, key: string): readonly number[] => from[key] as readonly number[];
const byId = (rows: readonly Facts[]): Map<number, Facts> =>
  new Map(rows.map((row) => [Number(row['user_id']), row]));
const topicPlace = (stream: unknown, topic: unknown): string =>
  `stream ${String(stream)} ${String(topic).toLowerCase()}`;

function unreadOf(summary: Facts): Map<number, string> {
  const mentions = new Set(numbersIn(summary, 'mentions'));
  const unread = new Map<number, string>();
  const add = (each: Facts, place: string): void => {
    for (const id of numbersIn(each, 'unread_message_ids')) {
      unread.set(id, describe(place, mentions.has(id)));
    }
  };
  for (const each of listIn(summary, 'pms')) add(each, `from ${String(each['sender_id'])}`);
  for (const each of listIn(summary, 'huddles'))
    add(each, `among ${String(each['user_ids_string'])}`);
  for (const each of listIn(summary, 'streams')) {
    add(each, topicPlace(each['stream_id'], each['topic']));
  }
  return unread;
}

const describe = (place: string, isMention: boolean): string =>
  isMention ? `${place}, mentioned` : place;

async function register(
  who: string,
): Promise<{ readonly known: Known; readonly queue: TestQueue }> {
  const state = await service.ask(who, api.events.register);
  const known: Known = {
    plain: new Map(plainKeys.map((key) => [key, state[key]])),
    users: byId(listIn(state, 'realm_users')),
    formerUsers: byId(listIn(state, 'realm_non_active_users')),
    bots: byId(listIn(state, 'realm_bots')),
    unread: unreadOf(objectIn(state, 'unread_msgs')),
    places: new Map(),
    starred: new Set(numbersIn(state, 'starred_messages')),
    statuses: new Map(Object.entries(objectIn(state, 'user_status')) as [string, Facts][]),
    present: new Set(Object.keys(objectIn(state, 'presences'))),
    ownId: Number(state['user_id']),
  };
  const cursor = { id: state.queue_id, lastEventId: state.last_event_id };
  return { known, queue: new TestQueue(service, who, cursor) };
}

const isMention = (flags: readonly unknown[]): boolean =>
  flags.includes('mentioned') || flags.includes('wildcard_mentioned');

function placeOf(message: Facts): string {
  if (message['type'] === 'stream') return topicPlace(message['stream_id'], message['subject']);
  const ids = listIn(message, 'display_recipient').map((each) => Number(each['id']));
  if (ids.length < 3) return `from ${String(message['sender_id'])}`;
  return `among ${ids.sort((a, b) => a - b).join(',')}`;
}

/** Brings what is unread in line with where it stands now. */
function describeAgain(known: Known, id: number): void {
  const told = known.places.get(id);
  if (told !== undefined && known.unread.has(id)) {
    known.unread.set(id, describe(told.place, told.isMention));
  }
}

function updatePerson(known: Known, change: Facts): void {
  const id = Number(change['user_id']);
  const list = known.users.has(id) ? known.users : known.formerUsers;
  expect(list.get(id)?.['email'], JSON.stringify(change)).toBe(change['email']);
  list.set(id, { ...list.get(id), ...change });
  if (id === known.ownId && 'full_name' in change)
    known.plain.set('full_name', change['full_name']);
}

const newestIn = ({ plain }: Known): number => Number(plain.get('max_message_id'));

function moveFlag(known: Known, { op, flag, all, messages }: Facts): void {
  if (all === true) known.unread.clear();
  for (const id of messages as readonly number[]) {
    // Starring what was never delivered makes a copy.
    if (flag === 'starred') known.plain.set('max_message_id', Math.max(id, newestIn(known)));
    if (flag === 'starred') known.starred[op === 'add' ? 'add' : 'delete'](id);
    if (flag === 'read' && op === 'add') known.unread.delete(id);
    if (flag === 'read' && op === 'remove') {
      known.unread.set(id, '');
      describeAgain(known, id);
    }
  }
}

function updateMessages(known: Known, event: Facts): void {
  const named = Number(event['message_id']);
  for (const id of numbersIn(event, 'message_ids')) {
    const told = known.places.get(id);
    if (told === undefined) continue;
    const place =
      'subject' in event ? topicPlace(event['stream_id'], event['subject']) : told.place;
    const flags = event['flags'] as readonly unknown[];
    const isTold = id === named && 'content' in event;
    known.places.set(id, { place, isMention: isTold ? isMention(flags) : told.isMention });
    describeAgain(known, id);
  }
}

const reducers: Readonly<Record<string, (known: Known, event: Facts) => void>> = {
  message(known, event) {
    const message = objectIn(event, 'message');
    const flags = event['flags'] as readonly unknown[];
    const id = Number(message['id']);
    known.plain.set('max_message_id', id);
    known.places.set(id, { place: placeOf(message), isMention: isMention(flags) });
    if (flags.includes('read')) return;
    known.unread.set(id, '');
    describeAgain(known, id);
  },
  update_message: updateMessages,
  update_message_flags: moveFlag,
  'realm_user add'({ users, formerUsers }, event) {
    const person = objectIn(event, 'person');
    users.set(Number(person['user_id']), person);
    formerUsers.delete(Number(person['user_id']));
  },
  'realm_user remove'({ users, formerUsers }, event) {
    const id = Number(objectIn(event, 'person')['user_id']);
    formerUsers.set(id, users.get(id) ?? {});
    users.delete(id);
  },
  'realm_user update'(known, event) {
    updatePerson(known, objectIn(event, 'person'));
  },
  'realm_bot add'({ bots }, event) {
    const bot = objectIn(event, 'bot');
    bots.set(Number(bot['user_id']), bot);
  },
  'realm_bot update'({ bots }, event) {
    const bot = objectIn(event, 'bot');
    const id = Number(bot['user_id']);
    expect(bots.has(id), JSON.stringify(event)).toBe(true);
    bots.set(id, { ...bots.get(id), ...bot });
  },
  'realm_bot remove'({ bots }, event) {
    const id = Number(objectIn(event, 'bot')['user_id']);
    bots.set(id, { ...bots.get(id), is_active: false });
  },
  'realm_bot delete'({ bots }, event) {
    bots.delete(Number(objectIn(event, 'bot')['user_id']));
  },
  'realm update'({ plain }, { property, value }) {
    plain.set(`realm_${String(property)}`, value);
  },
  'realm update_dict'({ plain }, event) {
    for (const [key, value] of Object.entries(objectIn(event, 'data'))) {
      plain.set(`realm_${key}`, value);
    }
  },
  update_display_settings({ plain }, event) {
    plain.set(String(event['setting_name']), event['setting']);
  },
  update_global_notifications({ plain }, event) {
    plain.set(String(event['notification_name']), event['setting']);
  },
  user_status({ statuses }, event) {
    const id = String(event['user_id']);
    const { away, status_text: text } = { ...statuses.get(id), ...event };
    const status = {
      ...(away === true ? { away } : {}),
      ...(text === undefined || text === '' ? {} : { status_text: text }),
    };
    if (Object.keys(status).length === 0) statuses.delete(id);
    else statuses.set(id, status);
  },
  presence({ present }, event) {
    present.add(String(event['email']));
  },
};

function apply(known: Known, event: Facts): void {
  const type = String(event['type']);
  const reduce = reducers[type] ?? reducers[`${type} ${String(event['op'])}`];
  reduce?.(known, event);
  // Lists that are told as a whole, under the name of their event.
  if (plainKeys.includes(type)) known.plain.set(type, event[type]);
}

/** What stands beside an address or an id that an event names is for the client to look up. */
const withoutOwner = ([id, row]: readonly [number, Facts]): readonly [number, Facts] => [
  id,
  { ...row, bot_owner: null, owner: null },
];

/** Bots are not told what people are doing. */
function comparable(known: Known, who: string): object {
  const sorted = <T>(entries: Iterable<readonly [number, T]>) =>
    [...entries].sort(([a], [b]) => a - b);
  const people = (users: ReadonlyMap<number, Facts>) => sorted([...users].map(withoutOwner));
  return {
    plain: Object.fromEntries(known.plain),
    users: people(known.users),
    formerUsers: people(known.formerUsers),
    bots: people(known.bots),
    unread: sorted(known.unread),
    starred: [...known.starred].sort((a, b) => a - b),
    statuses: Object.fromEntries(known.statuses),
    present: who === echoBot ? [] : [...known.present].sort(),
  };
}

interface Step {
  readonly who: string;
  readonly request: string;
  readonly params: Params;
}

const anybody = fc.constantFrom(...everybody, ada);
const id = fc.integer({ min: 1, max: 12 });
const userId = fc.integer({ min: 5, max: 10 });
/** Nobody who listens here. */
const otherId = fc.integer({ min: 7, max: 10 });
const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const topic = one('t', 'T', 'u');
const content = one('x', '@**all**', '@**Ben Member** see', 'kiwi');

/** @param path  where `*` stands for an id */
const step = (
  request: fc.Arbitrary<string>,
  params: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  ids: fc.Arbitrary<number> = id,
): fc.Arbitrary<Step> =>
  fc
    .record({ who: anybody, request, params: fc.record(params), on: ids })
    .map(({ on, ...rest }) => ({ ...rest, request: rest.request.replace('*', String(on)) }));

const name = one('One Name', 'Other Name');
const steps: readonly fc.Arbitrary<Step>[] = [
  step(one('POST /messages'), {
    type: one('stream'),
    to: one('general', 'engineering'),
    topic,
    content,
  }),
  step(one('POST /messages'), {
    type: one('private'),
    to: fc.uniqueArray(one(1, 2, 3, 4, 6), { minLength: 1, maxLength: 3 }),
    content,
  }),
  step(one('PATCH /messages/*'), { content }),
  step(one('PATCH /messages/*'), { topic, propagate_mode: one('change_one', 'change_all') }),
  step(one('POST /messages/flags'), {
    messages: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }),
    op: one('add', 'remove'),
    flag: one('read', 'starred'),
  }),
  step(one('POST /mark_all_as_read'), {}),
  step(one('POST /mark_topic_as_read'), { stream_id: one(1, 2), topic_name: topic }),
  step(one('PATCH /users/me/subscriptions/muted_topics'), {
    stream_id: one(1, 2),
    topic,
    op: one('add', 'remove'),
  }),
  step(one('POST /users/me/alert_words', 'DELETE /users/me/alert_words'), {
    alert_words: one(['kiwi'], ['kiwi', 'x'], ['y']),
  }),
  step(one('POST /users/me/pointer'), { pointer: id }),
  step(one('POST /users/me/presence'), { status: one('active', 'idle') }),
  step(one('POST /users/me/status'), { away: fc.boolean(), status_text: one('', 'out') }),
  step(one('PATCH /settings'), { full_name: name }),
  step(one('PATCH /settings/notifications'), {
    enable_sounds: fc.boolean(),
    desktop_icon_count_display: one(1, 2),
  }),
  step(one('PATCH /settings/display'), { night_mode: fc.boolean(), timezone: one('', 'UTC') }),
  step(one('POST /users'), {
    email: one('d@example.com', 'e@example.com'),
    password: one('a long password'),
    full_name: name,
  }),
  step(one('PATCH /users/*'), { full_name: name }, userId),
  step(one('PATCH /users/*'), { role: one(400, 600) }, one(2, 3, 4)),
  // Whoever listens here stays active, and so do the owners of the bots.
  step(one('DELETE /users/*', 'POST /users/*/reactivate'), {}, otherId),
  step(one('POST /bots'), {
    full_name: name,
    short_name: one('f', 'g'),
    bot_type: one(1, 3),
    payload_url: one('http://hook.example/'),
  }),
  step(one('PATCH /bots/*'), { full_name: name }, userId),
  // Another owner means another key, with which whoever listens could not go on.
  step(one('PATCH /bots/*'), { bot_owner_id: one(1, 2, 3) }, otherId),
  step(
    one('PATCH /bots/*'),
    { default_sending_stream: one('', 'general'), service_interface: one(1, 2) },
    userId,
  ),
  step(one('POST /bots/*/api_key/regenerate', 'DELETE /bots/*'), {}, otherId),
  step(one('POST /realm/filters'), {
    pattern: one('A(?P<id>[0-9]+)', 'B(?P<id>[0-9]+)'),
    url_format_string: one('http://x.example/%(id)s'),
  }),
  step(one('DELETE /realm/filters/*'), {}, one(1, 2)),
  step(one('PATCH /realm'), {
    name,
    mandatory_topics: fc.boolean(),
    message_content_edit_limit_seconds: one(0, 600),
  }),
];

async function run(taken: readonly Step[]): Promise<void> {
  const clients = await Promise.all(
    everybody.map(async (who) => ({ who, ...(await register(who)) })),
  );
  for (const { who, request, params } of taken) {
    // Whether it is refused does not matter here.
    const { status } = await service.send(who, request, params);
    expect(status, request).toBeLessThan(500);
  }
  for (const { who, known, queue } of clients) {
    for (const event of await queue.now()) apply(known, event);
    const { known: fresh } = await register(who);
    expect(comparable(known, who), who).toEqual(comparable(fresh, who));
  }
}

async function check(taken: readonly Step[]): Promise<void> {
  service = await startTestService();
  try {
    await run(taken);
  } finally {
    await service.stop();
  }
}

test('events keep every account up to date with what it would be told afresh', async () => {
  const taken = fc.array(fc.oneof(...steps), { minLength: 40, maxLength: 90 });
  await fc.assert(fc.asyncProperty(taken, check), { numRuns: RUNS });
}, 700_000);
