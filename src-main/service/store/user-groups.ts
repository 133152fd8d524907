/** Groups of people that a message can mention at once (API decisions, sections 7.3 and 8.2). */
import { badRequest } from '../../contract/errors.ts';
import { findOne, insert, list, type Operation, record, run } from './operation.ts';

export interface UserGroupRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** A group with the accounts that are in it, ascending. */
export interface UserGroup extends UserGroupRow {
  readonly members: readonly number[];
}

export interface NewUserGroup {
  readonly name: string;
  /** The name as the domain folds it for comparison. */
  readonly nameKey: string;
  readonly description: string;
  readonly memberIds: readonly number[];
}

/** What to change of a group; absent keys stay as they are. */
export interface UserGroupChange {
  readonly name?: string;
  readonly nameKey?: string;
  readonly description?: string;
}

const COLUMNS = 'id, name, description';
const LIST = `SELECT ${COLUMNS} FROM user_group ORDER BY id`;
const FIND = `SELECT ${COLUMNS} FROM user_group WHERE id = :id`;
const FIND_BY_NAME = `SELECT ${COLUMNS} FROM user_group WHERE name_key = :nameKey`;
const LIST_ALL_MEMBERS =
  'SELECT group_id, account_id FROM user_group_member ORDER BY group_id, account_id';
const LIST_MEMBERS = `SELECT group_id, account_id FROM user_group_member
  WHERE group_id = :groupId ORDER BY account_id`;
const INSERT = `INSERT INTO user_group (name, name_key, description)
  VALUES (:name, :nameKey, :description)`;
const UPDATE = `UPDATE user_group SET name = :name, name_key = :nameKey, description = :description
  WHERE id = :id`;
const NAME_KEY = 'SELECT name_key FROM user_group WHERE id = :id';
const DELETE = 'DELETE FROM user_group WHERE id = :id';
const DELETE_MEMBERS = 'DELETE FROM user_group_member WHERE group_id = :id';
const INSERT_MEMBER =
  'INSERT INTO user_group_member (group_id, account_id) VALUES (:groupId, :userId)';
const DELETE_MEMBER =
  'DELETE FROM user_group_member WHERE group_id = :groupId AND account_id = :userId';

interface MemberRow {
  readonly group_id: number;
  readonly account_id: number;
}

function* withMembers(row: UserGroupRow): Operation<UserGroup> {
  const members = yield* list<MemberRow>(LIST_MEMBERS, { groupId: row.id });
  return { ...row, members: members.map((member) => member.account_id) };
}

/** Whether the caller may change the group as it is now: throws where not. */
type CheckGroup = (group: UserGroup) => void;

export const userGroupReads = {
  /** By id. */
  *listUserGroups(): Operation<readonly UserGroup[]> {
    const members = new Map<number, number[]>();
    for (const { group_id: id, account_id: userId } of yield* list<MemberRow>(LIST_ALL_MEMBERS)) {
      const known = members.get(id);
      if (known === undefined) members.set(id, [userId]);
      else known.push(userId);
    }
    const groups = yield* list<UserGroupRow>(LIST);
    return groups.map((row) => ({ ...row, members: members.get(row.id) ?? [] }));
  },
  *findUserGroup(id: number): Operation<UserGroup | undefined> {
    const row = yield* findOne<UserGroupRow>(FIND, { id });
    return row === undefined ? undefined : yield* withMembers(row);
  },
  /** @param nameKey  the name as the domain folds it for comparison */
  *findUserGroupByName(nameKey: string): Operation<UserGroup | undefined> {
    const row = yield* findOne<UserGroupRow>(FIND_BY_NAME, { nameKey });
    return row === undefined ? undefined : yield* withMembers(row);
  },
};

function* announce(op: string, payload: Readonly<Record<string, unknown>>): Operation<void> {
  yield* record({ type: 'user_group', audience: { kind: 'realm' }, payload: { op, ...payload } });
}

function* keepNameUnique(name: string, nameKey: string, id: number | null): Operation<void> {
  const taken = yield* findOne<UserGroupRow>(FIND_BY_NAME, { nameKey });
  if (taken !== undefined && taken.id !== id) {
    throw badRequest(`User group '${name}' already exists`);
  }
}

function* getGroup(id: number): Operation<UserGroup> {
  const group = yield* userGroupReads.findUserGroup(id);
  if (group === undefined) throw badRequest('Invalid user group');
  return group;
}

function* changeMembers(
  group: UserGroup,
  op: 'add_members' | 'remove_members',
  userIds: readonly number[],
): Operation<void> {
  if (userIds.length === 0) return;
  const sql = op === 'add_members' ? INSERT_MEMBER : DELETE_MEMBER;
  for (const userId of userIds) yield* run(sql, { groupId: group.id, userId });
  yield* announce(op, { group_id: group.id, user_ids: userIds });
}

export const userGroupWrites = {
  /** @throws BAD_REQUEST when the name is taken, whatever the letter case */
  *addUserGroup({ name, nameKey, description, memberIds }: NewUserGroup): Operation<void> {
    yield* keepNameUnique(name, nameKey, null);
    const id = yield* insert(INSERT, { name, nameKey, description });
    const members = [...memberIds].sort((a, b) => a - b);
    for (const userId of members) yield* run(INSERT_MEMBER, { groupId: id, userId });
    yield* announce('add', { group: { id, name, description, members } });
  },
  /** @throws BAD_REQUEST when there is no such group or its new name is taken, and what `check` throws */
  *changeUserGroup(id: number, change: UserGroupChange, check: CheckGroup): Operation<void> {
    const group = yield* getGroup(id);
    check(group);
    const { name = group.name, description = group.description } = change;
    const known = yield* findOne<{ name_key: string }>(NAME_KEY, { id });
    const nameKey = change.nameKey ?? known?.name_key ?? '';
    yield* keepNameUnique(name, nameKey, id);
    const data = {
      ...(name === group.name ? {} : { name }),
      ...(description === group.description ? {} : { description }),
    };
    if (Object.keys(data).length === 0) return;
    yield* run(UPDATE, { id, name, nameKey, description });
    yield* announce('update', { group_id: id, data });
  },
  /**
   * Puts accounts into a group and takes others out, all or nothing.
   * @param userIds  each once
   * @throws BAD_REQUEST when there is no such group, one is in it already, or one is not in it; what `check` throws
   */
  *changeUserGroupMembers(
    id: number,
    userIds: { readonly add: readonly number[]; readonly remove: readonly number[] },
    check: CheckGroup,
  ): Operation<void> {
    const group = yield* getGroup(id);
    check(group);
    const members = new Set(group.members);
    const already = userIds.add.find((userId) => members.has(userId));
    if (already !== undefined) {
      throw badRequest(`User ${String(already)} is already a member of this group`);
    }
    const absent = userIds.remove.find((userId) => !members.has(userId));
    if (absent !== undefined) {
      throw badRequest(`There is no member '${String(absent)}' in this user group`);
    }
    yield* changeMembers(group, 'add_members', userIds.add);
    yield* changeMembers(group, 'remove_members', userIds.remove);
  },
  /** @throws BAD_REQUEST when there is no such group, and what `check` throws */
  *removeUserGroup(id: number, check: CheckGroup): Operation<void> {
    check(yield* getGroup(id));
    yield* run(DELETE_MEMBERS, { id });
    yield* run(DELETE, { id });
    yield* announce('remove', { group_id: id });
  },
};
