import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { exampleDelivery, slackExample } from '#service/http/documentation/outgoing.ts';
import { decodeParams } from '#shared/api/wire.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import {
  callBy,
  callerOf,
  type EventService,
  fetchEvents,
  register,
  startEvents,
} from '#test/support/service/event-service.ts';
import { HookServer } from '#test/support/service/hook-server.ts';

const server = new HookServer();
let service: TestService;
let bot: { readonly user_id: number; readonly email: string };
let slackBot: { readonly user_id: number; readonly email: string };
beforeAll(async () => {
  await server.start();
  service = await startTestService({ allowPrivateAddresses: true });
  const make = (name: string, interfaceType: number) =>
    service.ask(ben, api.bots.create, {
      full_name: name,
      short_name: name.toLowerCase(),
      bot_type: 3,
      payload_url: server.url(`/${name.toLowerCase()}`),
      interface_type: interfaceType,
    });
  bot = await make('Oracle', 1);
  slackBot = await make('Slacker', 2);
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});
afterEach(() => {
  expect(server.waiting).toBe(0);
});

const deliveries = (): readonly object[] => service.dump()['bot_delivery'] ?? [];
const tokenOf = (id: number): unknown =>
  service.dump()['bot_service']?.find((row) => row['account_id'] === id)?.['token'];
const json = (body: string): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>;

const delivered = (): Promise<void> => expect.poll(deliveries).toEqual([]);

/** The bot is told this next, so there was nothing else; and then everything is delivered. */
const settled = async (): Promise<void> => {
  await service.tell(ada, [bot.email], 'anything else?');
  const request = await server.next();
  expect(json(request.body)['data']).toBe('anything else?');
  request.answer({ response_not_required: true });
  await delivered();
};

describe('a bot is told', () => {
  test('a bot is told of a message that mentions it, with everything about it', async () => {
    const content = 'What says @**Oracle**?';
    const id = await service.say(ada, 'engineering', 'future', content);
    const request = await server.next();
    expect(request).toMatchObject({ method: 'POST', path: '/oracle' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Hearth\/\d+\.\d+\.\d+/),
    });
    const { flags: _, ...message } = (await service.read(ada, id, { apply_markdown: false })) ?? {};
    expect(json(request.body)).toEqual({
      bot_email: bot.email,
      data: content,
      message,
      token: tokenOf(bot.user_id),
      trigger: 'mention',
    });
    const shown = exampleDelivery();
    expect(Object.keys(shown)).toEqual(Object.keys(json(request.body)));
    expect(Object.keys(shown['message'] as object).sort()).toEqual(Object.keys(message).sort());
    request.answer();
  });

  test('a bot is told of a private message to it, alone or among others', async () => {
    for (const to of [[bot.email], [bot.email, cleo]]) {
      await service.tell(ada, to, 'psst');
      const request = await server.next();
      expect(json(request.body)).toMatchObject({
        data: 'psst',
        trigger: 'private_message',
        message: { type: 'private', content: 'psst', content_type: 'text/x-markdown' },
      });
      request.answer();
    }
  });

  test('a bot is told in the fields that Slack uses, where it is made so', async () => {
    await service.say(ada, 'engineering', 'future', '@**Slacker** hello');
    const request = await server.next();
    expect(request.path).toBe('/slacker');
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.keys(slackExample)).toEqual([...new URLSearchParams(request.body).keys()]);
    expect(Object.fromEntries(new URLSearchParams(request.body))).toEqual({
      token: tokenOf(slackBot.user_id),
      team_id: '',
      channel_id: '2',
      channel_name: 'engineering',
      timestamp: expect.stringMatching(/^\d+$/),
      user_id: String(idOf[ada]),
      user_name: 'Ada Admin',
      text: '@**Slacker** hello',
      trigger_word: 'mention',
      service_id: String(slackBot.user_id),
    });
    request.answer();
    await service.tell(ada, [slackBot.email], 'psst');
    const second = await server.next();
    expect(new URLSearchParams(second.body).get('channel_name')).toBe('directmessage');
    second.answer();
  });

  test('nothing of messages that do not name it, of silent mentions, or of a private stream', async () => {
    await service.say(ada, 'engineering', 'future', 'Oracle? @_**Oracle**');
    await service.say(ada, 'leads', 'secret', '@**Oracle**');
    await settled();
  });

  test('a bot is told of mentions in a private stream that it is in', async () => {
    await service.join(ben, ['leads'], { principals: [bot.email] });
    await service.say(ada, 'leads', 'secret', '@**Oracle**');
    const request = await server.next();
    expect(json(request.body)).toMatchObject({ trigger: 'mention' });
    request.answer();
  });

  test('nothing by bots, itself included: they would never end', async () => {
    await service.tell(echoBot, [bot.email], 'ping');
    await service.say(echoBot, 'general', 'bots', '@**Oracle**');
    await service.tell(bot.email, [slackBot.email], 'ping');
    await settled();
  });

  test('one message after the other, in their order', async () => {
    for (const content of ['one', 'two', 'three']) await service.tell(ada, [bot.email], content);
    for (const content of ['one', 'two', 'three']) {
      const request = await server.next();
      expect(json(request.body)['data']).toBe(content);
      expect(server.waiting).toBe(0);
      request.answer();
    }
  });
});

describe('its answer', () => {
  test.each([
    ['content', { content: '**yes**' }],
    ['response_string', { response_string: '**yes**' }],
  ])('the answer of a bot is posted into the same topic: %s', async (_, answer) => {
    const queue = await service.register(ada);
    await service.say(ada, 'engineering', 'future', '@**Oracle** now?');
    (await server.next()).answer(answer);
    const [, event] = [...(await queue.poll()), ...(await queue.poll())];
    expect(event).toMatchObject({
      type: 'message',
      message: {
        type: 'stream',
        display_recipient: 'engineering',
        subject: 'future',
        content: '**yes**',
        sender_email: bot.email,
        client: 'OutgoingWebhookResponse',
      },
    });
  });

  test('the answer of a bot is posted into the same private conversation', async () => {
    const queue = await service.register(cleo);
    await service.tell(ada, [bot.email, cleo], 'both?');
    (await server.next()).answer({ content: 'both' });
    const [, event] = [...(await queue.poll()), ...(await queue.poll())];
    const message = event?.type === 'message' ? event.message : undefined;
    expect(message).toMatchObject({ type: 'private', content: 'both', sender_id: bot.user_id });
    expect(message?.display_recipient).toHaveLength(3);
  });

  test('the answer may be text where the bot speaks as Slack does', async () => {
    const queue = await service.register(ada);
    await service.tell(ada, [slackBot.email], 'hi');
    (await server.next()).answer({ text: 'hi there' });
    const [, event] = [...(await queue.poll()), ...(await queue.poll())];
    expect(event).toMatchObject({ message: { content: 'hi there' } });
  });

  test('the answer of a bot is cut with a marker when it is too long', async () => {
    const queue = await service.register(ada);
    await service.tell(ada, [bot.email], 'more');
    (await server.next()).answer({ content: 'x'.repeat(20_000) });
    const [, event] = [...(await queue.poll()), ...(await queue.poll())];
    const message = event?.type === 'message' ? event.message : undefined;
    expect(message?.content).toHaveLength(10_000);
    expect(message?.content).toMatch(/\[message truncated\]$/);
  });

  test.each<[string, object | string]>([
    ['nothing', ''],
    ['an empty object', {}],
    ['that none is required', { response_not_required: true, content: 'ignored' }],
    ['blanks', { content: '  ' }],
    ['text where it does not speak as Slack does', { text: 'ignored' }],
  ])('the answer of a bot may be %s: then nothing is posted', async (_, answer) => {
    await service.tell(ada, [bot.email], 'quiet');
    (await server.next()).answer(answer);
    const added = await service.rowsAdded(async () => {
      await settled();
    });
    expect(added['message']).toBe(1);
  });
});

describe('what is not delivered', () => {
  test('a pending delivery is stored with its message, and made after a restart', async () => {
    await service.tell(ada, [bot.email], 'patience');
    const held = await server.next();
    expect(deliveries()).toMatchObject([
      { account_id: bot.user_id, trigger_name: 'private_message', attempts: 0 },
    ]);
    await service.halt();
    await held.gone;
    await service.start();
    const again = await server.next();
    expect(json(again.body)['data']).toBe('patience');
    again.answer();
    await settled();
  });

  test('a pending delivery is dropped with its message', async () => {
    await service.tell(ada, [bot.email], 'one');
    const id = await service.tell(ada, [bot.email], 'two');
    const held = await server.next();
    await service.ask(ada, api.lifecycle.delete, { message_id: id });
    held.answer();
    await settled();
  });

  test('a pending delivery is dropped with its bot', async () => {
    const doomed = await service.ask(ben, api.bots.create, {
      full_name: 'Doomed',
      short_name: 'doomed',
      bot_type: 3,
      payload_url: server.url('/doomed'),
    });
    await service.tell(ada, [doomed.email], 'one');
    await service.tell(ada, [doomed.email], 'two');
    const held = await server.next();
    await service.ask(ben, api.bots.deactivate, { bot_id: doomed.user_id });
    held.answer({ content: 'too late' });
    await settled();
    await service.restart();
    await settled();
  });
});

/** A bot of account 2 in a service whose clock the test moves. */
async function startWithBot(): Promise<EventService> {
  const started = await startEvents();
  // The search for names that look alike waits for as long after a start as a delivery for its first repeat.
  await started.clock.advance(1000);
  const params = decodeParams(api.bots.create.params, {
    full_name: 'Oracle',
    short_name: 'oracle',
    bot_type: 3,
    payload_url: server.url(),
  });
  await started.service.handlers.bots.create(callBy(callerOf(2)), params);
  return started;
}

const botId = 3;

async function tellBot({ service: { handlers } }: EventService, content = 'hello'): Promise<void> {
  const params = decodeParams(api.messages.send.params, {
    type: 'private',
    to: JSON.stringify([botId]),
    content,
  });
  await handlers.messages.send(callBy(callerOf(1, 'admin')), params);
}

/** What the owner hears from the bot next. */
async function nextNotice(started: EventService, queueId: string, after: number) {
  const events = await fetchEvents(started, callerOf(2), queueId, { lastEventId: after });
  const event = events[0];
  if (event === undefined) throw new Error('nothing was heard');
  const { content, sender_id: senderId } = event['message'] as Record<string, unknown>;
  return { id: event.id, content: String(content), senderId };
}

const ownersQueue = (started: EventService) =>
  register(started, callerOf(2), { event_types: '["message"]', fetch_event_types: '[]' });

describe('a delivery that fails', () => {
  test('a failed delivery is made again after one, five and twenty-five seconds, then the owner is told', async () => {
    const started = await startWithBot();
    const { queueId, lastEventId } = await ownersQueue(started);
    await tellBot(started);
    for (const pauseMs of [1000, 5000, 25_000]) {
      (await server.next()).answer({}, 503);
      await expect.poll(() => started.clock.pending).toContain(pauseMs);
      await started.clock.advance(pauseMs - 1);
      expect(server.waiting).toBe(0);
      await started.clock.advance(1);
    }
    (await server.next()).answer({}, 503);
    const notice = await nextNotice(started, queueId, lastEventId);
    expect(notice).toMatchObject({ senderId: botId, content: expect.stringContaining('503') });
    expect(started.errors).toEqual([]);
    await started.service.stop();
  });

  test('a failed delivery may succeed in the end', async () => {
    const started = await startWithBot();
    await tellBot(started, 'first');
    (await server.next()).answer({}, 429);
    await expect.poll(() => started.clock.pending).toContain(1000);
    await started.clock.advance(1000);
    const { queueId, lastEventId } = await register(started, callerOf(1), {
      event_types: '["message"]',
      fetch_event_types: '[]',
    });
    (await server.next()).answer({ content: 'at last' });
    const events = await fetchEvents(started, callerOf(1), queueId, { lastEventId });
    expect(events).toMatchObject([{ message: { content: 'at last' } }]);
    await started.service.stop();
  });

  test.each<[string, object | string, number, RegExp]>([
    ['a refusal', {}, 404, /404/],
    ['a redirect', {}, 302, /302/],
    ['something that is no JSON', '<html>', 200, /JSON/],
    ['a list', [1], 200, /JSON/],
    ['a content that is no string', { content: 7 }, 200, /string/],
    ['more than anybody wants', 'x'.repeat(300_000), 200, /262144/],
    ['a content that no message may have', { content: 'a\0b' }, 200, /NUL/],
  ])(
    'a delivery that fails for good is told to the owner at once: %s',
    async (_, body, status, expected) => {
      const started = await startWithBot();
      const { queueId, lastEventId } = await ownersQueue(started);
      await tellBot(started);
      (await server.next()).answer(body, status, { location: server.url('/elsewhere') });
      const notice = await nextNotice(started, queueId, lastEventId);
      expect(notice.content).toMatch(expected);
      expect(started.errors).toEqual([]);
      await started.service.stop();
    },
  );

  test('failed deliveries are reported once in five minutes, with the number of those that were not reported', async () => {
    const started = await startWithBot();
    const { queueId, lastEventId } = await ownersQueue(started);
    for (let count = 0; count < 3; count += 1) {
      await tellBot(started);
      (await server.next()).answer({}, 404);
    }
    const first = await nextNotice(started, queueId, lastEventId);
    await expect.poll(() => started.store.listDeliveries(0, 10)).toEqual([]);
    await started.clock.advance(300_000);
    await tellBot(started);
    (await server.next()).answer({}, 404);
    const second = await nextNotice(started, queueId, first.id);
    expect(second.content).toMatch(/\b2 more/);
    await started.service.stop();
  });

  test('a delivery to an address inside this network is refused unless the operator allows it', async () => {
    const strict = await startTestService();
    try {
      const { email } = await strict.ask(ben, api.bots.create, {
        full_name: 'Spy',
        short_name: 'spy',
        bot_type: 3,
        payload_url: server.url('/internal'),
      });
      const queue = await strict.register(ben);
      await strict.tell(ada, [email], 'look inside');
      const [event] = await queue.poll();
      expect(event).toMatchObject({
        message: {
          sender_email: email,
          content: expect.stringContaining('is not an address on the public internet'),
        },
      });
    } finally {
      await strict.stop();
    }
  });
});

describe('the owner sees of what a bot was told', () => {
  const keptOf = (bot_id: number) =>
    service.ask(ben, api.deliveries.list, { bot_id }).then(({ deliveries: kept }) => kept);

  test('what was answered, and has it told again [outgoing.told-again]', async () => {
    const told = await service.tell(ada, [bot.email], 'once more?');
    (await server.next()).answer('<html>', 404);
    await delivered();
    const [failed] = await keptOf(bot.user_id);
    expect(failed).toMatchObject({
      direction: 'outgoing',
      outcome: 'failed',
      status: 404,
      count: 1,
    });
    const of = { bot_id: bot.user_id, delivery_id: failed?.id };
    const { delivery } = await service.ask(ben, api.deliveries.get, of);
    expect(delivery).toMatchObject({
      told_message_id: told,
      trigger: 'private_message',
      attempts: [{ status: 404, answer: '<html>' }],
      can_send_again: true,
    });
    expect((await service.refuse(ada, api.deliveries.again, of)).msg).toBe('No such bot');

    const { delivery: waiting } = await service.ask(ben, api.deliveries.again, of);
    expect(waiting).toMatchObject({ outcome: 'waiting', again_of: failed?.id, attempts: [] });
    const request = await server.next();
    expect(json(request.body)['data']).toBe('once more?');
    request.answer({ content: 'gladly' });
    await delivered();
    const [answered, before] = await keptOf(bot.user_id);
    expect(before?.id).toBe(failed?.id);
    expect(answered).toMatchObject({ id: waiting.id, outcome: 'answered', status: 200, count: 1 });
    const reply = await service.read(ada, answered?.message_ids[0] ?? 0, { apply_markdown: false });
    expect(reply).toMatchObject({ content: 'gladly', sender_email: bot.email });
  });

  test('nothing again once the message is gone [outgoing.nothing-again-once]', async () => {
    const message_id = await service.tell(ada, [bot.email], 'soon gone');
    (await server.next()).answer();
    await delivered();
    const [kept] = await keptOf(bot.user_id);
    await service.ask(ada, api.lifecycle.delete, { message_id });
    const of = { bot_id: bot.user_id, delivery_id: kept?.id };
    expect((await service.refuse(ben, api.deliveries.again, of)).msg).toContain('gone');
  });

  test('every attempt, while it waits for the next one and when it came through [outgoing.attempt-waits-next]', async () => {
    const started = await startWithBot();
    await tellBot(started, 'first');
    (await server.next()).answer({ wait: true }, 503);
    await expect.poll(() => started.clock.pending).toContain(1000);
    const { handlers } = started.service;
    const list = async () =>
      (await handlers.deliveries.list(callBy(callerOf(2)), { botId })) as {
        readonly deliveries: readonly { readonly id: number }[];
      };
    const { deliveries: waiting } = await list();
    expect(waiting).toMatchObject([{ outcome: 'waiting', status: 503, count: 1 }]);
    await started.clock.advance(1000);
    (await server.next()).answer();
    await expect.poll(() => started.store.listDeliveries(0, 10)).toEqual([]);
    const { deliveries: done } = await list();
    expect(done).toMatchObject([{ id: waiting[0]?.id, outcome: 'answered', count: 2 }]);
    const deliveryId = done[0]?.id ?? 0;
    expect(await handlers.deliveries.get(callBy(callerOf(2)), { botId, deliveryId })).toMatchObject(
      { delivery: { attempts: [{ status: 503 }, { status: 200 }] } },
    );
    await started.service.stop();
  });
});
