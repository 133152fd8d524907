/** Groups of people that a message can mention at once (API decisions 7.3 and 8.2). */
import { findOne, insert, list, type Operation, run } from '#service/db/operation.ts';

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
  /** The name as the service folds it for comparison. */
  readonly nameKey: string;
  readonly description: string;
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
  /** @param nameKey  the name as the service folds it for comparison */
  *findUserGroupByName(nameKey: string): Operation<UserGroup | undefined> {
    const row = yield* findOne<UserGroupRow>(FIND_BY_NAME, { nameKey });
    return row === undefined ? undefined : yield* withMembers(row);
  },
};

export const userGroupWrites = {
  /** A group without members; answers its id. Nobody else may have its name. */
  *insertUserGroup(group: NewUserGroup): Operation<number> {
    return yield* insert(INSERT, { ...group });
  },
  *updateUserGroup(id: number, { name, nameKey, description }: NewUserGroup): Operation<void> {
    yield* run(UPDATE, { id, name, nameKey, description });
  },
  *addGroupMember(groupId: number, userId: number): Operation<void> {
    yield* run(INSERT_MEMBER, { groupId, userId });
  },
  *removeGroupMember(groupId: number, userId: number): Operation<void> {
    yield* run(DELETE_MEMBER, { groupId, userId });
  },
  *deleteUserGroup(id: number): Operation<void> {
    yield* run(DELETE_MEMBERS, { id });
    yield* run(DELETE, { id });
  },
};
