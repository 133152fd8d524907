/** Accounts as administrators manage them, and the own API key (API decisions, section 7.3). */
import { badRequest, ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { ProfileAnswers } from '../../contract/models/profile.ts';
import type { Member } from '../../contract/models/user.ts';
import type { AccountFacts, AccountRow, NewEvent, Store } from '../store/port.ts';
import {
  botAdded,
  botAudience,
  deactivationEvents,
  renamingEvents,
  userAdded,
  userUpdated,
} from './account-events.ts';
import type { DomainContext } from './ports.ts';
import { answersAfter, peopleIn } from './profile.ts';
import { streamNames } from './rules/bots.ts';
import { fold } from '../../contract/fold.ts';
import { checkFullName } from './rules/names.ts';
import { profileDataOf } from './rules/profile.ts';
import { type RoleRequest, roleAfter } from './rules/roles.ts';
import { memberShape } from './rules/shapes.ts';

export interface UserChange extends RoleRequest {
  readonly userId: number;
  readonly fullName: string | undefined;
  readonly profileData: ProfileAnswers | undefined;
}

export interface MemberOptions {
  readonly clientGravatar: boolean;
  readonly includeProfile: boolean;
}

export interface UserAdminOperations {
  /** Deactivated accounts are found. @throws BAD_REQUEST */
  readonly getMember: (userId: number, options: MemberOptions) => Promise<Member>;
  /** @throws BAD_REQUEST, CANNOT_DEACTIVATE_LAST_USER */
  readonly updateUser: (change: UserChange) => Promise<void>;
  /** With the bots that the account owns. @throws BAD_REQUEST, CANNOT_DEACTIVATE_LAST_USER */
  readonly deactivateUser: (userId: number) => Promise<void>;
  /** @throws BAD_REQUEST */
  readonly reactivateUser: (userId: number) => Promise<void>;
  /** The new key; queues stay. */
  readonly regenerateOwnKey: (caller: Caller) => Promise<string>;
}

type AdminStore = Pick<
  Store,
  | 'changeAccount'
  | 'deactivateAccount'
  | 'findUser'
  | 'listProfileValuesOf'
  | 'listStreams'
  | 'listUsers'
  | 'reactivateAccount'
>;

/** @throws CANNOT_DEACTIVATE_LAST_USER when nobody would be left who administers the organization */
function keepOneAdmin({ user, adminIds }: AccountFacts): void {
  if (adminIds.length > 1 || adminIds[0] !== user.id) return;
  throw new ServiceError(
    'CANNOT_DEACTIVATE_LAST_USER',
    'Cannot deactivate the only organization administrator',
    { is_last_admin: true, entity: 'organization administrator' },
  );
}

function roleEvents(user: AccountRow, role: AccountRow['role']): readonly NewEvent[] {
  const flags = [
    ['is_guest', user.role === 'guest', role === 'guest'],
    ['is_admin', user.role === 'admin', role === 'admin'],
  ] as const;
  return flags
    .filter(([, before, after]) => before !== after)
    .map(([key, , after]) => userUpdated(user, { [key]: after }));
}

/** A new key for an account: what to write for it, and the key itself. */
export function renewKey({ credentials: { apiKeys } }: DomainContext, user: AccountRow) {
  const generation = user.key_generation + 1;
  const key = apiKeys.derive(user.id, generation);
  return { key, columns: { key_generation: generation, key_hash: apiKeys.hash(key) } };
}

function activation(
  store: AdminStore,
): Pick<UserAdminOperations, 'deactivateUser' | 'reactivateUser'> {
  return {
    async deactivateUser(userId) {
      await store.deactivateAccount(userId, (facts, bots) => {
        if (facts.user.is_active === 0) throw badRequest('User is already deactivated');
        keepOneAdmin(facts);
        return deactivationEvents(facts, bots);
      });
    },
    async reactivateUser(userId) {
      const nameOf = streamNames(await store.listStreams());
      await store.reactivateAccount(userId, (facts) => {
        const { user, owner, adminIds, service } = facts;
        if (user.is_active === 1) return null;
        const active: AccountRow = { ...user, is_active: 1 };
        if (user.bot_type === null)
          return [userAdded(active, undefined, profileDataOf(facts.profile))];
        if (owner?.is_active === 0) throw badRequest("Reactivate the bot's owner first");
        const audience = botAudience(user.owner_id, adminIds);
        return [userAdded(active, owner), botAdded(active, { owner, service, nameOf }, audience)];
      });
    },
  };
}

export function userAdminOperations(
  store: AdminStore,
  context: DomainContext,
): UserAdminOperations {
  return {
    ...activation(store),
    async getMember(userId, options) {
      const user = await store.findUser(userId);
      if (user === undefined) throw badRequest('No such user');
      const owner = user.owner_id === null ? undefined : await store.findUser(user.owner_id);
      const profile = profileDataOf(await store.listProfileValuesOf(userId));
      return memberShape(user, owner, { ...options, profile });
    },
    async updateUser(change) {
      const fullName = change.fullName === undefined ? undefined : checkFullName(change.fullName);
      const wanted = change.profileData ?? [];
      const isPerson = await peopleIn(store, wanted);
      await store.changeAccount(change.userId, null, (facts) => {
        const { user } = facts;
        const profile = answersAfter(facts, wanted, isPerson);
        const role = roleAfter(user.role, change);
        if (role !== user.role && user.bot_type !== null) {
          throw badRequest('A bot has no role of its own');
        }
        if (user.role === 'admin' && role !== 'admin') keepOneAdmin(facts);
        const isRenamed = fullName !== undefined && fullName !== user.full_name;
        return {
          columns: {
            ...(isRenamed ? { full_name: fullName, full_name_key: fold(fullName) } : {}),
            ...(role === user.role ? {} : { role }),
          },
          answers: profile.answers,
          events: [
            ...(isRenamed ? renamingEvents(facts, fullName) : []),
            ...roleEvents(user, role),
            ...profile.events,
          ],
        };
      });
    },
    async regenerateOwnKey(caller) {
      let key = '';
      await store.changeAccount(caller.userId, null, ({ user }) => {
        const renewed = renewKey(context, user);
        key = renewed.key;
        return { columns: renewed.columns, events: [] };
      });
      return key;
    },
  };
}
