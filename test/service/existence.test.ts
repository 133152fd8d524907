/**
 * Hidden and absent are answered alike, whatever names them: each argument of each endpoint that refers to something is sent
 * once with what the caller may not see and once with what is not there, beside the same other arguments.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { accessOf, type AnyEndpoint, type Table } from '#shared/api/endpoint.ts';
import { type Argument, argumentsOf } from '../support/adversarial/requests.ts';
import { plausible } from '../support/fuzz/values.ts';
import { shortOrLong } from '../support/long.ts';
import { type Random, randomFrom } from '../support/random.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '../support/service/api.ts';

const TIMES = shortOrLong(4, 60);

interface Pair {
  /** What neither of the callers may see. */
  readonly hidden: readonly (number | string)[];
  readonly absent: number | string;
}

type Kind =
  'attachment' | 'delivery' | 'device' | 'invitation' | 'message' | 'streamId' | 'streamName';

type Reference = readonly [
  kind: Kind,
  ...written: readonly ((value: number | string) => unknown)[],
];

const plain = (value: number | string): unknown => value;
const listed = (value: number | string): unknown => [value];
const narrows = ['stream', 'near', 'id'].map((operator) => (operand: number | string) => [
  { operator, operand },
]);
const streamId: Reference = ['streamId', plain];
const streamName: Reference = ['streamName', plain];
const stream: readonly Reference[] = [streamName];
const message: readonly Reference[] = [['message', plain]];

/** Arguments that refer to what not everybody may see, and how. */
const references: Readonly<Record<string, readonly Reference[]>> = {
  anchor: message,
  attachment_id: [['attachment', plain]],
  default_events_register_stream: stream,
  default_sending_stream: stream,
  delete: [['streamName', listed]],
  delivery_id: [['delivery', plain]],
  device_id: [['device', plain]],
  invite_id: [['invitation', plain]],
  known: [['message', (id) => [[id, 0]]]],
  message_id: message,
  messages: [['message', listed]],
  msg_ids: [['message', listed]],
  narrow: [
    ['streamId', ...narrows],
    ['streamName', ...narrows],
    ['message', ...narrows],
  ],
  pointer: message,
  stream: [streamName, streamId],
  stream_id: [streamId],
  stream_ids: [['streamId', listed]],
  stream_name: stream,
  stream_names: [['streamName', listed]],
  subscription_data: [
    ['streamId', (id) => [{ stream_id: id, property: 'color', value: '#aabbcc' }]],
  ],
  subscriptions: [['streamName', listed]],
  to: [streamName, streamId, ['streamName', listed]],
};

/** Names of what everybody sees, of what the caller makes, and of nothing. */
const others: ReadonlySet<string> = new Set([
  ...['bot_id', 'bot_owner_id', 'field_id', 'filter_id', 'user_group_id', 'user_id'],
  ...['add', 'client_id', 'id', 'last_event_id', 'local_id', 'notifications_stream_id'],
  // Of queues nobody guesses one.
  'queue_id',
  // Administrators see all of them.
  'request_id',
  ...['all_public_streams', 'default_all_public_streams', 'include_subscribers', 'push_token'],
  // Its owner alone has it: `pieces.others-answered-none`.
  'upload_id',
]);

/** What the caller makes where there is none, which cannot be where one is; the bodies of lost messages need a MAC. */
const made: ReadonlySet<AnyEndpoint> = new Set([api.streams.subscribe, api.recovery.offer]);

const usual: Readonly<Record<string, readonly unknown[]>> = {
  op: ['add', 'remove', 'start', 'stop'],
  flag: ['read', 'starred'],
  narrow: [[]],
  num_before: [2],
  num_after: [2],
  dont_block: [true],
  type: ['stream'],
  content: ['"text"', '@**all** text'],
  topic: ['lunch', 'nothing yet'],
};

const endpoints = Object.entries<Table>(api).flatMap(([aggregate, table]) =>
  Object.entries(table).map(([name, endpoint]) => ({ name: `${aggregate}.${name}`, endpoint })),
);

const cases = endpoints.flatMap(({ name, endpoint }) =>
  made.has(endpoint) || accessOf(endpoint) === 'admin'
    ? []
    : argumentsOf(endpoint)
        .filter((argument) => Object.hasOwn(references, argument.name))
        .map((argument) => ({ title: `${name} ${argument.name}`, endpoint, argument })),
);

let service: TestService;
let pairs: Readonly<Record<Kind, Pair>>;
/** A message of each that they may edit. */
const own = new Map<string, number>();
const bots = new Map<string, { readonly id: number; readonly key: string }>();

/** Where numbers begin, so that they can be told from others in an answer. */
const FAR: Readonly<Record<string, number>> = { message: 8_000_000, stream: 70_000 };

async function fileOf(who: string): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob(['text']), 'secret.txt');
  await service.ask(who, api.uploads.upload, {}, { body });
  const { attachments } = await service.ask(who, api.uploads.list);
  return attachments[0]?.id ?? 0;
}

const payload = JSON.stringify({ featured_title: 'Title', featured_url: 'https://example.com' });

async function hookOf(who: string): Promise<{ readonly id: number; readonly key: string }> {
  const params = {
    full_name: `hook of ${String(idOf[who])}`,
    short_name: who.split('@')[0],
    bot_type: 2,
  };
  const { user_id: id, api_key: key } = await service.ask(who, api.bots.create, params);
  const delivery = { integration: 'helloworld', api_key: key, stream: 'general' };
  await service.ask(null, api.webhooks.receive, delivery, { body: payload });
  return { id, key };
}

/** Messages that neither may read, and one that is gone from among them; the numbers on either side are of what both read. */
async function sayHidden(): Promise<Pair> {
  for (const who of [cleo, gus]) own.set(who, await service.say(who, 'general', 'lunch', 'before'));
  const hidden = [
    await service.say(ada, 'backroom', 'lunch', 'secret'),
    await service.tell(ada, [ben], 'psst'),
    await service.say(ada, 'closet', 'lunch', 'old'),
  ];
  const absent = await service.say(ada, 'backroom', 'lunch', 'gone');
  for (const id of [...hidden, absent]) {
    await service.ask(ada, api.lifecycle.edit, { message_id: id, content: 'secret and edited' });
    await service.ask(ben, api.reactions.add, { message_id: id, emoji_name: 'tada' });
  }
  await service.ask(ada, api.lifecycle.delete, { message_id: absent });
  await service.say(ada, 'general', 'lunch', 'after');
  return { hidden, absent };
}

beforeAll(async () => {
  service = await startTestService({});
  for (const [table, seq] of Object.entries(FAR)) {
    service.change('DELETE FROM sqlite_sequence WHERE name = ?', table);
    service.change('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, seq);
  }
  await service.restart();
  await service.join(ada, ['backroom'], { invite_only: true, principals: [ada, ben] });
  await service.join(ada, ['closet'], { principals: [ada, ben] });
  const message = await sayHidden();
  const idOfStream = async (stream: string): Promise<number> =>
    (await service.ask(ada, api.streams.findId, { stream })).stream_id;
  const streamIds = [await idOfStream('backroom'), await idOfStream('closet')];
  await service.ask(ada, api.streamAdmin.archive, { stream_id: streamIds[1] });
  for (const who of [ben, cleo]) bots.set(who, await hookOf(who));
  const { deliveries } = await service.ask(ben, api.deliveries.list, { bot_id: bots.get(ben)?.id });
  await service.ask(null, api.devices.signIn, { username: ben, name: 'phone' });
  const { devices } = await service.ask(ben, api.devices.list);
  const { id: invitation } = await service.ask(ada, api.invitations.inviteMany);
  const numbers = (hidden: readonly number[]): Pair => ({ hidden, absent: 99_999_999 });
  pairs = {
    message,
    attachment: numbers([await fileOf(ada)]),
    delivery: numbers([deliveries[0]?.id ?? 0]),
    device: numbers([devices[0]?.id ?? 0]),
    invitation: numbers([invitation]),
    streamId: numbers(streamIds),
    streamName: { hidden: ['backroom', 'closet'], absent: 'noroom' },
  };
});
afterAll(() => service.stop());

test('every argument that names something is among those that are compared, or names what everybody sees', () => {
  const unknown = endpoints.flatMap(({ name, endpoint }) =>
    argumentsOf(endpoint)
      .map((argument) => argument.name)
      .filter((argument) => /(?:^|_)ids?$|^(?:streams?|messages?|anchor)$/.test(argument))
      .filter((argument) => !Object.hasOwn(references, argument) && !others.has(argument))
      .map((argument) => `${name} ${argument}`),
  );
  expect(unknown).toEqual([]);
});

function valueOf(random: Random, { name, schema }: Argument): unknown {
  const known = usual[name];
  return known === undefined || random.chance(0.2)
    ? plausible(random, name, schema)
    : random.pick(known);
}

/** The other arguments: those that are needed, and some of those that are not. */
function besides(random: Random, endpoint: AnyEndpoint, tested: string, who: string): Params {
  const more = argumentsOf(endpoint).filter(
    ({ name, isRequired }) => name !== tested && (isRequired || random.chance(0.4)),
  );
  const params = Object.fromEntries(more.map((each) => [each.name, valueOf(random, each)]));
  const bot = bots.get(random.chance(0.5) ? ben : cleo);
  return {
    ...params,
    ...('bot_id' in params ? { bot_id: bot?.id } : {}),
    ...('message_id' in params ? { message_id: own.get(who) } : {}),
    ...('stream_id' in params ? { stream_id: 1 } : {}),
    ...('delivery_id' in params ? { delivery_id: pairs.delivery.hidden[0] } : {}),
    ...('user_id' in params ? { user_id: idOf[random.pick([ben, who])] } : {}),
    ...(endpoint.auth === 'webhook'
      ? { api_key: bots.get(cleo)?.key, integration: 'helloworld' }
      : {}),
  };
}

/** What each answer has of its own. */
const NEW = /"(?:delivery":\{"id|time|last_time|server_timestamp|queue_id)":"?[\d.:]+/g;

/** What was answered, without what it was asked about. */
async function told(who: string, endpoint: AnyEndpoint, params: Params, it: number | string) {
  const isAsked = endpoint.auth === 'user' || endpoint.auth === 'sender';
  const how = endpoint.auth === 'webhook' ? { body: payload } : {};
  const { status, body } = await service.answer(isAsked ? who : null, endpoint, params, how);
  const text = JSON.stringify(body).replace(NEW, '');
  return `${String(status)} ${text.replaceAll(String(it), '<it>')}`;
}

test.for(cases)(
  '$title tells nothing of what is hidden [existence.nothing-hidden]',
  async ({ endpoint, argument }) => {
    const { name } = argument;
    const differing: string[] = [];
    for (let seed = 0; seed < TIMES; seed += 1) {
      const random = randomFrom(seed);
      const who = random.pick([cleo, gus]);
      const [kind, ...ways] = random.pick(references[name] ?? []);
      const { hidden: all, absent } = pairs[kind];
      const hidden = random.pick(all);
      const more = besides(random, endpoint, name, who);
      const written = random.pick(ways);
      const ask = (it: number | string): Promise<string> =>
        told(who, endpoint, { ...more, [name]: written(it) }, it);
      // What it has changed by being asked once, it does not change again.
      await ask(absent);
      const answers = [await ask(absent), await ask(hidden), await ask(absent)];
      if (new Set(answers).size > 1) {
        differing.push(
          [who, JSON.stringify({ ...more, [name]: written(hidden) }), ...answers].join('\n'),
        );
      }
    }
    expect(differing, differing.join('\n\n')).toEqual([]);
  },
);
