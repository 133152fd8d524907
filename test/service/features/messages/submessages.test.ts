import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { add } = api.submessages;
const bad = { code: 'BAD_REQUEST' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const call = (message_id: number, more = {}) => ({
  message_id,
  msg_type: 'widget',
  content: '{"vote":1}',
  ...more,
});

test('a message shows what was attached to it, in order, also after a restart [submessages.message-shows-attached]', async () => {
  const id = await service.say(ben, 'general', 'lunch');
  const other = await service.say(ben, 'general', 'lunch');
  await service.ask(ben, add, call(id));
  await service.ask(cleo, add, call(id, { content: '[]' }));
  await service.restart();
  const attached = [
    {
      id: expect.any(Number),
      message_id: id,
      sender_id: idOf[ben],
      msg_type: 'widget',
      content: '{"vote":1}',
    },
    {
      id: expect.any(Number),
      message_id: id,
      sender_id: idOf[cleo],
      msg_type: 'widget',
      content: '[]',
    },
  ];
  expect((await service.read(gus, id))?.submessages).toEqual(attached);
  const { message } = await service.ask(gus, api.lifecycle.get, { message_id: id });
  expect(message.submessages).toEqual(attached);
  expect((await service.read(gus, other))?.submessages).toEqual([]);
});

test('the holders of the message are told, and nobody else [submessages.holders-message-nobody]', async () => {
  const id = await service.tell(ben, [ada, gus]);
  const heard = await eventsOf(service, () => service.ask(gus, add, call(id)));
  const [attached] = (await service.read(ben, id))?.submessages ?? [];
  const event = {
    id: expect.any(Number),
    type: 'submessage',
    msg_type: 'widget',
    message_id: id,
    submessage_id: attached?.id,
    sender_id: idOf[gus],
    content: '{"vote":1}',
  };
  for (const [who, events] of heard) {
    expect(events).toEqual([ada, ben, gus].includes(who) ? [event] : []);
  }
});

test('whoever made a copy by starring is told too [submessages.made-copy-starring]', async () => {
  const id = await service.say(ben, 'engineering', 'lunch');
  await service.ask(cleo, api.readState.changeFlags, {
    messages: [id],
    op: 'add',
    flag: 'starred',
  });
  const heard = await eventsOf(service, () => service.ask(cleo, add, call(id)));
  const listeners = [...heard].filter(([, events]) => events.length > 0).map(([who]) => who);
  expect(listeners).toEqual([ada, ben, cleo]);
});

test('a message that the caller does not hold is refused like one that is not there', async () => {
  const hidden = await service.tell(ben, [ada]);
  const readable = await service.say(ben, 'engineering', 'lunch');
  for (const id of [hidden, readable, 99_999]) {
    expect(await service.refuse(cleo, add, call(id))).toEqual({
      code: 'BAD_REQUEST',
      msg: 'Invalid message(s)',
    });
  }
});

test('the content is JSON of at most 10000 bytes, and the type a short line', async () => {
  const id = await service.say(echoBot, 'general', 'lunch');
  await service.ask(echoBot, add, call(id, { content: `"${'x'.repeat(9998)}"` }));
  for (const more of [
    { content: 'no json' },
    { content: '' },
    { content: `"${'x'.repeat(9999)}"` },
    { msg_type: '' },
    { msg_type: 'x'.repeat(61) },
  ]) {
    expect(await service.refuse(echoBot, add, call(id, more))).toMatchObject(bad);
  }
  for (const name of ['message_id', 'msg_type', 'content']) {
    expect(await service.refuse(ben, add, call(id, { [name]: undefined }))).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    });
  }
});

describe('a widget that is sent along', () => {
  const widget = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Where to?' } };
  const message = { type: 'stream', to: 'general', topic: 'lunch', content: 'Where to?' };
  const local_id = '0b7f5f0e-6d2c-4a3e-9a51-3f0a6f1d2c4b';
  const withWidget = { ...message, local_id, widget_content: JSON.stringify(widget) };

  test('it is attached to the message once, and its readers are told [send.widget-attached]', async () => {
    const { send } = api.messages;
    const heard = await eventsOf(service, () => service.ask(ben, send, withWidget));
    const { id } = await service.ask(ben, send, withWidget);
    const attached = (await service.read(gus, id))?.submessages;
    expect(attached).toEqual([
      expect.objectContaining({ sender_id: idOf[ben], msg_type: 'widget' }),
    ]);
    expect(JSON.parse(attached?.[0]?.content ?? '')).toEqual(widget);
    expect(heard.get(cleo)?.map(({ type }) => type)).toEqual(['message', 'submessage']);
    const other = { ...withWidget, widget_content: { ...widget, extra_data: null } };
    expect(await service.refuse(ben, send, other)).toMatchObject(bad);
  });

  test.each(['null', ''])('%j is none [send.widget-absent]', async (none) => {
    const { id } = await service.ask(ben, api.messages.send, { ...message, widget_content: none });
    expect((await service.read(gus, id))?.submessages).toEqual([]);
  });

  test.each<[string, unknown, object]>([
    ['no JSON', 'poll', { code: 'REQUEST_VARIABLE_INVALID', var_name: 'widget_content' }],
    ['a list', '[]', { code: 'REQUEST_VARIABLE_INVALID', var_name: 'widget_content' }],
    ['no type', '{"extra_data":{}}', { code: 'REQUEST_VARIABLE_INVALID' }],
    ['more than 10000 bytes', { ...widget, extra_data: { a: 'x'.repeat(10_000) } }, bad],
  ])('%s is refused, and no message is sent [send.widget-refused]', async (_, given, expected) => {
    const before = service.dump()['message']?.length;
    const params = { ...message, widget_content: given };
    expect(await service.refuse(ben, api.messages.send, params)).toMatchObject(expected);
    expect(service.dump()['message']?.length).toBe(before);
  });
});

test('they go with the message', async () => {
  const id = await service.say(ben, 'general', 'lunch');
  await service.ask(ben, add, call(id));
  await service.ask(ada, api.lifecycle.delete, { message_id: id });
  expect(service.dump()['submessage']?.filter((row) => row['message_id'] === id)).toEqual([]);
});
