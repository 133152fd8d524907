import { describe, expect, test } from 'vitest';
import { resolveNarrow } from '#client/cache/narrow.ts';
import type { NarrowScope } from '#client/cache/narrow-scope.ts';
import { OrganizationState } from '#renderer/state/organization.svelte.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import {
  listedStream,
  officeState,
  ownUserId,
  person,
  stream,
} from '#test/support/window/office.ts';
import type { Role } from '#shared/policies/actor.ts';
import {
  canCreateStreams,
  canFindToPost,
  canListenToPublicStreams,
  canPost,
  canReadHistory,
  canSeeStream,
  canSubscribe,
  canSubscribeOthers,
  canUnsubscribeOthers,
  type StreamFacts,
} from '#shared/policies/streams.ts';
import { canInvite, canInviteAs, canManageInvitation } from '#shared/policies/people.ts';
import { canSendPrivately } from '#shared/policies/messages.ts';
import { canCreateUserGroups, canEditUserGroup } from '#shared/policies/people.ts';

const kinds: Readonly<Record<string, StreamFacts>> = {
  public: { isPrivate: false, isAnnouncementOnly: false, hasSharedHistory: true },
  'public, announcements': { isPrivate: false, isAnnouncementOnly: true, hasSharedHistory: true },
  'private, shared': { isPrivate: true, isAnnouncementOnly: false, hasSharedHistory: true },
  'private, protected': { isPrivate: true, isAnnouncementOnly: false, hasSharedHistory: false },
  'private, announcements': { isPrivate: true, isAnnouncementOnly: true, hasSharedHistory: false },
};

/**
 * API decisions 10.5, written out: s sees that it exists, h reads all history, p posts, j subscribes
 * oneself. A column for each role, subscribed or not.
 */
const table = `
  stream                 | admin in | admin out | member in | member out | guest in | guest out
  public                 | shpj     | shpj      | shpj      | shpj       | shpj     | -
  public, announcements  | shpj     | shpj      | shj       | shj        | shj      | -
  private, shared        | shpj     | s         | shpj      | -          | shpj     | -
  private, protected     | spj      | s         | spj       | -          | spj      | -
  private, announcements | spj      | s         | sj        | -          | sj       | -
`;

const bridgeOf = (value: ClientState): ConstructorParameters<typeof OrganizationState>[0] => ({
  state: () => Promise.resolve({ ok: true, value }),
  on: () => () => undefined,
});

interface Cell {
  readonly stream: string;
  readonly role: Role;
  readonly isSubscribed: boolean;
  readonly may: string;
}

function cellsOf(text: string): readonly Cell[] {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.flatMap(([stream = '', ...cells]) =>
    cells.map((cell, index) => {
      const [role, place] = (head[index + 1] ?? '').split(' ');
      const may = cell === '-' ? '' : cell;
      return { stream, role: role as Role, isSubscribed: place === 'in', may };
    }),
  );
}

describe('what an account may do with a stream', () => {
  test.for(cellsOf(table))('$stream: $role, subscribed $isSubscribed: $may', (cell) => {
    const facts = kinds[cell.stream]!;
    const { role, isSubscribed } = cell;
    const actor = { role, botType: null };
    const reach = { isAdmin: role === 'admin', isGuest: role === 'guest', isSubscribed };
    const may = [
      canSeeStream(actor, facts, isSubscribed) ? 's' : '',
      canReadHistory(actor, facts, isSubscribed) ? 'h' : '',
      canFindToPost(reach, facts) && canPost(reach, facts) ? 'p' : '',
      canSubscribe(actor, facts, isSubscribed) ? 'j' : '',
    ];
    expect(may.join('')).toBe(cell.may);
  });

  test.for(cellsOf(table))(
    '$stream: $role, subscribed $isSubscribed, in cache and window',
    async (cell) => {
      const { role, isSubscribed, may } = cell;
      const listed = listedStream(3, 'here', kinds[cell.stream]);
      const scoped = { ...listed, isSubscribed, isMuted: false };
      const scope: NarrowScope = {
        ownUserId,
        actor: { role, botType: null },
        streams: [scoped],
        findStream: () => scoped,
        findUserId: () => undefined,
        isTopicMuted: () => false,
      };
      const narrow = [{ operator: 'stream', operand: 3 }];
      const { base } = resolveNarrow({ narrow, historyScope: 'held' }, scope, () => undefined);
      expect(base).toBe(may.includes('h') ? 'open' : 'held');

      const own = person(ownUserId, 'Ada', {
        isAdmin: role === 'admin',
        isGuest: role === 'guest',
      });
      const held = isSubscribed ? [stream(3, 'here', kinds[cell.stream])] : [];
      const others = !isSubscribed && may.includes('s') ? [listed] : [];
      const value = { ...officeState, people: [own], streams: held, otherStreams: others };
      const organization = new OrganizationState(bridgeOf(value), 'account');
      await organization.load();
      const seen = organization.findSeenStream(3);
      expect(seen !== undefined && organization.canPostIn(seen)).toBe(may.includes('p'));
    },
  );

  test('the table has every kind of stream, role and place', () => {
    expect(cellsOf(table)).toHaveLength(Object.keys(kinds).length * 6);
  });

  test('whoever may post or read history sees that the stream exists', () => {
    for (const { stream, role, isSubscribed } of cellsOf(table)) {
      const facts = kinds[stream]!;
      const reach = { isAdmin: role === 'admin', isGuest: role === 'guest', isSubscribed };
      const sees = canSeeStream({ role, botType: null }, facts, isSubscribed);
      expect(canFindToPost(reach, facts)).toBe(sees);
      if (canReadHistory({ role, botType: null }, facts, isSubscribed)) expect(sees).toBe(true);
    }
  });
});

describe('what a bot reaches through its owner', () => {
  test.for<[string, { isAdmin?: boolean; isSubscribed?: boolean; isGuest?: boolean }, boolean]>([
    ['public', {}, true],
    ['public', { isGuest: true }, false],
    ['private, shared', {}, false],
    ['private, shared', { isSubscribed: true }, true],
    ['public, announcements', {}, false],
    ['public, announcements', { isAdmin: true }, true],
    ['private, announcements', { isAdmin: true }, false],
    ['private, announcements', { isAdmin: true, isSubscribed: true }, true],
  ])('%s with %j: may post %s', ([stream, more, mayPost]) => {
    const reach = { isAdmin: false, isGuest: false, isSubscribed: false, ...more };
    expect(canPost(reach, kinds[stream]!)).toBe(mayPost);
  });
});

describe('what kinds of accounts may do', () => {
  // API decisions 10.4: create streams, subscribe others, listen to all public streams.
  test.for<[Role, number | null, boolean, boolean, boolean]>([
    ['admin', null, true, true, true],
    ['member', null, true, true, true],
    ['guest', null, false, false, false],
    ['member', 1, true, true, true],
    ['member', 2, false, false, false],
    ['member', 3, false, false, true],
    ['guest', 1, false, false, false],
  ])('%s, bot type %s', ([role, botType, creates, subscribesOthers, listens]) => {
    const actor = { role, botType };
    expect(canCreateStreams(actor, { create_stream_policy: 1 })).toBe(creates);
    expect(canSubscribeOthers(actor, { invite_to_stream_policy: 1 })).toBe(subscribesOthers);
    const isAdmin = role === 'admin';
    expect(canCreateStreams(actor, { create_stream_policy: 2 })).toBe(creates && isAdmin);
    expect(canSubscribeOthers(actor, { invite_to_stream_policy: 2 })).toBe(
      subscribesOthers && isAdmin,
    );
    expect(canUnsubscribeOthers(actor)).toBe(isAdmin);
    expect(canListenToPublicStreams(actor)).toBe(listens);
  });
});

describe('private messages', () => {
  const person = { botType: null };
  const bot = { botType: 1 };

  // Who writes, to whom, and whether that is allowed where private messages are switched off.
  test.for<[string, { botType: number | null }, (number | null)[], boolean]>([
    ['a person to a person', person, [null], false],
    ['a person to a bot', person, [1], true],
    ['a person to a bot and a person', person, [1, null], false],
    ['a person to two bots', person, [1, 2], false],
    ['a person to itself', person, [], false],
    ['a bot to people', bot, [null, null], true],
  ])('%s', ([, sender, others, isAllowed]) => {
    const off = { private_message_policy: 2 };
    expect(canSendPrivately(sender, others, off)).toBe(isAllowed);
    expect(canSendPrivately(sender, others, { private_message_policy: 1 })).toBe(true);
  });

  test('the window says that they are switched off', async () => {
    const { organization: known } = officeState;
    const settings = { ...known.settings, private_message_policy: 2 };
    const value = { ...officeState, organization: { ...known, settings } };
    const organization = new OrganizationState(bridgeOf(value), 'account');
    await organization.load();
    expect([[9], [9, 12], [], [12]].map((ids) => organization.canWriteTo(ids))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});

describe('groups and invitations', () => {
  const roles = ['admin', 'member', 'guest'] as const;

  test.for(roles.flatMap((role) => [null, 1, 2, 3].map((botType) => ({ role, botType }))))(
    '$role, bot type $botType',
    (actor) => {
      const isPerson = actor.botType === null;
      const isAdmin = isPerson && actor.role === 'admin';
      const isMember = isAdmin || (isPerson && actor.role === 'member');
      const [open, closed] = [{ user_group_edit_policy: 1 }, { user_group_edit_policy: 2 }];
      expect(canCreateUserGroups(actor, open)).toBe(isMember);
      expect(canCreateUserGroups(actor, closed)).toBe(isAdmin);
      expect(canEditUserGroup(actor, true, open)).toBe(isMember);
      expect(canEditUserGroup(actor, false, open)).toBe(isAdmin);
      expect(canEditUserGroup(actor, true, closed)).toBe(isAdmin);
      expect(canInvite(actor, { invite_by_admins_only: false })).toBe(isMember);
      expect(canInvite(actor, { invite_by_admins_only: true })).toBe(isAdmin);
      const userId = 2;
      expect(canManageInvitation({ ...actor, userId }, 2)).toBe(true);
      expect(canManageInvitation({ ...actor, userId }, 1)).toBe(actor.role === 'admin');
    },
  );

  test.for(roles.flatMap((from) => roles.map((to) => [from, to] as const)))(
    '%s invites as %s',
    ([from, to]) => {
      expect(canInviteAs(from, to)).toBe(to !== 'admin' || from === 'admin');
    },
  );
});
