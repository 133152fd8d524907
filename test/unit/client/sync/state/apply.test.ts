import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  applyEvent,
  type EventContext,
  expireTyping,
  needsSnapshot,
} from '#client/sync/state/apply.ts';
import { byOp, type Changes, onEvent } from '#client/sync/state/event.ts';
import { markedRead, markedUnread, starredMessages } from '#client/sync/state/marks.ts';
import { withServiceTime } from '#client/sync/state/presence.ts';
import type { SessionState } from '#client/sync/state/session-state.ts';
import { Snapshot, stateFrom } from '#client/sync/state/snapshot.ts';
import { windowStateOf } from '#client/sync/state/window-state.ts';
import type { Message } from '#shared/api/models/message.ts';
import {
  ada,
  ben,
  cleo,
  privateMessage,
  realmUser,
  streamMessage,
  subscription,
} from '#test/support/service/wire-builders.ts';

const NOW = 1_700_000_000;
const place = { streamId: 4, topic: 'deploy' };

const state = stateFrom(
  Snapshot.parse({
    queue_id: '1:1',
    last_event_id: 0,
    user_id: ada.id,
    max_message_id: 20,
    can_create_streams: false,
    realm_create_stream_policy: 2,
    realm_users: [
      realmUser(ada, { is_admin: false }),
      realmUser(ben),
      realmUser(cleo, { is_guest: true }),
    ],
    subscriptions: [subscription(4, 'ops', { color: '#112233' }), subscription(5, 'leads')],
    never_subscribed: [subscription(6, 'music')],
    muted_topics: [
      ['ops', 'noise'],
      ['hidden', 'noise'],
    ],
    unread_msgs: {
      pms: [{ sender_id: ben.id, unread_message_ids: [11, 12] }],
      huddles: [{ user_ids_string: '1,2,3', unread_message_ids: [13] }],
      streams: [{ stream_id: 4, topic: 'Deploy', unread_message_ids: [14, 15] }],
      mentions: [15],
    },
    starred_messages: [9, 14],
    recent_private_conversations: [
      { max_message_id: 13, user_ids: [2, 3] },
      { max_message_id: 12, user_ids: [2] },
    ],
  }),
);

const context: EventContext = { nowSeconds: NOW, find: () => undefined };

const after = (events: readonly object[], more: Partial<EventContext> = {}): SessionState =>
  events.reduce<SessionState>(
    (known, event) => applyEvent(known, event, { ...context, ...more }),
    state,
  );

const unreadAfter = (events: readonly object[], more: Partial<EventContext> = {}) =>
  Object.fromEntries(
    Object.entries(windowStateOf(after(events, more)).unread).map(([key, { count, mentions }]) => [
      key,
      [count, mentions],
    ]),
  );

const atFirst = { 'private:2': [2, 0], 'private:2,3': [1, 0], 'stream:4:deploy': [2, 1] };
const flags = (op: string, flag: string, messages: readonly number[], all = false) => ({
  type: 'update_message_flags',
  op,
  operation: op,
  flag,
  messages,
  all,
});
const typing = (op: string, sender = ben) => ({
  type: 'typing',
  op,
  sender: { user_id: sender.id, email: sender.email },
  recipients: [ada, ben].map(({ id, email }) => ({ user_id: id, email })),
});

describe('unread messages', () => {
  test('unread messages are those of the snapshot at first', () => {
    expect(unreadAfter([])).toEqual(atFirst);
  });

  test.each([
    [
      'count where they come, whatever the case of the topic',
      [{ type: 'message', message: streamMessage(21, ben, place), flags: [] }],
      { ...atFirst, 'stream:4:deploy': [3, 1] },
    ],
    [
      'count as mentions, of a wildcard too',
      [
        {
          type: 'message',
          message: privateMessage(21, ben, [ada, ben]),
          flags: ['wildcard_mentioned'],
        },
      ],
      { ...atFirst, 'private:2': [3, 1] },
    ],
    [
      'do not count when they come as read',
      [{ type: 'message', message: privateMessage(21, ada, [ada, ben]), flags: ['read'] }],
      atFirst,
    ],
    [
      'are read one by one',
      [flags('add', 'read', [11, 13, 15, 99])],
      { 'private:2': [1, 0], 'stream:4:deploy': [1, 0] },
    ],
    ['are all read at once', [flags('add', 'read', [], true)], {}],
    [
      'move with their topic and to another stream',
      [
        {
          type: 'update_message',
          message_id: 14,
          message_ids: [14],
          stream_id: 4,
          flags: [],
          subject: 'lunch',
        },
        {
          type: 'update_message',
          message_id: 15,
          message_ids: [15],
          stream_id: 4,
          new_stream_id: 5,
          flags: ['mentioned'],
        },
      ],
      {
        'private:2': [2, 0],
        'private:2,3': [1, 0],
        'stream:4:lunch': [1, 0],
        'stream:5:deploy': [1, 1],
      },
    ],
    [
      'mention the account, or no longer, after they were edited',
      [
        { type: 'update_message', message_id: 14, message_ids: [14], flags: ['mentioned'] },
        { type: 'update_message', message_id: 15, message_ids: [15], flags: [] },
        flags('add', 'mentioned', [11]),
      ],
      { ...atFirst, 'private:2': [2, 1] },
    ],
    [
      'are gone when they are deleted',
      [
        { type: 'delete_message', message_id: 15, message_type: 'stream' },
        { type: 'delete_message', message_ids: [11, 12], message_type: 'private' },
      ],
      { 'private:2,3': [1, 0], 'stream:4:deploy': [1, 0] },
    ],
    [
      'hide while their stream is not subscribed to, and come back with it',
      [{ type: 'subscription', op: 'remove', subscriptions: [{ stream_id: 4, name: 'ops' }] }],
      { 'private:2': [2, 0], 'private:2,3': [1, 0] },
    ],
    [
      'come back with the stream',
      [
        { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: 4, name: 'ops' }] },
        { type: 'subscription', op: 'add', subscriptions: [subscription(4, 'ops')] },
      ],
      atFirst,
    ],
  ])('%s', (_, events, expected) => {
    expect(unreadAfter(events)).toEqual(expected);
  });

  test('unread messages count again where it is known to which conversation they belong', () => {
    const message: Message = { ...streamMessage(8, ben, place), flags: ['mentioned'] };
    const find = (id: number): Message | undefined => (id === 8 ? message : undefined);
    const events = [flags('remove', 'read', [7, 8, 15])];
    expect(unreadAfter(events, { find })).toEqual({ ...atFirst, 'stream:4:deploy': [3, 2] });
  });
});

describe('marks that are set here', () => {
  test('marks that are set here are what their events say later', () => {
    const read = markedRead(state, [11, 15]);
    expect(applyEvent(read, flags('add', 'read', [11, 15]), context)).toBe(read);
    const conversation = { kind: 'private' as const, userIds: [2] };
    const unread = markedUnread(read, [{ id: 11, conversation, isMention: false }]);
    expect(windowStateOf(unread).unread['private:2']?.count).toBe(2);
    expect(applyEvent(unread, flags('remove', 'read', [11]), context)).toBe(unread);
    const starred = starredMessages(state, [15], true);
    expect(windowStateOf(starred).starredCount).toBe(3);
    expect(applyEvent(starred, flags('add', 'starred', [15]), context)).toBe(starred);
    expect(starredMessages(starred, [15], false).starred.size).toBe(2);
  });
});

describe('private conversations', () => {
  const idsOf = (known: SessionState): readonly (readonly [number, string])[] =>
    known.privateConversations.map((each) => [each.newestMessageId, each.userIds.join()]);

  test('private conversations stand in the order of their newest messages', () => {
    const message = privateMessage(21, ben, [ada, ben]);
    const own = privateMessage(22, ada, [ada]);
    expect(
      idsOf(
        after([
          { type: 'message', message, flags: [] },
          { type: 'message', message: own, flags: ['read'] },
        ]),
      ),
    ).toEqual([
      [22, ''],
      [21, '2'],
      [13, '2,3'],
    ]);
  });

  test('private conversations go back to the message before the one that was deleted, and go with the last one', () => {
    const deletion = { type: 'delete_message', message_id: 13, message_type: 'private' };
    expect(idsOf(after([deletion], { newestBefore: () => 10 }))).toEqual([
      [12, '2'],
      [10, '2,3'],
    ]);
    expect(idsOf(after([deletion], { newestBefore: () => null }))).toEqual([[12, '2']]);
    const unknown = after([deletion]);
    expect(idsOf(unknown)).toEqual(idsOf(state));
    expect(needsSnapshot(state, unknown, [deletion])).toBe(true);
    const known = after([deletion], { newestBefore: () => null });
    expect(needsSnapshot(state, known, [deletion])).toBe(false);
    const several = { type: 'delete_message', message_ids: [7, 12, 10], message_type: 'private' };
    const newestBefore = (_: readonly number[], id: number): number | null =>
      [10, 7, 3].find((each) => each < id) ?? null;
    expect(idsOf(after([several], { newestBefore }))).toEqual([
      [13, '2,3'],
      [3, '2'],
    ]);
  });
});

describe('who types', () => {
  test('who types is shown until that stops, a message comes or nothing more is heard for 15 seconds', () => {
    const begun = after([typing('start')]);
    expect(begun.typing).toEqual({ 'private:2': [2] });
    expect(after([typing('start'), typing('stop')]).typing).toEqual({});
    const message = { type: 'message', message: privateMessage(21, ben, [ada, ben]), flags: [] };
    expect(after([typing('start'), message]).typing).toEqual({});
    expect(expireTyping(begun, NOW + 14)).toBe(begun);
    expect(expireTyping(begun, NOW + 15).typing).toEqual({});
    const again = applyEvent(begun, typing('start'), { ...context, nowSeconds: NOW + 10 });
    expect(again.typing).toBe(begun.typing);
    expect(expireTyping(again, NOW + 24)).toBe(again);
  });

  test('who types is never the account itself', () => {
    expect(after([typing('start', ada)])).toBe(state);
  });
});

describe('what people are doing', () => {
  const presence = (status: string, timestamp: number) => ({
    type: 'presence',
    user_id: ben.id,
    email: ben.email,
    server_timestamp: NOW,
    presence: { website: { client: 'website', status, timestamp, pushable: false } },
  });

  test.each([
    ['the newest report', [presence('active', 5), presence('idle', 6)], ['idle', 6]],
    ['an older report', [presence('active', 5), presence('idle', 4)], ['active', 5]],
    ['of one second the most present', [presence('idle', 5), presence('active', 5)], ['active', 5]],
  ])('what people are doing is known from %s', (_, events, [status, atSeconds]) => {
    expect(after(events).presences).toEqual({ [ben.id]: { status, atSeconds } });
  });

  test('what people are doing is what they say of themselves until they take it back', () => {
    const status = (change: object) => ({ type: 'user_status', user_id: ben.id, ...change });
    const away = [status({ away: true }), status({ status_text: 'out' })];
    expect(after(away).statuses).toEqual({ [ben.id]: { isAway: true, text: 'out' } });
    const back = [...away, status({ away: false }), status({ status_text: '' })];
    expect(after(back).statuses).toEqual({});
  });
});

describe('streams', () => {
  test('streams that are left stay listed where they are seen from outside, and muted topics with them', () => {
    const left = after([
      { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: 4, name: 'ops' }] },
    ]);
    expect(left.streams.map(({ streamId }) => streamId)).toEqual([5]);
    expect(left.otherStreams.map(({ streamId }) => streamId)).toEqual([4, 6]);
    expect(left.otherStreams[0]).not.toHaveProperty('color');
    expect(left.mutedTopics).toEqual([{ streamId: 4, topic: 'noise' }]);
  });

  test('streams that become private without the account are gone, and so are their muted topics until they are back', () => {
    const gone = { type: 'stream', op: 'delete', streams: [subscription(4, 'ops')] };
    expect(after([gone]).mutedTopics).toEqual([]);
    const back = { type: 'stream', op: 'create', streams: [subscription(4, 'renamed')] };
    expect(after([gone, back]).mutedTopics).toEqual([{ streamId: 4, topic: 'noise' }]);
  });

  test('a stream that appears brings the muted topics that were only known by their names', () => {
    const seen = { type: 'stream', op: 'create', streams: [subscription(9, 'hidden')] };
    expect(after([seen]).mutedTopics).toContainEqual({ streamId: 9, topic: 'noise' });
  });

  test('streams keep their muted topics when they are renamed', () => {
    const renamed = { type: 'stream', op: 'update', stream_id: 4, name: 'ops', property: 'name' };
    const known = after([{ ...renamed, value: 'operations' }]);
    expect(known.streams[0]?.name).toBe('operations');
    expect(known.mutedTopics).toBe(state.mutedTopics);
  });

  test('streams are to be counted again when people come to them or leave them', () => {
    const peers = { type: 'subscription', user_id: 2, user_ids: [2], subscriptions: [] };
    const came = { ...peers, op: 'peer_add', stream_id: 4, stream_ids: [4] };
    const went = { ...peers, op: 'peer_remove', stream_id: 6, stream_ids: [6], id: 2 };
    const told = [{ ...came, id: 1 }, went, { ...came, id: 3 }];
    expect(after(told).memberChanges).toEqual({ 4: 3, 6: 2 });
    const leave = {
      ...{ type: 'subscription', id: 7 },
      op: 'remove',
      subscriptions: [{ stream_id: 4, name: 'ops' }],
    };
    expect(after([leave]).memberChanges).toEqual({ 4: 7 });
    const person = { user_id: ben.id, full_name: 'Ben' };
    const gone = { type: 'realm_user', op: 'remove', person, id: 8 };
    expect(after([gone]).memberChanges).toEqual({ 0: 8 });
    const back = { ...gone, op: 'add', person: realmUser(ben), id: 9 };
    expect(after([gone, back]).memberChanges).toEqual({ 0: 9 });
    const moved = { ...gone, op: 'update', person: { ...person, new_email: 'b@x.y' } };
    expect(after([moved]).memberChanges).toEqual({ 0: 8 });
  });

  test('a stream has a first message from the first one on', () => {
    const message = streamMessage(30, ben, place);
    const known = after([{ type: 'message', message, flags: ['read'] }]);
    expect(known.streams[0]?.firstMessageId).toBe(30);
  });

  test('streams that are joined again, and another role of the account, need a new snapshot', () => {
    const leave = after([
      { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: 4, name: 'ops' }] },
    ]);
    expect(needsSnapshot(state, leave, [])).toBe(false);
    const join = (id: number, more: object) => ({
      type: 'subscription',
      op: 'add',
      subscriptions: [subscription(id, 'ops', more)],
    });
    const again = applyEvent(leave, join(4, { first_message_id: 3 }), context);
    expect(needsSnapshot(leave, again, [])).toBe(true);
    expect(needsSnapshot(state, after([join(6, { first_message_id: 3 })]), [])).toBe(false);
    expect(needsSnapshot(state, after([join(7, { first_message_id: null })]), [])).toBe(false);
    const promoted = { type: 'realm_user', op: 'update', person: { user_id: 1, is_admin: true } };
    const known = after([promoted]);
    expect(known.organization.canCreateStreams).toBe(true);
    expect(needsSnapshot(state, known, [])).toBe(true);
  });
});

describe('people, groups and bots', () => {
  const person = (op: string, change: object) => ({ type: 'realm_user', op, person: change });
  const group = (op: string, more: object) => ({ type: 'user_group', op, ...more });
  const bot = (op: string, more: object) => ({
    type: 'realm_bot',
    op,
    bot: { user_id: 30, ...more },
  });
  const team = { id: 3, name: 'team', description: 'x', members: [2, 1] };
  const robot = {
    full_name: 'Robot',
    email: 'robot@example.com',
    bot_type: 3,
    is_active: true,
    owner_id: 2,
    api_key: 'secret',
  };

  test.each([
    [person('update', { user_id: 2, full_name: 'Benjamin' }), { fullName: 'Benjamin' }],
    [person('update', { user_id: 2, is_admin: true }), { isAdmin: true }],
    [person('update', { user_id: 2, timezone: 'UTC' }), { timezone: 'UTC' }],
    [person('update', { user_id: 2, avatar_url: '/a.png' }), { avatarUrl: '/a.png' }],
    [person('update', { user_id: 2, email: ben.email, new_email: 'b@x.y' }), { email: 'b@x.y' }],
    [
      person('update', { user_id: 2, custom_profile_field: { id: 4, value: 'x' } }),
      { profile: { 4: 'x' } },
    ],
    [person('remove', { user_id: 2, email: ben.email, full_name: '' }), { isActive: false }],
  ])('people change as %j says', (event, change) => {
    const known = after([event]).people;
    const before = state.people.find(({ userId }) => userId === 2);
    expect(known.find(({ userId }) => userId === 2)).toEqual({ ...before, ...change });
    expect(known).toHaveLength(state.people.length);
  });

  test('people come and come back', () => {
    const removed = person('remove', { user_id: 2 });
    expect(after([removed, person('add', realmUser(ben))]).people).toEqual(state.people);
    const dora = { id: 9, email: 'd@example.com', name: 'Dora' };
    expect(after([person('add', realmUser(dora))]).people.map(({ userId }) => userId)).toEqual([
      1, 2, 3, 9,
    ]);
  });

  test('people are together in groups', () => {
    const groupsAfter = (...events: readonly object[]) =>
      after([group('add', { group: team }), ...events]).userGroups;
    const known = { id: 3, name: 'team', description: 'x', userIds: [1, 2] };
    expect(groupsAfter()).toEqual([known]);
    const change = group('update', { group_id: 3, data: { name: 'crew' } });
    expect(groupsAfter(change)).toEqual([{ ...known, name: 'crew' }]);
    const more = group('add_members', { group_id: 3, user_ids: [2, 3] });
    expect(groupsAfter(more)).toEqual([{ ...known, userIds: [1, 2, 3] }]);
    const less = group('remove_members', { group_id: 3, user_ids: [1, 9] });
    expect(groupsAfter(less)).toEqual([{ ...known, userIds: [2] }]);
    expect(groupsAfter(group('remove', { group_id: 3 }))).toEqual([]);
  });

  test('people may be bots, whose keys stay out of the state', () => {
    const botsAfter = (...events: readonly object[]) => after([bot('add', robot), ...events]).bots;
    const { full_name: fullName, email } = robot;
    const known = { userId: 30, fullName, email, type: 3, isActive: true, ownerId: 2 };
    expect(botsAfter()).toEqual([known]);
    const renamed = bot('update', { full_name: 'Android', api_key: 'secret' });
    expect(botsAfter(renamed)).toEqual([{ ...known, fullName: 'Android' }]);
    expect(botsAfter(bot('remove', {}))).toEqual([{ ...known, isActive: false }]);
    expect(botsAfter(bot('delete', {}))).toEqual([]);
  });
});

describe('settings', () => {
  const settingsAfter = (events: readonly object[]) => after(events).organization.settings;

  test('the largest file is a number of MiB, and room for files a number of bytes or without limit', () => {
    const set = (property: string, value: unknown) => ({
      type: 'realm',
      op: 'update',
      property,
      value,
    });
    const quota = (value: unknown) => set('upload_quota', value);
    // A service of before says nothing of it.
    expect(settingsAfter([]).max_file_upload_size).toBe(25);
    expect(settingsAfter([set('max_file_upload_size', 50)]).max_file_upload_size).toBe(50);
    expect(settingsAfter([quota(1024)]).upload_quota).toBe(1024);
    expect(settingsAfter([quota(1024), quota(null)]).upload_quota).toBeNull();
  });

  test('new streams are told of in one, or nowhere; linked images and who is here are shown or not', () => {
    const set = (property: string, value: unknown) => ({
      type: 'realm',
      op: 'update',
      property,
      value,
    });
    const told = set('notifications_stream_id', 7);
    expect(settingsAfter([told]).notifications_stream_id).toBe(7);
    const untold = set('notifications_stream_id', -1);
    expect(settingsAfter([told, untold]).notifications_stream_id).toBe(-1);
    const hidden = [set('inline_image_preview', false), set('presence_disabled', true)];
    expect(settingsAfter(hidden)).toMatchObject({
      inline_image_preview: false,
      presence_disabled: true,
    });
  });

  test('a picture of the organization is one that somebody chose', () => {
    const icon = (url: string, source: string) => ({
      type: 'realm',
      op: 'update_dict',
      property: 'icon',
      data: { icon_source: source, icon_url: url },
    });
    const chosen = icon('/user_avatars/1/realm/a.png', 'U');
    expect(after([chosen]).organization.iconUrl).toBe('/user_avatars/1/realm/a.png');
    expect(after([chosen, icon('/icon.png', 'G')]).organization.iconUrl).toBeNull();
  });

  test('settings are told one by one, or together', () => {
    const known = after([
      { type: 'realm', op: 'update', property: 'name', value: 'Office' },
      {
        type: 'realm',
        op: 'update_dict',
        property: 'default',
        data: { allow_message_editing: false, message_content_edit_limit_seconds: 60 },
      },
      { type: 'realm', op: 'update', property: 'create_stream_policy', value: 1 },
      { type: 'update_global_notifications', notification_name: 'enable_sounds', setting: false },
      { type: 'update_display_settings', setting_name: 'night_mode', setting: true },
      { type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value: true },
      { type: 'alert_words', alert_words: ['kiwi', 7] },
    ]);
    expect(known.organization).toEqual({
      ...state.organization,
      canCreateStreams: true,
      settings: {
        ...state.organization.settings,
        name: 'Office',
        allow_message_editing: false,
        message_content_edit_limit_seconds: 60,
        create_stream_policy: 1,
      },
    });
    expect(known.notifications).toEqual({ ...state.notifications, enable_sounds: false });
    expect(known.display).toEqual({
      ...state.display,
      night_mode: true,
      twenty_four_hour_time: true,
    });
    expect(known.alertWords).toEqual(['kiwi']);
  });

  test('settings of a subscription are its own', () => {
    const update = (property: string, value: unknown) => ({
      type: 'subscription',
      op: 'update',
      stream_id: 4,
      property,
      value,
    });
    const known = after([
      update('in_home_view', false),
      update('pin_to_top', true),
      update('color', '#abcdef'),
      update('audible_notifications', true),
    ]);
    expect(known.streams[0]).toEqual({
      ...state.streams[0],
      isMuted: true,
      isPinned: true,
      color: '#abcdef',
      audibleNotifications: true,
    });
    expect(known.streams[1]).toBe(state.streams[1]);
  });
});

test('the form of an event reads only what the contract declares', () => {
  const read = z.object({ topic: z.string().optional() });
  const same = (before: SessionState): SessionState => before;
  const forms: Changes = {
    // @ts-expect-error a message that changed has a `subject`
    update_message: onEvent(read, same),
    // @ts-expect-error who types is told as an object
    typing: onEvent(z.object({ sender: z.int() }), same),
    user_group: byOp<'user_group'>({
      // @ts-expect-error members are told by their ids
      add_members: onEvent(z.object({ emails: z.array(z.string()) }), same),
    }),
  };
  expect(Object.keys(forms)).toHaveLength(3);
});

describe('events that say nothing', () => {
  const types = [
    ...['message', 'update_message', 'delete_message', 'update_message_flags', 'reaction'],
    ...['subscription', 'stream', 'muted_topics', 'realm_user', 'realm_bot', 'user_group', 'realm'],
    ...['presence', 'user_status', 'typing', 'alert_words', 'realm_emoji', 'heartbeat', 'restart'],
    ...['update_global_notifications', 'update_display_settings', 'user_settings', 'constructor'],
  ];
  const op = fc.constantFrom('add', 'remove', 'update', 'start', '__proto__', 'peer_add');

  test('events that say nothing leave the state as it is, whatever is in them', () => {
    const noise = fc.oneof(
      fc.anything(),
      fc.record({ type: fc.constantFrom(...types), op }),
      fc.record({ type: fc.constantFrom(...types.slice(0, 12)), op, message: fc.anything() }),
    );
    fc.assert(
      fc.property(noise, (event) => {
        expect(applyEvent(state, event, context)).toBe(state);
      }),
    );
  });

  test('events that say what the state says already leave it as it is, too', () => {
    const known = [
      { type: 'alert_words', alert_words: [] },
      { type: 'realm_user', op: 'update', person: { user_id: 2, full_name: ben.name } },
      { type: 'realm_user', op: 'update', person: { user_id: 77, full_name: 'Nobody' } },
      { type: 'subscription', op: 'update', stream_id: 4, property: 'is_muted', value: false },
      { type: 'subscription', op: 'update', stream_id: 4, property: 'color', value: 7 },
      { type: 'realm', op: 'update', property: 'name', value: '' },
      { type: 'update_display_settings', setting_name: 'night_mode', setting: 'yes' },
      { type: 'update_display_settings', setting_name: 'toString', setting: 'yes' },
      { type: 'stream', op: 'create', streams: [subscription(6, 'music')] },
    ];
    for (const event of known) expect(applyEvent(state, event, context)).toBe(state);
  });
});

test.each([
  ['the same', 0, NOW + 2, 0],
  ['behind', 0, NOW + 600, 600],
  ['ahead', 0, NOW - 600.4, -600],
  ['as far off as before, but for the way of the answer', 600, NOW + 599, 600],
  ['set right since', 600, NOW, 0],
  ['not told of', 600, undefined, 600],
])('a clock that is %s gives the time of the service', (_, known, told, expected) => {
  const before = { ...state, clockAheadSeconds: known };
  expect(withServiceTime(before, told, NOW).clockAheadSeconds).toBe(expected);
});
