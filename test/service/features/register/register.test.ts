import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { register } = api.events;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const stateOf = (who: string, types: unknown, more: Params = {}) =>
  service.ask(who, register, { fetch_event_types: types, ...more });

const always = ['queue_id', 'last_event_id', 'zulip_version'];

const words = (text: string): string[] => text.trim().split(/\s+/);

const notificationKeys = words(`
  enable_stream_desktop_notifications enable_stream_email_notifications enable_stream_push_notifications
  enable_stream_audible_notifications notification_sound enable_desktop_notifications enable_sounds
  enable_offline_email_notifications enable_offline_push_notifications enable_online_push_notifications
  enable_digest_emails enable_login_emails message_content_in_email_notifications
  pm_content_in_desktop_notifications wildcard_mentions_notify desktop_icon_count_display
  realm_name_in_notifications available_notification_sounds`);

const displayKeys = words(`
  default_language dense_mode emojiset fluid_layout_width high_contrast_mode left_side_userlist night_mode
  starred_message_counts timezone translate_emoticons twenty_four_hour_time demote_inactive_streams
  emojiset_choices`);

const realmKeys = words(`
  name description icon_url icon_source uri default_language default_twenty_four_hour_time
  allow_message_editing message_content_edit_limit_seconds allow_edit_history
  allow_community_topic_editing allow_message_deleting message_content_delete_limit_seconds
  message_retention_days mandatory_topics create_stream_policy invite_to_stream_policy
  bot_creation_policy user_group_edit_policy private_message_policy email_address_visibility
  waiting_period_threshold invite_required invite_by_admins_only add_emoji_by_admins_only
  name_changes_disabled email_changes_disabled avatar_changes_disabled inline_image_preview
  inline_url_embed_preview send_welcome_emails digest_emails_enabled digest_weekday
  message_content_allowed_in_email_notifications emails_restricted_to_domains
  disallow_disposable_email_addresses video_chat_provider available_video_chat_providers
  default_code_block_language presence_disabled bot_domain upload_quota plan_type
  password_auth_enabled email_auth_enabled push_notifications_enabled authentication_methods
  notifications_stream_id signup_notifications_stream_id is_zephyr_mirror_realm logo_url logo_source
  night_logo_url night_logo_source default_external_accounts audit_log_retention_days ask_to_join_policy`).map(
  (key) => `realm_${key}`,
);

const uploadKeys = words(`
  max_icon_file_size max_logo_file_size max_avatar_file_size max_file_upload_size
  settings_send_digest_emails plan_includes_wide_organization_logo`);

/** What each fetch type brings when it is asked for alone (API decisions 9). */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  message: ['max_message_id'],
  update_message_flags: [],
  starred_messages: ['starred_messages'],
  subscription: ['subscriptions', 'unsubscribed', 'never_subscribed'],
  stream: ['streams', 'stream_name_max_length', 'stream_description_max_length'],
  default_streams: ['realm_default_streams'],
  default_stream_groups: ['realm_default_stream_groups'],
  muted_topics: ['muted_topics'],
  realm_user: words(`realm_users realm_non_active_users cross_realm_bots user_id email full_name
    delivery_email is_admin is_guest avatar_source avatar_url avatar_url_medium can_create_streams
    can_subscribe_other_users enter_sends`),
  realm_bot: ['realm_bots'],
  realm_embedded_bots: ['realm_embedded_bots'],
  realm_user_groups: ['realm_user_groups'],
  presence: ['presences', 'server_timestamp'],
  realm: [...realmKeys, ...uploadKeys],
  realm_domains: ['realm_domains'],
  realm_emoji: ['realm_emoji'],
  realm_filters: ['realm_filters'],
  custom_profile_fields: ['custom_profile_fields', 'custom_profile_field_types'],
  update_display_settings: displayKeys,
  update_global_notifications: notificationKeys,
  pointer: ['pointer'],
  alert_words: ['alert_words'],
  user_status: ['user_status'],
  hotspots: ['hotspots'],
  stop_words: ['stop_words'],
  zulip_version: [],
};

/** What is returned only where it is named. */
const namedKeysOf: Readonly<Record<string, readonly string[]>> = {
  user_settings: ['user_settings'],
  recent_private_conversations: ['recent_private_conversations'],
};

describe('the keys', () => {
  test.each(Object.entries({ ...keysOf, ...namedKeysOf }))(
    'the initial state for %s has its keys and no others [register.initial-state-keys]',
    async (type, keys) => {
      const state = await stateOf(ben, [type]);
      expect(Object.keys(state).sort()).toEqual([...always, ...keys].sort());
      expect(state.zulip_version).toBe('2.1.0');
    },
  );

  test('the initial state for messages together with flags has its keys and no others', async () => {
    const state = await stateOf(ben, ['message', 'update_message_flags']);
    expect(Object.keys(state).sort()).toEqual([...always, 'max_message_id', 'unread_msgs'].sort());
  });

  test('the initial state for everything has all keys, for everybody [register.initial-state-everything]', async () => {
    const expected = [...new Set([...always, 'unread_msgs', ...Object.values(keysOf).flat()])];
    for (const who of [ada, ben, gus, echoBot]) {
      const state = await service.ask(who, register);
      expect(Object.keys(state).sort()).toEqual([...expected].sort());
    }
  });

  test.each<[string, Params, readonly string[]]>([
    ['event types decide where fetch types are absent', { event_types: ['pointer'] }, ['pointer']],
    [
      'fetch types win',
      { event_types: ['pointer'], fetch_event_types: ['hotspots'] },
      ['hotspots'],
    ],
    ['none', { fetch_event_types: [] }, []],
    ['none for no event types', { event_types: [] }, []],
    ['unknown ones are ignored', { fetch_event_types: ['nonsense', 'pointer'] }, ['pointer']],
    ['separated by commas', { fetch_event_types: 'pointer,hotspots' }, ['pointer', 'hotspots']],
  ])('which parts: %s [register.keys-parts]', async (_, params, keys) => {
    const state = await service.ask(ben, register, params);
    expect(Object.keys(state).sort()).toEqual([...always, ...keys].sort());
  });

  test.each<[string, Params]>([
    ['event_types', { event_types: '{}' }],
    ['fetch_event_types', { fetch_event_types: [1] }],
    ['apply_markdown', { apply_markdown: 'x' }],
    ['client_gravatar', { client_gravatar: '2' }],
    ['all_public_streams', { all_public_streams: 'all' }],
    ['include_subscribers', { include_subscribers: '[]' }],
    ['queue_lifespan_secs', { queue_lifespan_secs: -1 }],
  ])('%s of another type is refused [register.another-type-refused]', async (name, params) => {
    expect(await service.refuse(ben, register, params)).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: name,
    });
  });
});

describe('streams', () => {
  const names = (streams: unknown): string[] =>
    (streams as readonly { readonly name: string }[]).map(({ name }) => name).sort();

  test.each<[string, string[], string[]]>([
    [ada, ['engineering', 'general', 'leads'], []],
    [ben, ['engineering', 'general', 'leads'], []],
    [cleo, ['general'], ['engineering']],
    [gus, ['general'], []],
    [echoBot, ['general'], ['engineering']],
  ])(
    'the initial state of %s has the subscribed streams and the others that can be seen',
    async (who, subscribed, others) => {
      const state = await stateOf(who, ['subscription', 'stream', 'default_streams']);
      expect(names(state['subscriptions'])).toEqual(subscribed);
      expect(names(state['never_subscribed'])).toEqual(others);
      expect(state['unsubscribed']).toEqual([]);
      expect(names(state['streams'])).toEqual([...subscribed, ...others].sort());
      expect(names(state['realm_default_streams'])).toEqual(who === gus ? [] : ['general']);
      expect(state['stream_name_max_length']).toBe(60);
      expect(state['stream_description_max_length']).toBe(1024);
    },
  );

  test('a stream that was left is unsubscribed, as long as it can be seen', async () => {
    await service.join(cleo, ['left'], { principals: [cleo, gus] });
    service.change(
      `UPDATE membership SET until_id = 0 WHERE recipient_id =
         (SELECT recipient_id FROM stream WHERE name = 'left')`,
    );
    for (const [who, expected] of [
      [cleo, ['left']],
      [gus, []],
    ] as const) {
      const state = await stateOf(who, ['subscription']);
      expect(names(state['unsubscribed'])).toEqual(expected);
      expect(names(state['never_subscribed'])).not.toContain('left');
      expect(names(state['subscriptions'])).not.toContain('left');
    }
    service.change("UPDATE stream SET is_archived = 1 WHERE name = 'left'");
  });

  test('an administrator sees a private stream of others', async () => {
    await service.join(cleo, ['hidden'], { invite_only: true });
    const state = await stateOf(ada, ['subscription', 'stream']);
    expect(names(state['never_subscribed'])).toEqual(['hidden']);
    expect(names(state['streams'])).toContain('hidden');
    service.change("UPDATE stream SET is_archived = 1 WHERE name = 'hidden'");
  });

  test('a subscription is as GET /users/me/subscriptions has it, but subscribers are ids [register.subscription-get-users]', async () => {
    const listed = await service.ask(ben, api.streams.subscriptions);
    expect((await stateOf(ben, ['subscription']))['subscriptions']).toEqual(listed.subscriptions);
    const state = await stateOf(cleo, ['subscription'], { include_subscribers: true });
    expect(state['subscriptions']).toMatchObject([{ subscribers: [1, 2, 3, 4, 5, 6] }]);
    expect(state['never_subscribed']).toMatchObject([{ subscribers: [1, 2] }]);
  });
});

describe('people', () => {
  test('people are listed with the caller among them, bots with their owners', async () => {
    service.change('UPDATE account SET is_active = 0 WHERE id = ?', idOf[gus] ?? 0);
    const state = await stateOf(echoBot, ['realm_user'], { client_gravatar: true });
    service.change('UPDATE account SET is_active = 1 WHERE id = ?', idOf[gus] ?? 0);
    const users = state['realm_users'] as readonly Readonly<Record<string, unknown>>[];
    expect(users.map((user) => user['user_id'])).toEqual([1, 2, 3, 5, 6]);
    expect(state['realm_non_active_users']).toMatchObject([{ user_id: 4, is_guest: true }]);
    expect(state['cross_realm_bots']).toEqual([]);
    const person = {
      user_id: 2,
      email: ben,
      full_name: 'Ben Member',
      is_admin: false,
      is_guest: false,
      is_bot: false,
      avatar_url: null,
      timezone: '',
      date_joined: expect.stringMatching(/^\d{4}-.*\+00:00$/),
    };
    expect(users[1]).toEqual({ ...person, profile_data: {} });
    expect(users[3]).toEqual({
      ...person,
      user_id: 5,
      email: 'hook-bot@example.com',
      full_name: 'Hook Bot',
      is_bot: true,
      bot_type: 2,
      bot_owner_id: 2,
      bot_owner: ben,
    });
  });

  test.each<[string, Params]>([
    [
      ada,
      {
        is_admin: true,
        is_guest: false,
        can_create_streams: true,
        can_subscribe_other_users: true,
      },
    ],
    [
      ben,
      {
        is_admin: false,
        is_guest: false,
        can_create_streams: true,
        can_subscribe_other_users: true,
      },
    ],
    [
      gus,
      {
        is_admin: false,
        is_guest: true,
        can_create_streams: false,
        can_subscribe_other_users: false,
      },
    ],
    [echoBot, { is_admin: false, is_guest: false, can_create_streams: true }],
  ])('%s knows itself', async (who, expected) => {
    const state = await stateOf(who, ['realm_user']);
    expect(state).toMatchObject({
      user_id: idOf[who],
      email: who,
      delivery_email: who,
      avatar_source: 'G',
      avatar_url: expect.stringMatching(/^https:/),
      avatar_url_medium: expect.stringMatching(/^https:/),
      ...expected,
    });
  });
});

describe('messages', () => {
  test('the newest one that the account holds, and -1 for none', async () => {
    expect(await stateOf(cleo, ['message'])).toMatchObject({ max_message_id: -1 });
    await service.say(ada, 'engineering', 't');
    expect(await stateOf(cleo, ['message'])).toMatchObject({ max_message_id: -1 });
    const id = await service.say(ada, 'general', 't');
    await service.say(ada, 'engineering', 't');
    expect(await stateOf(cleo, ['message'])).toMatchObject({ max_message_id: id });
  });

  test('what is unread, by conversation', async () => {
    const fresh = await startTestService();
    try {
      const ids = {
        muted: await fresh.say(ada, 'engineering', 'noise'),
        deploy: await fresh.say(ada, 'general', 'Deploy'),
        mention: await fresh.say(cleo, 'general', 'DEPLOY', '@**Ben Member**'),
        all: await fresh.say(cleo, 'general', 'lunch', '@**all**'),
        pair: await fresh.tell(gus, [ben]),
        pairAgain: await fresh.tell(gus, [ben]),
        group: await fresh.tell(cleo, [gus, ben]),
        own: await fresh.say(ben, 'general', 'lunch'),
        elsewhere: await fresh.tell(cleo, [gus]),
        left: await fresh.say(ada, 'leads', 'left'),
        quiet: await fresh.say(ada, 'general', 'quiet'),
      };
      fresh.change(
        `UPDATE membership SET until_id = ? WHERE account_id = 2
           AND recipient_id = (SELECT recipient_id FROM stream WHERE name = 'leads')`,
        ids.left,
      );
      fresh.change("INSERT INTO muted_topic SELECT 2, id FROM topic WHERE name = 'quiet'");
      const { streams } = await fresh.ask(ada, api.streams.list);
      const idOfStream = (name: string): number =>
        streams.find((stream) => stream.name === name)?.stream_id ?? 0;
      fresh.change(
        'UPDATE stream_setting SET is_muted = 1 WHERE account_id = 2 AND stream_id = ?',
        idOfStream('engineering'),
      );
      const state = await fresh.ask(ben, register, {
        fetch_event_types: ['message', 'update_message_flags'],
      });
      expect(state['unread_msgs']).toEqual({
        count: 6,
        pms: [{ sender_id: 4, unread_message_ids: [ids.pair, ids.pairAgain] }],
        huddles: [{ user_ids_string: '2,3,4', unread_message_ids: [ids.group] }],
        streams: [
          {
            stream_id: idOfStream('general'),
            topic: 'DEPLOY',
            sender_ids: [1, 3],
            unread_message_ids: [ids.deploy, ids.mention],
          },
          {
            stream_id: idOfStream('general'),
            topic: 'lunch',
            sender_ids: [3],
            unread_message_ids: [ids.all],
          },
          {
            stream_id: idOfStream('general'),
            topic: 'quiet',
            sender_ids: [1],
            unread_message_ids: [ids.quiet],
          },
          {
            stream_id: idOfStream('engineering'),
            topic: 'noise',
            sender_ids: [1],
            unread_message_ids: [ids.muted],
          },
        ],
        mentions: [ids.mention, ids.all],
      });
    } finally {
      await fresh.stop();
    }
  });

  test('private conversations, the newest first, notes to oneself without others', async () => {
    const pair = await service.tell(gus, [cleo]);
    const note = await service.tell(cleo, [cleo]);
    const group = await service.tell(cleo, [gus, ben]);
    const state = await stateOf(cleo, ['recent_private_conversations']);
    expect(state['recent_private_conversations']).toEqual([
      { max_message_id: group, user_ids: [2, 4] },
      { max_message_id: note, user_ids: [] },
      { max_message_id: pair, user_ids: [4] },
    ]);
  });
});

describe('the organization and settings', () => {
  test('values that clients compute with', async () => {
    const state = await stateOf(cleo, ['realm']);
    const { streams } = await service.ask(ada, api.streams.list);
    expect(state).toMatchObject({
      realm_name: 'Dev',
      realm_uri: service.origin,
      realm_bot_domain: '127.0.0.1',
      realm_message_retention_days: null,
      realm_allow_message_editing: true,
      realm_message_content_edit_limit_seconds: 600,
      realm_allow_edit_history: true,
      realm_allow_community_topic_editing: true,
      realm_authentication_methods: { Email: true },
      realm_notifications_stream_id: streams.find(({ name }) => name === 'general')?.stream_id,
      max_file_upload_size: 250,
    });
  });

  test('settings have the defaults of a new account', async () => {
    const state = await stateOf(cleo, ['update_display_settings', 'update_global_notifications']);
    expect(state).toMatchObject({
      twenty_four_hour_time: false,
      emojiset: 'google-blob',
      dense_mode: true,
      enable_desktop_notifications: true,
      enable_stream_desktop_notifications: false,
      notification_sound: 'zulip',
      desktop_icon_count_display: 1,
      pm_content_in_desktop_notifications: true,
      available_notification_sounds: ['zulip', 'ding'],
    });
    const named = await stateOf(cleo, ['user_settings']);
    const settings = named['user_settings'] as object;
    expect(Object.keys(settings).sort()).toEqual(
      [
        ...displayKeys,
        ...notificationKeys,
        'send_private_typing_notifications',
        'send_stream_typing_notifications',
      ].sort(),
    );
  });

  test('no feature level is told, anywhere', async () => {
    const state = await service.ask(ada, register);
    expect(JSON.stringify(state)).not.toContain('feature_level');
    expect(JSON.stringify(await service.ask(null, api.server.settings))).not.toContain(
      'feature_level',
    );
  });
});

describe('the snapshot and the queue', () => {
  test('nothing happens between them: every message is in one of the two', async () => {
    const fresh = await startTestService();
    try {
      const sent: number[] = [];
      const sending = (async () => {
        for (let index = 0; index < 40; index += 1) sent.push(await fresh.tell(ada, [ben]));
      })();
      const snapshots: { queueId: string; unread: readonly number[] }[] = [];
      for (let index = 0; index < 10; index += 1) {
        const state = await fresh.ask(ben, register, {
          event_types: ['message'],
          fetch_event_types: ['message', 'update_message_flags'],
        });
        const { pms } = state['unread_msgs'] as {
          readonly pms: readonly { readonly unread_message_ids: readonly number[] }[];
        };
        snapshots.push({ queueId: state.queue_id, unread: pms[0]?.unread_message_ids ?? [] });
      }
      await sending;
      for (const { queueId, unread } of snapshots) {
        const params = { queue_id: queueId, dont_block: true };
        const { events } = await fresh.ask(ben, api.events.poll, params);
        const heard = events.flatMap((event) => (event.type === 'message' ? event.message.id : []));
        expect([...unread, ...heard]).toEqual(sent);
      }
    } finally {
      await fresh.stop();
    }
  });
});

test('many who register while others write are told everything, each thing either as unread or as an event', async () => {
  const sent: Promise<number>[] = [];
  const registered = Array.from({ length: 60 }, (_, index) => {
    sent.push(service.say(ada, 'general', `busy ${String(index % 3)}`));
    if (index % 10 === 0) sent.push(service.tell(ada, [ben], `aside ${String(index)}`));
    return service.ask(ben, register, {
      event_types: ['message'],
      fetch_event_types: ['message', 'update_message_flags'],
    });
  });
  const wanted = (await Promise.all(sent)).sort((a, b) => a - b);
  for (const answer of await Promise.all(registered)) {
    const { queue_id, last_event_id, unread_msgs } = answer as unknown as {
      readonly queue_id: string;
      readonly last_event_id: number;
      readonly unread_msgs: Record<
        'streams' | 'pms',
        { readonly unread_message_ids: readonly number[] }[]
      >;
    };
    const groups = [...unread_msgs.streams, ...unread_msgs.pms];
    const unread = groups.flatMap((group) => group.unread_message_ids);
    const params = { queue_id, last_event_id, dont_block: true };
    const { events } = (await service.ask(ben, api.events.poll, params)) as {
      readonly events: readonly { readonly message: { readonly id: number } }[];
    };
    const told = events.map(({ message }) => message.id);
    const isWanted = (id: number): boolean => wanted.includes(id);
    expect([...unread.filter(isWanted), ...told].sort((a, b) => a - b)).toEqual(wanted);
  }
});
