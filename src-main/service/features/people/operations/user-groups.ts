/** Groups of people that a message can mention at once (API decisions 7.3). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller, CallerActionSource } from '#service/core/ports/handlers.ts';
import type {
  NewEvent,
  Operation,
  PayloadOf,
  Reading,
  Store,
  Transaction,
  UserGroup,
} from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkQuota } from '#service/core/quotas.ts';
import {
  type AuditEntryMaker,
  auditEntryMaker,
  entriesOfUsers,
} from '#service/features/organization/rules/audit.ts';
import { fold } from '#shared/text/fold.ts';
import { checkDescription } from '#service/core/rules/names.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { canCreateUserGroups, canEditUserGroup } from '#shared/policies/people.ts';
import { checkGroupName } from '../rules/user-groups.ts';

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
  readonly createGroup: (source: CallerActionSource, request: GroupRequest) => Promise<void>;
  /** @throws BAD_REQUEST, also when nothing is to be changed */
  readonly changeGroup: (source: CallerActionSource, change: GroupChange) => Promise<void>;
  /** All or nothing. @throws BAD_REQUEST, also when nobody is named */
  readonly changeMembers: (source: CallerActionSource, change: MemberChange) => Promise<void>;
  /** @throws BAD_REQUEST */
  readonly removeGroup: (source: CallerActionSource, id: number) => Promise<void>;
}

const notAllowed = (): Error => refusal('not_group_manager');

/** Each once. @throws BAD_REQUEST when one is no active account */
function* checkUsers(tx: Reading, ids: readonly number[]): Operation<readonly number[]> {
  for (const id of ids) {
    const user = yield* tx.findUser(id);
    if (user?.is_active !== 1) throw refusal('no_active_user_with_id', { user_id: id });
  }
  return [...new Set(ids)];
}

/** @throws BAD_REQUEST when another group has the name, whatever the letter case */
function* checkFree(tx: Reading, name: string, id: number | null): Operation<void> {
  const taken = yield* tx.findUserGroupByName(fold(name));
  if (taken !== undefined && taken.id !== id) {
    throw refusal('group_name_taken', { name });
  }
}

/** @throws BAD_REQUEST when there is none, or the caller may not change it */
function* getChangeable(tx: Reading, caller: Caller, id: number): Operation<UserGroup> {
  const group = yield* tx.findUserGroup(id);
  if (group === undefined) throw refusal('no_such_group');
  const settings = realmSettings(yield* tx.findRealm());
  const isMember = group.members.includes(caller.userId);
  if (!canEditUserGroup(caller, isMember, settings)) throw notAllowed();
  return group;
}

const event = (payload: PayloadOf<'user_group'>): NewEvent => ({
  type: 'user_group',
  audience: { kind: 'realm' },
  payload,
});

function* create(
  tx: Transaction,
  caller: Caller,
  { name: given, description, members: wanted }: GroupRequest,
  note: AuditEntryMaker,
): Operation<void> {
  if (!canCreateUserGroups(caller, realmSettings(yield* tx.findRealm()))) {
    throw refusal('administrator_creates_groups');
  }
  const name = checkGroupName(given);
  const memberIds = yield* checkUsers(tx, wanted);
  const checked = checkDescription(description ?? '');
  yield* checkFree(tx, name, null);
  const id = yield* tx.insertUserGroup({ name, nameKey: fold(name), description: checked });
  const members = [...memberIds].sort((a, b) => a - b);
  for (const userId of members) yield* tx.addGroupMember(id, userId);
  const group = { id, name, description: checked, members };
  yield* tx.recordAll([
    event({ op: 'add', group }),
    note('group_created', { details: { name } }),
    ...entriesOfUsers(note, 'group_members_added', memberIds, { name }),
  ]);
}

function* update(
  tx: Transaction,
  caller: Caller,
  wanted: GroupChange,
  note: AuditEntryMaker,
): Operation<void> {
  if (wanted.name === undefined && wanted.description === undefined) {
    throw refusal('group_unchanged');
  }
  const newName = wanted.name === undefined ? undefined : checkGroupName(wanted.name);
  const text = wanted.description === undefined ? undefined : checkDescription(wanted.description);
  const group = yield* getChangeable(tx, caller, wanted.userGroupId);
  const { id, name: old } = group;
  const { name = old, description = group.description } = { name: newName, description: text };
  yield* checkFree(tx, name, id);
  const data = {
    ...(name === old ? {} : { name }),
    ...(description === group.description ? {} : { description }),
  };
  if (Object.keys(data).length === 0) return;
  yield* tx.updateUserGroup(id, { name, nameKey: fold(name), description });
  yield* tx.record(event({ op: 'update', group_id: id, data }));
  if (name !== old)
    yield* tx.record(note('group_renamed', { details: { name: old, old, new: name } }));
}

function* changeMembers(
  tx: Transaction,
  caller: Caller,
  { userGroupId, add: added, delete: removed }: MemberChange,
  note: AuditEntryMaker,
): Operation<void> {
  if (added.length === 0 && removed.length === 0) {
    throw refusal('members_unchanged');
  }
  const remove = [...new Set(removed)];
  const without = new Set(remove);
  const both = added.find((id) => without.has(id));
  if (both !== undefined) throw refusal('added_and_deleted', { user_id: both });
  const add = yield* checkUsers(tx, added);
  const { id: group_id, name, members } = yield* getChangeable(tx, caller, userGroupId);
  const present = new Set(members);
  const already = add.find((id) => present.has(id));
  if (already !== undefined) {
    throw refusal('already_group_member', { user_id: already });
  }
  const absent = remove.find((id) => !present.has(id));
  if (absent !== undefined) {
    throw refusal('no_such_group_member', { user_id: absent });
  }
  for (const id of add) yield* tx.addGroupMember(group_id, id);
  for (const id of remove) yield* tx.removeGroupMember(group_id, id);
  const told = [
    { op: 'add_members', group_id, user_ids: add },
    { op: 'remove_members', group_id, user_ids: remove },
  ] as const;
  yield* tx.recordAll(told.filter(({ user_ids }) => user_ids.length > 0).map(event));
  yield* tx.recordAll(entriesOfUsers(note, 'group_members_added', add, { name }));
  yield* tx.recordAll(entriesOfUsers(note, 'group_members_removed', remove, { name }));
}

export const userGroupOperations = (
  store: Store,
  context: Pick<DomainContext, 'limits' | 'nowSeconds'>,
): UserGroupOperations => ({
  listGroups: () => store.listUserGroups(),
  createGroup: (source, request) =>
    change(store, source.caller, function* (tx, caller) {
      yield* checkQuota(tx, context.limits, { kind: 'userGroups', caller });
      yield* create(tx, caller, request, auditEntryMaker(context, source));
    }),
  changeGroup: (source, wanted) =>
    change(store, source.caller, (tx, caller) =>
      update(tx, caller, wanted, auditEntryMaker(context, source)),
    ),
  changeMembers: (source, wanted) =>
    change(store, source.caller, (tx, caller) =>
      changeMembers(tx, caller, wanted, auditEntryMaker(context, source)),
    ),
  removeGroup: (source, id) =>
    change(store, source.caller, function* (tx, caller) {
      const { name } = yield* getChangeable(tx, caller, id);
      yield* tx.deleteUserGroup(id);
      yield* tx.record(event({ op: 'remove', group_id: id }));
      yield* tx.record(auditEntryMaker(context, source)('group_removed', { details: { name } }));
    }),
});
