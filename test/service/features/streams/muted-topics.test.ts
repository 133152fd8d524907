import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  hookBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { muteTopic, unsubscribe } = api.subscriptions;

let service: TestService;
let engineering: number;
let leads: number;
beforeAll(async () => {
  service = await startTestService();
  engineering = await idOf('engineering');
  leads = await idOf('leads');
});
afterAll(() => service.stop());

async function idOf(name: string): Promise<number> {
  const { streams } = await service.ask(ada, api.streams.list, { include_all_active: true });
  return streams.find((stream) => stream.name === name)?.stream_id ?? 0;
}

const mute = (who: string, topic: string, more: Params = { stream: 'engineering' }) =>
  service.ask(who, muteTopic, { topic, op: 'add', ...more });
const unmute = (who: string, topic: string, more: Params = { stream: 'engineering' }) =>
  service.ask(who, muteTopic, { topic, op: 'remove', ...more });

async function mutedBy(who: string): Promise<unknown> {
  const state = await service.ask(who, api.events.register, {
    fetch_event_types: ['muted_topics'],
  });
  return state['muted_topics'];
}

describe('muting a topic', () => {
  test('one that nobody ever wrote to is muted, and unmuted [muted-topics.nobody-ever-wrote]', async () => {
    expect(await mute(ben, ' Silence ')).toEqual({});
    expect(await mutedBy(ben)).toEqual([['engineering', 'Silence']]);
    expect(await mutedBy(ada)).toEqual([]);
    await service.restart();
    expect(await mutedBy(ben)).toEqual([['engineering', 'Silence']]);
    expect(await unmute(ben, 'silence')).toEqual({});
    expect(await mutedBy(ben)).toEqual([]);
  });

  test('a topic is the same in any case, and is listed as it was first written', async () => {
    await service.say(ada, 'engineering', 'Deploy');
    await mute(ben, 'DEPLOY');
    expect(await mutedBy(ben)).toEqual([['engineering', 'Deploy']]);
    await unmute(ben, 'deploy', { stream: 'Engineering' });
    expect(await mutedBy(ben)).toEqual([]);
  });

  test('the stream may be named by its id, and an id wins over a name [muted-topics.stream-named-id]', async () => {
    await mute(ben, 'by id', { stream_id: engineering });
    await mute(ben, 'by both', { stream_id: leads, stream: 'engineering' });
    expect(await mutedBy(ben)).toEqual([
      ['engineering', 'by id'],
      ['leads', 'by both'],
    ]);
    await unmute(ben, 'by id', { stream_id: engineering });
    await unmute(ben, 'by both', { stream_id: leads });
  });

  test('muting a topic adds a row for the mute, and one for a topic that is new', async () => {
    expect(await service.rowsAdded(() => mute(ben, 'rows'))).toEqual({
      topic: 1,
      muted_topic: 1,
      event: 1,
    });
    expect(await service.rowsAdded(() => unmute(ben, 'rows'))).toEqual({
      muted_topic: -1,
      event: 1,
    });
    expect(await service.rowsAdded(() => mute(ben, 'rows'))).toEqual({ muted_topic: 1, event: 1 });
    await unmute(ben, 'rows');
  });

  test('a topic that is only muted is not listed among the topics', async () => {
    await mute(ben, 'phantom');
    const { topics } = await service.ask(ben, api.streams.topics, { stream_id: engineering });
    expect(topics.map(({ name }) => name)).not.toContain('phantom');
    await unmute(ben, 'phantom');
  });

  test('unread messages of a muted topic do not count', async () => {
    await service.say(ada, 'engineering', 'noise');
    const unread = async () => {
      const state = await service.ask(ben, api.events.register, {
        fetch_event_types: ['message', 'update_message_flags'],
      });
      return (state['unread_msgs'] as { count: number }).count;
    };
    const before = await unread();
    await mute(ben, 'Noise');
    expect(await unread()).toBe(before - 1);
    await unmute(ben, 'noise');
    expect(await unread()).toBe(before);
  });

  test('guests and bots mute for themselves', async () => {
    for (const who of [gus, echoBot]) {
      await mute(who, 'own', { stream: 'general' });
      expect(await mutedBy(who)).toEqual([['general', 'own']]);
      await unmute(who, 'own', { stream: 'general' });
    }
  });
});

describe('a mute outlives', () => {
  test('a new name of the stream, under which it is listed', async () => {
    await service.join(ben, ['m before']);
    const id = await idOf('m before');
    await mute(ben, 'lasting', { stream_id: id });
    await service.ask(ada, api.streamAdmin.update, { stream_id: id, new_name: 'm after' });
    expect(await mutedBy(ben)).toEqual([['m after', 'lasting']]);
    await unmute(ben, 'lasting', { stream: 'm after' });
  });

  test('leaving the stream, and can be taken back then', async () => {
    await service.join(ben, ['m left'], { invite_only: true });
    await mute(ben, 'there', { stream: 'm left' });
    await service.ask(ben, unsubscribe, { subscriptions: ['m left'] });
    expect(await mutedBy(ben)).toEqual([['m left', 'there']]);
    expect(await unmute(ben, 'There', { stream: 'm left' })).toEqual({});
    expect(await mutedBy(ben)).toEqual([]);
    const hidden = { stream: 'm left', topic: 'there', op: 'remove' };
    expect(await service.refuse(ben, muteTopic, hidden)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a mute does not outlive its stream', async () => {
    await service.join(ben, ['m gone']);
    const id = await idOf('m gone');
    await mute(ben, 'there', { stream_id: id });
    await service.ask(ada, api.streamAdmin.archive, { stream_id: id });
    expect(await mutedBy(ben)).toEqual([]);
    const params = { stream_id: id, topic: 'there', op: 'remove' };
    expect(await service.refuse(ben, muteTopic, params)).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('refused', () => {
  const bad = { code: 'BAD_REQUEST' };
  const fine = { stream: 'engineering', topic: 't', op: 'add' };

  test('a topic that is muted already, or not muted: without a code [muted-topics.not-without-code]', async () => {
    await mute(ben, 'once');
    const again = await service.refuse(ben, muteTopic, { ...fine, topic: 'ONCE' });
    expect(again).toEqual({ code: 'NONE', msg: 'Topic already muted' });
    await unmute(ben, 'once');
    const gone = await service.refuse(ben, muteTopic, { ...fine, topic: 'once', op: 'remove' });
    expect(gone).toEqual({ code: 'NONE', msg: 'Topic is not muted' });
    const never = { ...fine, topic: 'never', op: 'remove' };
    expect(await service.refuse(ben, muteTopic, never)).toEqual(gone);
  });

  test.each<[string, string, Params, Params]>([
    ['no stream', ben, { stream: undefined }, { code: 'REQUEST_VARIABLE_MISSING' }],
    [
      'no topic',
      ben,
      { topic: undefined },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'topic' },
    ],
    ['no op', ben, { op: undefined }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'op' }],
    ['another op', ben, { op: 'toggle' }, bad],
    ['a blank topic', ben, { topic: '  ' }, bad],
    ['a topic of 61 characters', ben, { topic: 'x'.repeat(61) }, bad],
    ['an id that is none', ben, { stream_id: 'x' }, { code: 'REQUEST_VARIABLE_INVALID' }],
    ['an unknown stream', ben, { stream: 'nowhere' }, bad],
    ['an unknown id', ben, { stream_id: 999 }, bad],
    ['a stream that one is not in', cleo, {}, bad],
    ['a stream that is hidden', cleo, { stream: 'leads' }, bad],
    ['a hidden stream, to unmute', cleo, { stream: 'leads', op: 'remove' }, bad],
    ['a public stream that a guest is not in', gus, {}, bad],
    ['an incoming webhook bot', hookBot, {}, { code: 'UNAUTHORIZED' }],
  ])('%s [muted-topics.refused]', async (_, who, more, expected) => {
    expect(await service.refuse(who, muteTopic, { ...fine, ...more })).toMatchObject(expected);
  });

  test('two that mute at once: one succeeds', async () => {
    const params = { ...fine, topic: 'race' };
    const answers = await Promise.all([
      service.answer(ben, muteTopic, params),
      service.answer(ben, muteTopic, params),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    await unmute(ben, 'race');
  });
});

describe('events', () => {
  test('the account alone hears the whole list [muted-topics.account-hears-whole]', async () => {
    await mute(ben, 'first');
    const heard = async (work: () => Promise<unknown>) => {
      const events = await eventsOf(service, work);
      return Object.fromEntries([...events].filter(([, each]) => each.length > 0));
    };
    expect(await heard(() => mute(ben, 'second'))).toEqual({
      [ben]: [
        {
          id: expect.any(Number),
          type: 'muted_topics',
          muted_topics: [
            ['engineering', 'first'],
            ['engineering', 'second'],
          ],
        },
      ],
    });
    expect(await heard(() => unmute(ben, 'FIRST'))).toEqual({
      [ben]: [
        {
          id: expect.any(Number),
          type: 'muted_topics',
          muted_topics: [['engineering', 'second']],
        },
      ],
    });
  });
});
