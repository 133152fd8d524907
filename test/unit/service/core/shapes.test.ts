import { describe, expect, test } from 'vitest';
import { EventMessage, Message } from '#shared/api/models/message.ts';
import { RegisteredSubscription, Stream, StreamWithTraffic } from '#shared/api/models/stream.ts';
import { Member, RealmUser } from '#shared/api/models/user.ts';
import {
  flagsOf,
  memberShape,
  messageShape,
  streamShape,
  streamWithTrafficShape,
  subscriptionShape,
  userShape,
} from '#service/core/rules/shapes.ts';
import type {
  AccountRow,
  PersonalMessageRow,
  StreamRow,
  SubscriptionRow,
} from '#service/db/port.ts';

const account = (id: number, email: string, more: Partial<AccountRow> = {}): AccountRow => ({
  id,
  email,
  full_name: `Name ${id}`,
  short_name: `short${id}`,
  role: 'member',
  is_active: 1,
  bot_type: null,
  owner_id: null,
  password_hash: 'secret hash',
  is_password_given: 0,
  key_generation: 1,
  key_floor: 0,
  gravatar_hash: 'abc',
  avatar_version: 3,
  avatar_file: null,
  timezone: 'Europe/Berlin',
  pointer: -1,
  default_sending_stream_id: null,
  default_events_register_stream_id: null,
  default_all_public_streams: 0,
  joined_at: 1_700_000_000,
  settings: '{}',
  ...more,
});

const ada = account(1, 'zoe@x');
const ben = account(2, 'ben@x');

const row = (more: Partial<PersonalMessageRow> = {}): PersonalMessageRow => ({
  is_lost: 0,
  kept_edit_id: null,
  id: 9,
  recipient_id: 4,
  stream_id: 3,
  stream_name: 'ops',
  topic: 'deploy',
  sender_id: 1,
  client: 'website',
  content: '**b**',
  rendered: '<p><strong>b</strong></p>',
  is_me_message: 0,
  has_wildcard_mention: 0,
  has_link: 0,
  has_image: 0,
  has_attachment: 0,
  sent_at: 1_700_000_123,
  edited_at: null,
  edit_number: 0,
  recovered_at: null,
  is_held: 1,
  is_read: 0,
  flags: null,
  ...more,
});

const people = { sender: ada, participants: [ada, ben], subjectLinks: ['http://x/1'] };
const plain = { applyMarkdown: false, clientGravatar: true };

/** Fails for keys that the API does not have, too. */
const strict = { message: EventMessage.strict() };

describe('a message', () => {
  test('a message in a stream has the keys of the contract and no others', () => {
    const shape = messageShape(row(), people, plain);
    expect(strict.message.parse(shape)).toEqual(shape);
    expect(shape).toMatchObject({
      type: 'stream',
      stream_id: 3,
      display_recipient: 'ops',
      recipient_id: 4,
      subject: 'deploy',
      subject_links: ['http://x/1'],
      content: '**b**',
      content_type: 'text/x-markdown',
      sender_id: 1,
      sender_email: 'zoe@x',
      sender_short_name: 'short1',
      sender_realm_str: '',
      avatar_url: null,
      timestamp: 1_700_000_123,
      is_me_message: false,
      reactions: [],
      submessages: [],
    });
    expect(shape).not.toHaveProperty('last_edit_timestamp');
    expect(shape).not.toHaveProperty('flags');
  });

  test('a message in private names everybody, by e-mail address, and has no stream', () => {
    const shape = messageShape(
      row({ stream_id: null, stream_name: null, topic: null }),
      people,
      plain,
    );
    expect(strict.message.parse(shape)).toEqual(shape);
    expect(shape).toMatchObject({ type: 'private', subject: '', subject_links: [] });
    expect(JSON.parse(JSON.stringify(shape))).not.toHaveProperty('stream_id');
    expect(shape.display_recipient).toEqual([
      { id: 2, email: 'ben@x', full_name: 'Name 2', short_name: 'short2', is_mirror_dummy: false },
      { id: 1, email: 'zoe@x', full_name: 'Name 1', short_name: 'short1', is_mirror_dummy: false },
    ]);
  });

  test('a message is rendered and has an avatar where the client asks for that', () => {
    const shape = messageShape(row({ edited_at: 5 }), people, {
      applyMarkdown: true,
      clientGravatar: false,
    });
    expect(shape).toMatchObject({
      content: '<p><strong>b</strong></p>',
      content_type: 'text/html',
      avatar_url: 'https://secure.gravatar.com/avatar/abc?d=identicon&version=3',
    });
    // Events do without, and pages look it up.
    expect(shape).not.toHaveProperty('last_edit_timestamp');
  });

  test.for<[Partial<PersonalMessageRow>, readonly string[]]>([
    [{}, []],
    [{ is_read: 1 }, ['read']],
    [{ flags: 'starred mentioned' }, ['starred', 'mentioned']],
    [{ is_read: 1, flags: 'starred' }, ['read', 'starred']],
    [{ has_wildcard_mention: 1 }, ['wildcard_mentioned']],
    [{ is_held: 0 }, ['read', 'historical']],
    [{ is_held: 0, has_wildcard_mention: 1 }, ['read', 'historical']],
  ])('%j has the flags %j', ([more, flags]) => {
    expect(flagsOf(row(more))).toEqual(flags);
    const shape = { ...messageShape(row(more), people, plain), flags: flagsOf(row(more)) };
    expect(Message.strict().parse(shape)).toEqual(shape);
  });
});

describe('an account', () => {
  const bot = account(7, 'echo-bot@x', { bot_type: 1, owner_id: 2 });

  test('the account of a person has a profile and nothing of a bot', () => {
    const shape = userShape(account(1, 'a@x', { role: 'admin' }), undefined, true);
    expect(RealmUser.strict().parse(shape)).toEqual(shape);
    expect(shape).toEqual({
      user_id: 1,
      email: 'a@x',
      full_name: 'Name 1',
      is_admin: true,
      is_guest: false,
      is_bot: false,
      avatar_url: null,
      timezone: 'Europe/Berlin',
      date_joined: '2023-11-14T22:13:20+00:00',
      profile_data: {},
    });
  });

  test('the account of a bot has an owner and no profile', () => {
    const shape = userShape(bot, ben, true);
    expect(RealmUser.strict().parse(shape)).toEqual(shape);
    expect(shape).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: 2, bot_owner: 'ben@x' });
    expect(shape).not.toHaveProperty('profile_data');
    expect(userShape({ ...bot, owner_id: null }, undefined, true)).toMatchObject({
      bot_owner_id: null,
      bot_owner: null,
    });
  });

  test('an account as a member tells whether it is active, and its profile only where asked for', () => {
    const options = { clientGravatar: false, includeProfile: false };
    const member = memberShape({ ...ben, is_active: 0 }, undefined, options);
    expect(Member.strict().parse(member)).toEqual(member);
    expect(member).toMatchObject({ is_active: false, bot_type: null });
    expect(member).not.toHaveProperty('profile_data');
    expect(memberShape(ben, undefined, { ...options, includeProfile: true })).toMatchObject({
      profile_data: {},
    });
    expect(memberShape(bot, ben, { ...options, includeProfile: true })).not.toHaveProperty(
      'profile_data',
    );
  });

  test('an account never tells its password hash', () => {
    expect(
      JSON.stringify([userShape(ada, undefined, false), messageShape(row(), people, plain)]),
    ).not.toContain('secret hash');
  });
});

describe('a stream', () => {
  const stream: StreamRow = {
    id: 3,
    recipient_id: 4,
    name: 'ops',
    name_key: 'ops',
    description: 'Run',
    rendered_description: '<p>Run</p>',
    is_private: 1,
    is_announcement_only: 0,
    is_history_public: 0,
    is_default: 1,
    is_archived: 0,
    is_history_sealed: 0,
    first_message_id: null,
    created_at: 1_700_000_000,
  };
  const week = 7 * 86_400;
  const traffic = (ageSeconds: number) => ({
    nowSeconds: stream.created_at + ageSeconds,
    weeklyMessages: new Map([[4, 12]]),
  });

  test('a stream has the keys of the contract and no others', () => {
    const shape = streamShape(stream);
    expect(Stream.strict().parse(shape)).toEqual(shape);
    expect(shape).toMatchObject({ invite_only: true, history_public_to_subscribers: false });
    const withTraffic = streamWithTrafficShape(stream, traffic(0));
    expect(StreamWithTraffic.strict().parse(withTraffic)).toEqual(withTraffic);
  });

  test('a stream tells its traffic once it is a week old', () => {
    expect(streamWithTrafficShape(stream, traffic(week - 1))).toMatchObject({
      stream_weekly_traffic: null,
      is_old_stream: false,
    });
    expect(streamWithTrafficShape(stream, traffic(week))).toMatchObject({
      stream_weekly_traffic: 12,
      is_old_stream: true,
    });
    const quiet = { ...traffic(week), weeklyMessages: new Map<number, number>() };
    expect(streamWithTrafficShape(stream, quiet)).toMatchObject({ stream_weekly_traffic: 0 });
  });

  test('a stream as a subscription is in the home view unless it is muted', () => {
    const row_: SubscriptionRow = {
      account_settings: '{}',
      ...stream,
      color: '#76ce90',
      is_muted: 1,
      is_pinned: 1,
      desktop_notifications: 1,
      audible_notifications: 0,
      push_notifications: null,
      email_notifications: null,
    };
    const shape = subscriptionShape(row_, traffic(0));
    expect(RegisteredSubscription.strict().parse(shape)).toEqual(shape);
    expect(shape).toMatchObject({
      color: '#76ce90',
      is_muted: true,
      in_home_view: false,
      pin_to_top: true,
      desktop_notifications: true,
      audible_notifications: false,
      push_notifications: false,
      email_notifications: false,
    });
    expect(subscriptionShape({ ...row_, is_muted: 0 }, traffic(0))).toMatchObject({
      is_muted: false,
      in_home_view: true,
    });
  });
});
