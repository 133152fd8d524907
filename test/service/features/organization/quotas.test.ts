/** How much one person, and the organization, may have of what everybody's memory carries (API decisions 13). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { png, upload } from '#test/support/images.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    limits: {
      personStreams: 3,
      personEmoji: 2,
      emoji: 3,
      personBots: 4,
      personMutedTopics: 2,
      userGroups: 2,
      linkifiers: 2,
      profileFields: 2,
      messageReactions: 2,
      messageSubmessages: 2,
      deliveryMessages: 4,
      webhookCalls: 10,
    },
  });
});
afterAll(() => service.stop());

const named = (names: readonly string[]): Params => ({
  subscriptions: names.map((name) => ({ name })),
});

test('one person and their bots make so many streams, counted as they are made, and others go on [quotas.person-bots-make]', async () => {
  const { subscribe } = api.streams;
  await service.ask(cleo, subscribe, named(['one']));
  const refused = {
    code: 'BAD_REQUEST',
    msg: 'One person and their bots can have at most 3 streams',
  };
  expect(await service.refuse(cleo, subscribe, named(['two', 'three', 'four']))).toMatchObject(
    refused,
  );
  // As many as fit, however many ask at once.
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => service.answer(cleo, subscribe, named([name]))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.find(({ status }) => status === 400)?.body).toMatchObject(refused);
  await service.ask(cleo, subscribe, named(['one']));
  const add = { add: [{ name: 'e' }] };
  expect(await service.refuse(cleo, api.subscriptions.change, add)).toMatchObject(refused);
  await service.ask(ada, subscribe, named(['x', 'y']));
  // A bot is its owner's: both together are too many.
  const owner = service.dump()['account']?.find((row) => row['email'] === echoBot)?.['owner_id'];
  expect(owner).toBe(1);
  const own = service.dump()['stream']?.filter((row) => row['creator_id'] === 1).length ?? 0;
  const more = Array.from({ length: Math.max(1, 4 - own) }, (_, index) => `bot ${String(index)}`);
  expect(await service.refuse(echoBot, subscribe, named(more))).toMatchObject(refused);
});

test('an emoji that was removed counts, for one person and in all', async () => {
  const { add, deactivate } = api.emoji;
  const body = upload(png);
  for (const name of ['e1', 'e2']) {
    await service.ask(ben, add, { name }, { body });
    await service.ask(ben, deactivate, { name });
  }
  const own = 'One person and their bots can have at most 2 emoji (removed ones count)';
  expect(await service.refuse(ben, add, { name: 'e3' }, { body })).toMatchObject({ msg: own });
  await service.ask(cleo, add, { name: 'e3' }, { body });
  const all = 'The organization can have at most 3 emoji (removed ones count)';
  expect(await service.refuse(ada, add, { name: 'e4' }, { body })).toMatchObject({ msg: all });
});

test('a bot that was deactivated counts', async () => {
  const { create, deactivate } = api.bots;
  for (let number = 0; number < 4; number++) {
    const bot = { full_name: `Bot ${String(number)}`, short_name: `bot-${String(number)}` };
    const { bots } = await service.ask(cleo, api.bots.list);
    if (bots.length >= 4) break;
    const { user_id: id } = await service.ask(cleo, create, bot);
    await service.ask(cleo, deactivate, { bot_id: id });
  }
  const one = { full_name: 'One more', short_name: 'one-more' };
  expect(await service.refuse(cleo, create, one)).toMatchObject({
    msg: 'One person and their bots can have at most 4 bots (deactivated ones count)',
  });
});

test('muted topics, user groups, linkifiers and profile fields are so many', async () => {
  const mute = (topic: string): Params => ({ stream: 'general', topic, op: 'add' });
  const linkifier = (text: string): Params => ({
    pattern: `${text}-(?P<id>[0-9]+)`,
    url_format_string: 'https://example.com/%(id)s',
  });
  const kinds = [
    [
      api.subscriptions.muteTopic,
      mute,
      'One person and their bots can have at most 2 muted topics',
    ],
    [
      api.userGroups.create,
      (name: string) => ({ name, description: '', members: [] }),
      'The organization can have at most 2 user groups',
    ],
    [api.linkifiers.add, linkifier, 'The organization can have at most 2 linkifiers'],
    [
      api.profileFields.add,
      (name: string) => ({ name, field_type: 1 }),
      'The organization can have at most 2 profile fields',
    ],
  ] as const;
  for (const [endpoint, params, msg] of kinds) {
    const texts = ['aaa', 'bbb', 'ccc', 'ddd', 'eee'];
    const answers = [];
    for (const text of texts) answers.push(await service.answer(ada, endpoint, params(text)));
    expect(
      answers.some(({ status }) => status === 200),
      msg,
    ).toBe(true);
    expect(answers.at(-1), msg).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } });
  }
});

test('what one person puts on one message is so much, and others go on', async () => {
  const { id } = await service.ask(ada, api.messages.send, {
    ...{ type: 'stream', to: 'general', topic: 't', content: 'Hello' },
  });
  const react = (who: string, name: string) =>
    service.answer(who, api.reactions.add, { message_id: id, emoji_name: name });
  for (const name of ['tada', 'heart']) expect((await react(ben, name)).status).toBe(200);
  expect((await react(ben, 'smile')).body).toMatchObject({
    msg: 'One person and their bots can have at most 2 reactions to one message',
  });
  expect((await react(ada, 'smile')).status).toBe(200);
  const attach = (who: string) =>
    service.answer(who, api.submessages.add, { message_id: id, msg_type: 'widget', content: '{}' });
  for (let count = 0; count < 2; count++) expect((await attach(ben)).status).toBe(200);
  expect((await attach(ben)).body).toMatchObject({
    msg: 'One person and their bots can have at most 2 submessages of one message',
  });
  expect((await attach(ada)).status).toBe(200);
});

test('a delivery counts as the messages that it becomes, and becomes no more than a limit [quotas.delivery-counts-messages]', async () => {
  const bot = { full_name: 'Alarms', short_name: 'alarms', bot_type: 2 };
  const { api_key: key, user_id: owned } = await service.ask(ben, api.bots.create, bot);
  const deliver = (count: number) => {
    const alerts = Array.from({ length: count }, (_, index) => ({
      status: 'firing',
      labels: { instance: `machine ${String(index)}`, alertname: 'Down' },
      annotations: {},
    }));
    const params = { integration: 'alertmanager', api_key: key, stream: 'general' };
    const headers = { 'content-type': 'application/json' };
    return service.answer(null, api.webhooks.receive, params, {
      headers,
      body: JSON.stringify({ alerts }),
    });
  };
  const messages = (): number => service.dump()['message']?.length ?? 0;
  const before = messages();
  expect((await deliver(5)).body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'The delivery would become 5 messages, and 4 are possible: have less sent at once',
  });
  expect((await deliver(4)).status).toBe(200);
  expect((await deliver(4)).status).toBe(200);
  expect(messages() - before).toBe(8);
  // One call is left, of ten: it is not enough for two messages, of which none is posted.
  const limited = await deliver(2);
  expect([limited.status, limited.body['code']]).toEqual([429, 'RATE_LIMIT_HIT']);
  expect(messages() - before).toBeLessThanOrEqual(9);
  const { deliveries } = await service.ask(ben, api.deliveries.list, { bot_id: owned });
  expect(deliveries.map(({ outcome }) => outcome)).toContain('limited');
});
