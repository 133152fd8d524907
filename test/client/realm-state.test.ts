import { expect, test } from 'vitest';
import { applyEvent, realmFrom } from '../../src-main/client/realm-state.ts';
import { ada, ben, cleo, realmUser, subscription } from '../support/builders.ts';

const realm = realmFrom({
  queue_id: '1:1',
  last_event_id: 1,
  max_message_id: -1,
  realm_name: 'Model',
  user_id: ada.id,
  realm_users: [realmUser(ada), realmUser(ben)],
  subscriptions: [subscription(10, 'general', { invite_only: true, pin_to_top: true })],
});

test('a snapshot is what a window shows of an organization', () => {
  expect(realm).toEqual({
    realmName: 'Model',
    ownUserId: 1,
    people: [
      {
        userId: 1,
        email: 'ada@example.com',
        fullName: 'Ada Admin',
        isAdmin: true,
        isGuest: false,
        isBot: false,
      },
      {
        userId: 2,
        email: 'ben@example.com',
        fullName: 'Ben Member',
        isAdmin: false,
        isGuest: false,
        isBot: false,
      },
    ],
    streams: [
      {
        streamId: 10,
        name: 'general',
        description: '',
        isPrivate: true,
        isAnnouncementOnly: false,
        isMuted: false,
        isPinned: true,
        color: '#76ce90',
      },
    ],
  });
});

test('a new subscription is added, and a repeated one replaces what was known', () => {
  const event = (name: string) => ({
    id: 2,
    type: 'subscription',
    op: 'add',
    subscriptions: [subscription(12, name)],
  });
  const names = applyEvent(applyEvent(realm, event('ops')), event('operations')).streams;
  expect(names.map(({ name }) => name)).toEqual(['general', 'operations']);
});

test('a new colleague is added', () => {
  const event = { id: 2, type: 'realm_user', op: 'add', person: realmUser(cleo) };
  const { people } = applyEvent(realm, event);
  expect(people.map(({ fullName }) => fullName)).toEqual([
    'Ada Admin',
    'Ben Member',
    'Cleo Member',
  ]);
});

test.each([
  [{ id: 2, type: 'realm_user', op: 'add', person: { user_id: 'three' } }],
  [{ id: 2, type: 'subscription', op: 'add', subscriptions: [{ stream_id: 12 }] }],
  [{ id: 2, type: 'subscription', op: 'peer_add', stream_id: 10, user_id: 3 }],
  [{ id: 2, type: 'heartbeat' }],
  [{ id: 2, type: 'invented_later' }],
  [null],
  ['text'],
])('%j changes nothing', (event) => {
  expect(applyEvent(realm, event)).toBe(realm);
});
