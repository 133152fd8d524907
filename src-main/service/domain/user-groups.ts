/** Groups of people that a message can mention at once (API decisions, section 7.3). */
import { badRequest } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { Store, UserGroup } from '../store/port.ts';
import { fold } from '../../contract/fold.ts';
import { checkDescription } from './rules/names.ts';
import { canCreateUserGroups, canEditUserGroup } from './rules/permissions.ts';
import { realmSettings } from './rules/realm-settings.ts';
import { checkGroupName } from './rules/user-groups.ts';

export interface GroupRequest {
  readonly name: string;
  readonly description: string | undefined;
  /** User ids. */
  readonly members: readonly number[];
}

export interface GroupChange {
  readonly userGroupId: number;
  readonly name: string | undefined;
  readonly description: string | undefined;
}

export interface MemberChange {
  readonly userGroupId: number;
  /** User ids. */
  readonly add: readonly number[];
  readonly delete: readonly number[];
}

export interface UserGroupOperations {
  readonly listGroups: () => Promise<readonly UserGroup[]>;
  /** @throws BAD_REQUEST */
  readonly createGroup: (caller: Caller, request: GroupRequest) => Promise<void>;
  /** @throws BAD_REQUEST, also when nothing is to be changed */
  readonly changeGroup: (caller: Caller, change: GroupChange) => Promise<void>;
  /** All or nothing. @throws BAD_REQUEST, also when nobody is named */
  readonly changeMembers: (caller: Caller, change: MemberChange) => Promise<void>;
  /** @throws BAD_REQUEST */
  readonly removeGroup: (caller: Caller, id: number) => Promise<void>;
}

type GroupStore = Pick<
  Store,
  | 'addUserGroup'
  | 'changeUserGroup'
  | 'changeUserGroupMembers'
  | 'findRealm'
  | 'findUser'
  | 'listUserGroups'
  | 'removeUserGroup'
>;

const notAllowed = (): Error =>
  badRequest('Only group members and organization administrators can change this group');

export function userGroupOperations(store: GroupStore): UserGroupOperations {
  /** Each once. @throws BAD_REQUEST when one is no active account */
  async function checkUsers(ids: readonly number[]): Promise<readonly number[]> {
    for (const id of ids) {
      const user = await store.findUser(id);
      if (user?.is_active !== 1) throw badRequest(`Invalid user ID: ${String(id)}`);
    }
    return [...new Set(ids)];
  }

  /** Asked again of the group as it is when it is changed. */
  async function mayChange(caller: Caller): Promise<(group: UserGroup) => void> {
    const settings = realmSettings(await store.findRealm());
    return ({ members }) => {
      if (!canEditUserGroup(caller, members.includes(caller.userId), settings)) throw notAllowed();
    };
  }

  return {
    listGroups: () => store.listUserGroups(),
    async createGroup(caller, { name, description, members }) {
      if (!canCreateUserGroups(caller, realmSettings(await store.findRealm()))) {
        throw badRequest('Only organization administrators can create user groups');
      }
      const checked = checkGroupName(name);
      await store.addUserGroup({
        name: checked,
        nameKey: fold(checked),
        description: checkDescription(description ?? ''),
        memberIds: await checkUsers(members),
      });
    },
    async changeGroup(caller, { userGroupId, name, description }) {
      if (name === undefined && description === undefined) {
        throw badRequest('Nothing to change: name or description is needed');
      }
      const checked = name === undefined ? undefined : checkGroupName(name);
      const change = {
        ...(checked === undefined ? {} : { name: checked, nameKey: fold(checked) }),
        ...(description === undefined ? {} : { description: checkDescription(description) }),
      };
      await store.changeUserGroup(userGroupId, change, await mayChange(caller));
    },
    async changeMembers(caller, { userGroupId, add, delete: removed }) {
      if (add.length === 0 && removed.length === 0) {
        throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
      }
      const remove = [...new Set(removed)];
      const both = add.find((id) => remove.includes(id));
      if (both !== undefined) throw badRequest(`User ${String(both)} is both added and deleted`);
      const userIds = { add: await checkUsers(add), remove };
      await store.changeUserGroupMembers(userGroupId, userIds, await mayChange(caller));
    },
    async removeGroup(caller, id) {
      await store.removeUserGroup(id, await mayChange(caller));
    },
  };
}
