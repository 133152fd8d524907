/** Accounts as administrators manage them, and the own API key (API decisions 7.3). */
import { nextGeneration } from '../rules/key-generations.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { CallerActionSource } from '#service/core/ports/handlers.ts';
import type { Role } from '#shared/policies/actor.ts';
import type { ProfileAnswers } from '#shared/api/models/profile.ts';
import type { Member } from '#shared/api/models/user.ts';
import type {
  AccountFacts,
  AccountRow,
  NewEntry,
  NewRecord,
  Operation,
  Store,
  Transaction,
} from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { type AccountChange, changeAccount, checkBotCount, getFacts } from './account-changes.ts';
import {
  botAdded,
  botAudience,
  deactivationEvents,
  renamingEvents,
  roleEvents,
  userAdded,
} from './account-events.ts';
import { renewAll } from './devices.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { answersAfter, peopleIn } from './profile.ts';
import {
  type AuditEntryMaker,
  auditEntryMaker,
} from '#service/features/organization/rules/audit.ts';
import { streamNames } from '#service/features/bots/rules/bots.ts';
import { fold } from '#shared/text/fold.ts';
import { checkFullName } from '#service/core/rules/names.ts';
import { profileDataOf } from '../rules/profile.ts';
import { type RoleRequest, roleAfter, roleOfBot } from '#service/core/rules/roles.ts';
import { memberShape } from '#service/core/rules/shapes.ts';

export interface UserChange extends RoleRequest {
  readonly userId: number;
  readonly fullName?: string | undefined;
  readonly profileData?: ProfileAnswers | undefined;
}

export interface MemberOptions {
  readonly clientGravatar: boolean;
  readonly includeProfile: boolean;
}

export interface UserAdminOperations {
  /** Deactivated accounts are found. @throws BAD_REQUEST */
  readonly getMember: (userId: number, options: MemberOptions) => Promise<Member>;
  /** @throws BAD_REQUEST, CANNOT_DEACTIVATE_LAST_USER */
  readonly updateUser: (source: CallerActionSource, change: UserChange) => Promise<void>;
  /** With the bots that the account owns. @throws BAD_REQUEST, CANNOT_DEACTIVATE_LAST_USER */
  readonly deactivateUser: (source: CallerActionSource, userId: number) => Promise<void>;
  /** @throws BAD_REQUEST */
  readonly reactivateUser: (source: CallerActionSource, userId: number) => Promise<void>;
  /** The new one of the account; queues stay, and so do the keys of its devices. */
  readonly regenerateOwnKey: (source: CallerActionSource) => Promise<string>;
}

/** @throws CANNOT_DEACTIVATE_LAST_USER when nobody would be left who administers the organization */
function keepOneAdmin(
  { user, adminIds }: AccountFacts,
  name: 'only_administrator_deactivated' | 'only_administrator_demoted',
): void {
  if (adminIds.length > 1 || adminIds[0] !== user.id) return;
  throw refusal(name, {}, { is_last_admin: true, entity: 'organization administrator' });
}

/** A new key for an account: what to write for it, and the key itself. */
export function renewKey({ credentials: { apiKeys } }: DomainContext, user: AccountRow) {
  const generation = nextGeneration(user);
  const key = apiKeys.derive(user.id, generation);
  return { key, columns: { key_generation: generation, key_hash: apiKeys.hash(key) } };
}

/** Entries of accounts that are deactivated together. */
export const deactivated = (
  note: AuditEntryMaker,
  users: readonly AccountRow[],
): readonly NewEntry[] => users.map(({ id }) => note('user_deactivated', { userId: id }));

const renamingEntries = (
  note: AuditEntryMaker,
  { id: userId, full_name: old }: AccountRow,
  name: string | undefined,
): readonly NewEntry[] =>
  name === undefined || name === old
    ? []
    : [note('name_changed', { userId, details: { old, new: name } })];

const roleEntries = (note: AuditEntryMaker, user: AccountRow, role: Role): readonly NewEntry[] =>
  role === user.role
    ? []
    : [note('role_changed', { userId: user.id, details: { old: user.role, new: role } })];

function* reactivate(
  tx: Transaction,
  context: DomainContext,
  facts: AccountFacts,
): Operation<readonly NewRecord[]> {
  const { user, owner, adminIds, service } = facts;
  const isBot = user.bot_type !== null;
  if (isBot && owner?.is_active === 0) throw refusal('bot_owner_inactive');
  if (owner !== undefined) yield* checkBotCount(tx, owner.id);
  // Its owner may have become something else meanwhile.
  const role = owner === undefined ? user.role : roleOfBot(owner.role);
  // Whoever found an old key while the account was off must not come back with it.
  const { columns } = yield* renewAll(tx, context, user, null);
  yield* tx.reactivateAccount(user.id, { ...columns, role });
  const { key_generation } = columns;
  const active: AccountRow = { ...user, is_active: 1, role, key_generation };
  if (!isBot) return [userAdded(active, undefined, profileDataOf(facts.profile))];
  const nameOf = streamNames(yield* tx.listStreams());
  const audience = botAudience(user.owner_id, adminIds);
  return [userAdded(active, owner), botAdded(active, { owner, service, nameOf }, audience)];
}

/** Step: with the bots that the account owns. @throws BAD_REQUEST, CANNOT_DEACTIVATE_LAST_USER */
export function* deactivate(
  tx: Transaction,
  note: AuditEntryMaker,
  userId: number,
): Operation<void> {
  const facts = yield* getFacts(tx, userId);
  const { user, bots } = facts;
  if (user.is_active === 0) throw refusal('user_already_deactivated');
  keepOneAdmin(facts, 'only_administrator_deactivated');
  for (const each of [user, ...bots]) yield* tx.deactivateAccount(each.id);
  yield* tx.recordAll(deactivationEvents(facts, bots));
  yield* tx.recordAll(deactivated(note, [user, ...bots]));
}

/** Step: nothing where the account is active. @throws BAD_REQUEST */
export function* reactivateIfNeeded(
  tx: Transaction,
  context: DomainContext,
  note: AuditEntryMaker,
  userId: number,
): Operation<void> {
  const facts = yield* getFacts(tx, userId);
  if (facts.user.is_active === 1) return;
  yield* tx.recordAll(yield* reactivate(tx, context, facts));
  yield* tx.record(note('user_reactivated', { userId }));
  // Whoever registered meanwhile was told no status of an account that was not active.
  yield* tx.announceStatus(userId);
}

/** What administrators change of an account. @throws BAD_REQUEST, CANNOT_DEACTIVATE_LAST_USER */
function changeOf(
  facts: AccountFacts,
  wanted: UserChange,
  isPerson: (id: number) => boolean,
  note: AuditEntryMaker,
): AccountChange {
  const { user } = facts;
  const { fullName } = wanted;
  const profile = answersAfter(facts, wanted.profileData ?? [], isPerson);
  const role = roleAfter(user.role, wanted);
  if (role !== user.role && user.bot_type !== null) {
    throw refusal('bot_without_role');
  }
  if (user.role === 'admin' && role !== 'admin') keepOneAdmin(facts, 'only_administrator_demoted');
  const bots = role === user.role ? [] : facts.bots;
  const isRenamed = fullName !== undefined && fullName !== user.full_name;
  return {
    columns: {
      ...(isRenamed ? { full_name: fullName, full_name_key: fold(fullName) } : {}),
      ...(role === user.role ? {} : { role }),
    },
    botRoles: bots.map(({ id }) => ({ id, role: roleOfBot(role) })),
    answers: profile.answers,
    events: [
      ...(isRenamed ? renamingEvents(facts, fullName) : []),
      ...roleEvents(user, role),
      ...bots.flatMap((bot) => roleEvents(bot, roleOfBot(role))),
      ...profile.events,
      ...renamingEntries(note, user, fullName),
      ...roleEntries(note, user, role),
    ],
  };
}

/** Step: what administrators change of an account. @throws BAD_REQUEST, CANNOT_DEACTIVATE_LAST_USER */
export function* changeUser(
  tx: Transaction,
  note: AuditEntryMaker,
  wanted: UserChange,
): Operation<void> {
  const fullName = wanted.fullName === undefined ? undefined : checkFullName(wanted.fullName);
  const isPerson = yield* peopleIn(tx, wanted.profileData ?? []);
  const facts = yield* getFacts(tx, wanted.userId);
  const changes = changeOf(facts, { ...wanted, fullName }, isPerson, note);
  yield* changeAccount(tx, wanted.userId, changes);
}

export const userAdminOperations = (store: Store, context: DomainContext): UserAdminOperations => ({
  deactivateUser: (source, userId) =>
    change(store, source.caller, (tx) => deactivate(tx, auditEntryMaker(context, source), userId)),
  reactivateUser: (source, userId) =>
    change(store, source.caller, (tx) =>
      reactivateIfNeeded(tx, context, auditEntryMaker(context, source), userId),
    ),
  getMember: (userId, options) =>
    store.read(function* (tx) {
      const user = yield* tx.findUser(userId);
      if (user === undefined) throw refusal('no_such_user');
      const owner = user.owner_id === null ? undefined : yield* tx.findUser(user.owner_id);
      const profile = profileDataOf(yield* tx.listProfileValuesOf(userId));
      return memberShape(user, owner, { ...options, profile });
    }),
  updateUser: (source, wanted) =>
    change(store, source.caller, (tx) => changeUser(tx, auditEntryMaker(context, source), wanted)),
  async regenerateOwnKey(source) {
    const { userId } = source.caller;
    const newKey = await change(store, source.caller, function* (tx) {
      const { user } = yield* getFacts(tx, userId);
      const { key, columns } = renewKey(context, user);
      const entry = auditEntryMaker(context, source)('key_renewed', { userId });
      yield* changeAccount(tx, userId, { columns, events: [entry] });
      return key;
    });
    context.releasePolls(userId);
    return newKey;
  },
});
