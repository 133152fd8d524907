import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { ErrorCode } from '#shared/api/errors.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { update, notifications, display } = api.settings;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const plain = (events: readonly { readonly id: number }[]): readonly object[] =>
  events.map(({ id: _, ...event }) => event);

async function heard(
  work: () => Promise<unknown>,
  params: Params = {},
): Promise<Record<string, readonly object[]>> {
  const events = await eventsOf(service, work, params);
  return Object.fromEntries(
    [...events].filter(([, list]) => list.length > 0).map(([who, list]) => [who, plain(list)]),
  );
}

const state = async (who: string, type: string): Promise<Record<string, unknown>> =>
  await service.ask(who, api.events.register, { fetch_event_types: [type] });

/** Every notification setting with its default and another value (specification 4). */
const notificationRows: readonly (readonly [string, boolean | number | string, unknown])[] = [
  ['enable_stream_desktop_notifications', false, true],
  ['enable_stream_email_notifications', false, true],
  ['enable_stream_push_notifications', false, true],
  ['enable_stream_audible_notifications', false, true],
  ['notification_sound', 'zulip', 'ding'],
  ['enable_desktop_notifications', true, false],
  ['enable_sounds', true, false],
  ['enable_offline_email_notifications', true, false],
  ['enable_offline_push_notifications', true, false],
  ['enable_online_push_notifications', false, true],
  ['enable_digest_emails', false, true],
  ['enable_login_emails', true, false],
  ['message_content_in_email_notifications', true, false],
  ['pm_content_in_desktop_notifications', true, false],
  ['wildcard_mentions_notify', true, false],
  ['desktop_icon_count_display', 1, 3],
  ['realm_name_in_notifications', false, true],
];

const displayRows: readonly (readonly [string, boolean | number | string, unknown])[] = [
  ['dense_mode', true, false],
  ['fluid_layout_width', false, true],
  ['high_contrast_mode', false, true],
  ['left_side_userlist', false, true],
  ['night_mode', false, true],
  ['starred_message_counts', false, true],
  ['translate_emoticons', false, true],
  ['twenty_four_hour_time', false, true],
  ['demote_inactive_streams', 1, 2],
];

describe('notification settings', () => {
  test.each(notificationRows)(
    '%s can be changed [settings.notification-set]',
    async (name, before, after) => {
      expect((await state(ben, 'update_global_notifications'))[name]).toBe(before);
      let answer: unknown;
      const events = await heard(async () => {
        answer = await service.ask(ben, notifications, { [name]: after });
      });
      expect(answer).toEqual({ [name]: after });
      expect(events).toEqual({
        [ben]: [
          {
            type: 'update_global_notifications',
            user: ben,
            notification_name: name,
            setting: after,
          },
        ],
      });
      expect((await state(ben, 'update_global_notifications'))[name]).toBe(after);
      expect((await state(cleo, 'update_global_notifications'))[name]).toBe(before);
    },
  );

  test('notification settings are stored only where they differ from the defaults, and survive a restart', async () => {
    const stored = (): unknown =>
      service.dump()['account']?.find((row) => row['id'] === idOf[ben])?.['settings'];
    expect(JSON.parse(String(stored()))).toEqual(
      Object.fromEntries(notificationRows.map(([name, , after]) => [name, after])),
    );
    await service.restart();
    expect(await state(ben, 'update_global_notifications')).toMatchObject({
      notification_sound: 'ding',
      available_notification_sounds: ['zulip', 'ding'],
    });
    const defaults = Object.fromEntries(notificationRows.map(([name, before]) => [name, before]));
    expect(await service.ask(ben, notifications, defaults)).toEqual(defaults);
    expect(stored()).toBe('{}');
  });

  test('notification settings answer only what changed; what did not brings no event [settings.notification-answer-changed]', async () => {
    let answer: unknown;
    const events = await heard(async () => {
      answer = await service.ask(gus, notifications, {
        enable_sounds: true,
        enable_digest_emails: true,
        notification_sound: '"ding"',
      });
    });
    expect(answer).toEqual({ enable_digest_emails: true, notification_sound: 'ding' });
    expect(events[gus]).toHaveLength(2);
    expect(await service.rowsAdded(() => service.ask(gus, notifications))).toEqual({});
  });

  test('notification settings reach queues that list user_settings in its form, and only those [settings.notification-reach-queues]', async () => {
    const events = await heard(() => service.ask(cleo, notifications, { enable_sounds: false }), {
      event_types: ['user_settings'],
    });
    const event = { type: 'user_settings', op: 'update', property: 'enable_sounds', value: false };
    expect(events).toEqual({ [cleo]: [event] });
    const { user_settings: all } = await state(cleo, 'user_settings');
    expect(all).toMatchObject({ enable_sounds: false, dense_mode: true });
  });

  test('notification settings hold for streams that have none of their own [settings.notification-hold-streams]', async () => {
    const subscription = async (): Promise<object | undefined> =>
      (await service.ask(cleo, api.streams.subscriptions)).subscriptions.find(
        ({ name }) => name === 'general',
      );
    const off = {
      desktop_notifications: false,
      audible_notifications: false,
      push_notifications: false,
      email_notifications: false,
    };
    expect(await subscription()).toMatchObject(off);
    await service.ask(cleo, notifications, {
      enable_stream_desktop_notifications: true,
      enable_stream_push_notifications: true,
    });
    const on = { ...off, desktop_notifications: true, push_notifications: true };
    expect(await subscription()).toMatchObject(on);
    const { subscriptions } = await state(cleo, 'subscription');
    expect(subscriptions).toEqual([expect.objectContaining(on)]);
    service.change(
      'UPDATE stream_setting SET desktop_notifications = 0, email_notifications = 1 WHERE account_id = ?',
      idOf[cleo] ?? 0,
    );
    expect(await subscription()).toMatchObject({
      ...on,
      desktop_notifications: false,
      email_notifications: true,
    });
  });

  test.each<[string, Params, object]>([
    ['a sound that there is not', { notification_sound: 'gong' }, { code: 'BAD_REQUEST' }],
    [
      'a count of another kind',
      { desktop_icon_count_display: 4 },
      variable('desktop_icon_count_display'),
    ],
    ['no flag', { enable_sounds: 'maybe' }, variable('enable_sounds')],
  ])(
    'notification settings refuse %s [settings.notification-refuse]',
    async (_, params, expected) => {
      expect(await service.refuse(ben, notifications, params)).toMatchObject(expected);
    },
  );
});

function variable(name: string): object {
  return { code: 'REQUEST_VARIABLE_INVALID', var_name: name };
}

describe('display settings', () => {
  test.each(displayRows)(
    '%s can be changed [settings.display-set]',
    async (name, before, after) => {
      expect((await state(ben, 'update_display_settings'))[name]).toBe(before);
      let answer: unknown;
      const events = await heard(async () => {
        answer = await service.ask(ben, display, { [name]: after });
      });
      expect(answer).toEqual({ [name]: after });
      expect(events).toEqual({
        [ben]: [{ type: 'update_display_settings', user: ben, setting_name: name, setting: after }],
      });
      expect((await state(ben, 'update_display_settings'))[name]).toBe(after);
    },
  );

  test('the language comes with its name [settings.language-comes-name]', async () => {
    const events = await heard(() => service.ask(ben, display, { default_language: '"de"' }));
    expect(events[ben]).toEqual([
      {
        type: 'update_display_settings',
        user: ben,
        setting_name: 'default_language',
        setting: 'de',
        language_name: 'Deutsch',
      },
    ]);
  });

  test('the time zone is told to everybody [settings.time-zone-everybody]', async () => {
    const timezone = 'Europe/Vienna';
    const events = await heard(() => service.ask(ben, display, { timezone }));
    const person = { user_id: idOf[ben], email: ben, timezone };
    const told = { type: 'realm_user', op: 'update', person };
    expect(events).toEqual({
      [ada]: [told],
      [ben]: [
        { type: 'update_display_settings', user: ben, setting_name: 'timezone', setting: timezone },
        told,
      ],
      [cleo]: [told],
      [gus]: [told],
      [echoBot]: [told],
    });
    expect(await service.ask(ben, api.users.me)).toMatchObject({ timezone });
    expect(await service.ask(ben, display, { timezone })).toEqual({});
    expect(await service.ask(ben, display, { timezone: '' })).toEqual({ timezone: '' });
  });

  test('display settings reach queues that list user_settings in its form [settings.display-reach-queues]', async () => {
    const events = await heard(() => service.ask(gus, display, { night_mode: true }), {
      event_types: ['user_settings'],
    });
    const event = { type: 'user_settings', op: 'update', property: 'night_mode', value: true };
    expect(events).toEqual({ [gus]: [event] });
  });

  test.each<[string, Params, object]>([
    ['a language that is none', { default_language: 'x-!' }, { code: 'BAD_REQUEST' }],
    ['an emoji set that there is not', { emojiset: 'apple' }, { code: 'BAD_REQUEST' }],
    ['a place that is no time zone', { timezone: 'Middle/Earth' }, { code: 'BAD_REQUEST' }],
    [
      'a way of demoting that there is not',
      { demote_inactive_streams: 0 },
      variable('demote_inactive_streams'),
    ],
  ])('display settings refuse %s', async (_, params, expected) => {
    expect(await service.refuse(ben, display, params)).toMatchObject(expected);
  });

  test('display settings take the emoji set that there is', async () => {
    expect(await service.ask(ben, display, { emojiset: 'google-blob' })).toEqual({});
  });
});

describe('the own account', () => {
  const email = 'Dora@example.com';
  const password = 'correct horse';
  const signIn = (address: string, secret: string): Promise<unknown> =>
    service.ask(null, api.users.fetchApiKey, { username: address, password: secret });
  const fetchedKey = async (address: string, secret: string): Promise<unknown> => {
    const params = { username: address, password: secret };
    return { api_key: (await service.ask(null, api.users.fetchApiKey, params)).api_key };
  };
  let userId = 0;
  beforeAll(async () => {
    const account = { email, password, full_name: 'Dora Nova' };
    userId = (await service.ask(ada, api.users.create, account)).user_id;
  });

  const toAll = (...changes: readonly object[]): Record<string, readonly object[]> => {
    const events = changes.map((change) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: userId, email, ...change },
    }));
    return Object.fromEntries([ada, ben, cleo, gus, echoBot].map((who) => [who, events]));
  };

  test.each([
    ['Dora Bare', 'Dora Bare'],
    ['"Dora Quoted"', 'Dora Quoted'],
  ])('an account takes the name %s [settings.account-name]', async (given, fullName) => {
    let answer: unknown;
    const events = await heard(async () => {
      answer = await service.ask(email, update, { full_name: given });
    });
    expect(answer).toEqual({ full_name: fullName });
    expect(events).toEqual(toAll({ full_name: fullName }));
    expect(await service.ask(email, update, { full_name: fullName })).toEqual({});
  });

  test('an account takes another password where the old one is given [settings.account-another-password]', async () => {
    const change = { old_password: password, new_password: 'battery staple' };
    const answer = await service.ask(email, update, change);
    expect(answer).toEqual(await fetchedKey(email, 'battery staple'));
    service.forgetKey(email);
    await service.restart();
    const refusal = await service.refuse(null, api.users.fetchApiKey, {
      username: email,
      password,
    });
    expect(refusal).toMatchObject({ reason: 'incorrect_creds' });
    await service.ask(email, update, { old_password: 'battery staple', new_password: password });
    service.forgetKey(email);
  });

  test.each<[string, Params, ErrorCode?]>([
    [
      'a wrong old password',
      { old_password: 'wrong horse', new_password: 'battery staple' },
      'WRONG_PASSWORD',
    ],
    ['no old password', { new_password: 'battery staple' }, 'WRONG_PASSWORD'],
    ['a new password that is too short', { old_password: password, new_password: 'short' }],
    ['a name of one character', { full_name: 'D' }],
    ['an address that is none', { email: 'nowhere' }],
    [
      'an address that is taken, without case',
      { email: 'BEN@example.com', old_password: password },
    ],
    [
      'a right name beside a wrong password',
      { full_name: 'Dora Else', old_password: 'wrong horse', new_password: 'battery staple' },
      'WRONG_PASSWORD',
    ],
  ])(
    'an account refuses %s [settings.account-refuses]',
    async (_, change, code = 'BAD_REQUEST') => {
      expect(await service.refuse(email, update, change)).toMatchObject({ code });
    },
  );

  test('an account refuses a new password where there was none', async () => {
    const change = { old_password: '', new_password: 'battery staple' };
    expect(await service.refuse(ben, update, change)).toMatchObject({ code: 'WRONG_PASSWORD' });
  });

  test('an account refuses new names and addresses where members may not change them', async () => {
    const allow = (settings: object): void => {
      service.change('UPDATE realm SET settings = ?', JSON.stringify(settings));
    };
    allow({ name_changes_disabled: true, email_changes_disabled: true });
    await service.restart();
    expect(await service.refuse(email, update, { full_name: 'Dora Else' })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await service.refuse(email, update, { email: 'else@example.com' })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await service.ask(ada, update, { full_name: 'Ada Else' })).toEqual({
      full_name: 'Ada Else',
    });
    allow({});
    await service.restart();
  });

  test('an account takes another address, which brings another gravatar [settings.account-another-address]', async () => {
    const moved = 'dora.nova@example.com';
    let answer: unknown;
    const events = await heard(async () => {
      answer = await service.ask(email, update, { email: moved, old_password: password });
    });
    expect(answer).toEqual({ email: moved });
    const { avatar_url: url } = (await service.ask(ada, api.userAdmin.get, { user_id: userId }))
      .user;
    expect(events).toEqual(
      toAll(
        { new_email: moved },
        {
          email: moved,
          avatar_url: url,
          avatar_url_medium: `${String(url)}&s=500`,
          avatar_source: 'G',
        },
      ),
    );
    await signIn(moved, password);
    expect(await service.ask(moved, api.users.me)).toMatchObject({ email: moved });
    const gone = { username: email, password };
    expect(await service.refuse(null, api.users.fetchApiKey, gone)).toMatchObject({
      reason: 'incorrect_creds',
    });
    const again = await service.register(ada, { client_gravatar: true });
    await service.ask(moved, update, { email, old_password: password });
    expect((await again.now()).at(-1)).toMatchObject({
      person: { avatar_url: null, avatar_url_medium: null },
    });
  });

  test.each(['update', 'notifications', 'display'] as const)(
    'account settings are not for bots: %s [settings.account-not-bots]',
    async (name) => {
      const refusal = await service.refuse(echoBot, api.settings[name], {});
      expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    },
  );
});

describe('signing in with a password', () => {
  test('a password sign-in is refused while the organization has it switched off [settings.password-sign-refused]', async () => {
    service.change(`UPDATE realm SET settings = '{"password_auth_enabled":false}'`);
    await service.restart();
    const refusal = await service.refuse(null, api.users.fetchApiKey, {
      username: ben,
      password: 'whatever it is',
    });
    expect(refusal).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
      reason: 'password auth disabled',
    });
  });
});
