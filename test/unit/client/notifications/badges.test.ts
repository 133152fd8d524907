import { describe, expect, test } from 'vitest';
import { Badges } from '#client/notifications/badges.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import type { Badge } from '#shared/policies/unread-counts.ts';
import { arrivalContext } from '#test/support/client/notifications.ts';

const account = (id: string, realmName: string): Account => ({
  id,
  address: 'http://a',
  realmName,
  email: 'ada@example.com',
  fullName: 'Ada',
  userId: 1,
  isHosted: false,
});
const office = account('1@http://a', 'Office');
const lab = account('1@http://b', 'Lab');

const conversation = { kind: 'private', userIds: [2] } as const;
const unread = (count: number) => {
  const facts = { conversation, count, mentions: 0, newestId: 1 };
  return { ...arrivalContext().state, unread: { [conversationKey(conversation)]: facts } };
};

function begin() {
  const told: Badge[] = [];
  return { told, badges: new Badges((badge) => told.push(badge)) };
}

describe('the badge', () => {
  test('the badge is the sum of the accounts, told when it changes', () => {
    const { told, badges } = begin();
    badges.stateChanged(office.id, unread(2), unread(2));
    badges.stateChanged(lab.id, unread(3), unread(3));
    badges.stateChanged(lab.id, unread(3), unread(3));
    expect(told.map(({ badge }) => badge)).toEqual([2, 5]);
    badges.removed(office.id);
    expect(told.at(-1)).toEqual({ wanted: 3, other: 0, badge: 3, problem: null });
  });

  test('the badge is not counted anew for what does not count', () => {
    const { told, badges } = begin();
    badges.stateChanged(office.id, { starredCount: 3 }, unread(2));
    badges.stateChanged(office.id, unread(2), null);
    expect(told).toEqual([]);
  });

  test('the badge has a mark for an account that is signed out or unreachable, and keeps its count', () => {
    const { told, badges } = begin();
    badges.stateChanged(office.id, unread(2), unread(2));
    badges.connectionChanged(office, { state: 'signed-out', reason: 'The key is refused.' });
    expect(told.at(-1)).toMatchObject({ badge: 2, problem: 'Office: The key is refused.' });
    badges.connectionChanged(office, { state: 'live' });
    expect(told.at(-1)).toMatchObject({ badge: 2, problem: null });
  });
});
