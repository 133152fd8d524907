import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  everybody,
  gus,
  heardOf,
  hookBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { update } = api.realm;
const { subscribe } = api.streams;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const bad = { code: 'BAD_REQUEST' };
const set = (settings: Params) => service.ask(ada, update, settings);

async function stateOf(who: string, type = 'realm'): Promise<Record<string, unknown>> {
  return service.ask(who, api.events.register, { fetch_event_types: [type] });
}

async function streamId(name: string): Promise<number> {
  return (await service.ask(ada, api.streams.findId, { stream: name })).stream_id;
}

/** Settings that hold for as long as a piece of work takes. */
async function having(settings: Params, work: () => Promise<unknown>): Promise<void> {
  const before = await stateOf(ada);
  await set(settings);
  await work();
  await set(Object.fromEntries(Object.keys(settings).map((key) => [key, before[`realm_${key}`]])));
}

describe('a setting of the organization', () => {
  test.each<[string, unknown, unknown]>([
    ['name', '  "New Name" ', '"New Name"'],
    ['name', '"Quoted"', 'Quoted'],
    ['description', 'Two\r\nlines', 'Two\nlines'],
    ['default_language', 'de', 'de'],
    ['default_code_block_language', 'python', 'python'],
    ['default_twenty_four_hour_time', true, true],
    ['allow_message_editing', false, false],
    ['message_content_edit_limit_seconds', 0, 0],
    ['allow_edit_history', 'False', false],
    ['allow_community_topic_editing', false, false],
    ['allow_message_deleting', true, true],
    ['message_content_delete_limit_seconds', 3600, 3600],
    ['mandatory_topics', true, true],
    ['create_stream_policy', 2, 2],
    ['invite_to_stream_policy', '2', 2],
    ['bot_creation_policy', 3, 3],
    ['private_message_policy', 2, 2],
    ['user_group_edit_policy', 2, 2],
    ['invite_by_admins_only', true, true],
    ['ask_to_join_policy', 3, 3],
    ['add_emoji_by_admins_only', true, true],
    ['name_changes_disabled', true, true],
    ['email_changes_disabled', true, true],
    ['avatar_changes_disabled', true, true],
    ['inline_image_preview', false, false],
    ['presence_disabled', true, true],
    ['upload_quota', 1_000_000, 1_000_000],
  ])(
    '%s may be set to %j, is told everybody, and holds [realm.property-set]',
    async (key, value, expected) => {
      const before = (await stateOf(ben))[`realm_${key}`];
      expect(before).not.toEqual(expected);
      const events = await eventsOf(service, async () => {
        expect(await set({ [key]: value })).toEqual({ [key]: expected });
      });
      for (const who of everybody) expect(events.get(who)).toHaveLength(1);
      await service.restart();
      for (const who of [ada, gus, echoBot]) {
        expect((await stateOf(who))[`realm_${key}`]).toEqual(expected);
      }
      const unchanged = service.dump();
      expect(await set({ [key]: value })).toEqual({});
      expect(service.dump()).toEqual(unchanged);

      const back = before === null ? (key === 'upload_quota' ? -1 : '') : before;
      expect(await set({ [key]: back })).toEqual({ [key]: before });
      expect((await stateOf(ben))[`realm_${key}`]).toEqual(before);
    },
  );

  test('only what differs from the defaults is stored', async () => {
    await set({ mandatory_topics: true, create_stream_policy: 1 });
    const stored = () => service.dump()['realm']?.[0]?.['settings'];
    expect(stored()).toBe('{"mandatory_topics":true}');
    await set({ mandatory_topics: false });
    expect(stored()).toBe('{}');
  });

  test('several change at once, and only those that did are answered and told', async () => {
    const settings = { name: 'Several', allow_edit_history: true, presence_disabled: true };
    const heard = await heardOf(service, async () => {
      expect(await set(settings)).toEqual({ name: 'Several', presence_disabled: true });
    });
    for (const who of everybody) {
      expect(heard[who]).toEqual(['realm name Several', 'realm presence_disabled true']);
    }
    await set({ name: 'Dev', presence_disabled: false });
  });

  test('an event has these keys [realm.event-keys]', async () => {
    const events = await eventsOf(service, () => set({ mandatory_topics: true }));
    const update = { id: expect.any(Number), type: 'realm', op: 'update' };
    expect(events.get(gus)).toEqual([{ ...update, property: 'mandatory_topics', value: true }]);
    await set({ mandatory_topics: false });
  });

  test('those about editing messages are told together [realm.editing-messages-together]', async () => {
    const events = await eventsOf(service, () =>
      set({
        allow_message_editing: false,
        message_content_edit_limit_seconds: 60,
        allow_community_topic_editing: true,
      }),
    );
    expect(events.get(gus)).toEqual([
      {
        id: expect.any(Number),
        type: 'realm',
        op: 'update_dict',
        property: 'default',
        data: { allow_message_editing: false, message_content_edit_limit_seconds: 60 },
      },
    ]);
    await set({ allow_message_editing: true, message_content_edit_limit_seconds: 600 });
  });

  test('the name and the description are those of the server settings [realm.name-description-server]', async () => {
    await set({ name: 'Named', description: 'It is *ours*' });
    expect(await service.ask(null, api.server.settings)).toMatchObject({
      realm_name: 'Named',
      realm_description: '<p>It is <em>ours</em></p>',
    });
    await set({ name: 'Dev', description: '' });
  });

  test('what this service has no choice in is ignored, as unknown names are', async () => {
    const before = service.dump();
    expect(await set({ waiting_period_threshold: 3, plan_type: 2, nonsense: 1 })).toEqual({});
    expect(await set({})).toEqual({});
    expect(service.dump()).toEqual(before);
  });
});

describe('the stream for announcements', () => {
  test('the announcement stream is set by its id, and none by -1', async () => {
    const general = await streamId('general');
    const engineering = await streamId('engineering');
    expect((await stateOf(ben))['realm_notifications_stream_id']).toBe(general);
    const heard = await heardOf(service, async () => {
      expect(await set({ notifications_stream_id: engineering })).toEqual({
        notifications_stream_id: engineering,
      });
    });
    expect(heard[gus]).toEqual([`realm notifications_stream_id ${engineering}`]);
    await service.join(ben, ['announced'], { announce: true });
    const { topics } = await service.ask(ben, api.streams.topics, { stream_id: engineering });
    expect(topics.map(({ name }) => name)).toContain('new streams');
    expect(await set({ notifications_stream_id: -1 })).toEqual({ notifications_stream_id: -1 });
    expect((await stateOf(ben))['realm_notifications_stream_id']).toBe(-1);
    expect(await set({ notifications_stream_id: -1 })).toEqual({});
    const quiet = await service.rowsAdded(() =>
      service.join(ben, ['unannounced'], { announce: true }),
    );
    expect(quiet).not.toHaveProperty('message');
    await set({ notifications_stream_id: general });
  });

  test('the announcement stream is unset when it is archived', async () => {
    await service.join(ada, ['for news']);
    const id = await streamId('for news');
    await set({ notifications_stream_id: id });
    const heard = await heardOf(service, () =>
      service.ask(ada, api.streamAdmin.archive, { stream_id: id }),
    );
    expect(heard[gus]).toEqual(['realm notifications_stream_id -1']);
    expect(heard[cleo]).toEqual(['delete for news', 'realm notifications_stream_id -1']);
    expect((await stateOf(ben))['realm_notifications_stream_id']).toBe(-1);
    const params = { notifications_stream_id: id };
    expect(await service.refuse(ada, update, params)).toMatchObject(bad);
    await set({ notifications_stream_id: await streamId('general') });
  });
});

describe('refused, and nothing is changed', () => {
  const invalid = (key: string) => ({ code: 'REQUEST_VARIABLE_INVALID', var_name: key });

  test.each<[string, Params, Params]>([
    ['a blank name', { name: ' ' }, bad],
    ['a long name', { name: 'x'.repeat(61) }, bad],
    ['a long description', { description: 'x'.repeat(1025) }, bad],
    ['a description with NUL', { description: 'a\0b' }, bad],
    ['an unknown language', { default_language: 'not a language' }, bad],
    ['a flag of another type', { mandatory_topics: 'sure' }, invalid('mandatory_topics')],
    [
      'a limit below 0',
      { message_content_edit_limit_seconds: -1 },
      invalid('message_content_edit_limit_seconds'),
    ],
    [
      'a limit that is no number',
      { message_content_delete_limit_seconds: '10m' },
      invalid('message_content_delete_limit_seconds'),
    ],
    ['a policy that there is not', { create_stream_policy: 3 }, invalid('create_stream_policy')],
    ['another one', { bot_creation_policy: 4 }, invalid('bot_creation_policy')],
    ['an unknown stream', { notifications_stream_id: 999 }, bad],
    ['a good setting beside a bad one', { mandatory_topics: true, name: '' }, bad],
  ])('%s', async (_, params, expected) => {
    expect(await service.refuse(ada, update, params)).toMatchObject(expected);
  });

  test('a change by anybody but an administrator is refused', async () => {
    for (const who of [ben, gus, echoBot]) {
      expect(await service.refuse(who, update, { name: 'Mine' })).toMatchObject(bad);
    }
    expect(await service.refuse(hookBot, update, { name: 'Mine' })).toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });
});

describe('a policy', () => {
  const create = (name: string) => ({ subscriptions: [{ name }] });

  test('a policy about creating streams holds for members and bots, not for administrators', async () => {
    await having({ create_stream_policy: 2 }, async () => {
      for (const who of [ben, echoBot]) {
        expect(await service.refuse(who, subscribe, create('p new'))).toMatchObject(bad);
        expect((await stateOf(who, 'realm_user'))['can_create_streams']).toBe(false);
      }
      await service.join(ben, ['engineering']);
      await service.join(ada, ['p new']);
      expect((await stateOf(ada, 'realm_user'))['can_create_streams']).toBe(true);
    });
    await service.join(ben, ['p bens new']);
    expect((await stateOf(ben, 'realm_user'))['can_create_streams']).toBe(true);
  });

  test('a policy about subscribing others holds for members and bots, not for administrators', async () => {
    const params = { ...create('engineering'), principals: [cleo] };
    await having({ invite_to_stream_policy: 2 }, async () => {
      for (const who of [ben, echoBot]) {
        expect(await service.refuse(who, subscribe, params)).toMatchObject(bad);
        expect((await stateOf(who, 'realm_user'))['can_subscribe_other_users']).toBe(false);
      }
      await service.ask(ben, subscribe, { ...create('engineering'), principals: [ben] });
      await service.ask(ada, subscribe, params);
    });
    expect((await stateOf(ben, 'realm_user'))['can_subscribe_other_users']).toBe(true);
  });

  test('a policy about topics refuses messages in the topic that means none', async () => {
    const params = { type: 'stream', to: 'general', topic: '(No Topic)', content: 'x' };
    await having({ mandatory_topics: true }, async () => {
      for (const who of [ada, ben]) {
        expect(await service.refuse(who, api.messages.send, params)).toMatchObject(bad);
      }
      await service.say(ben, 'general', 'a topic');
    });
    await service.ask(ben, api.messages.send, params);
  });

  test('a policy about private messages still allows those with bots', async () => {
    const to = (...emails: readonly string[]) => ({ type: 'private', to: emails, content: 'x' });
    await having({ private_message_policy: 2 }, async () => {
      for (const params of [to(cleo), to(cleo, echoBot), to(ben)]) {
        expect(await service.refuse(ben, api.messages.send, params)).toMatchObject(bad);
      }
      await service.tell(ben, [echoBot]);
      await service.tell(echoBot, [ben, cleo]);
      await service.say(ben, 'general', 't');
    });
    await service.tell(ben, [cleo]);
  });
});
