/** Who somebody is now: what authentication and every change ask first. */
import {
  accountDeactivated,
  invalidApiKey,
  closedRealm,
  realmDeactivated,
  ServiceError,
  unopenedRealm,
} from '#shared/api/errors.ts';
import type { Caller, CallerRecord, ActionSource } from './ports/handlers.ts';
import type { AccountRow, Operation, RealmRow, Reading, Store } from '../db/port.ts';
import { checkAccess } from './rules/permissions.ts';
import { roleOfBot } from './rules/roles.ts';

/** UNIX seconds: the backup from which it was restored, as long as nobody has opened it. */
export const restoredFrom = (realm: RealmRow | undefined): number | undefined =>
  (realm?.opens_with ?? null) === null ? undefined : (realm?.backed_up_at ?? 0);

const recordOf = (row: AccountRow, realm: RealmRow | undefined): CallerRecord => ({
  userId: row.id,
  email: row.email,
  fullName: row.full_name,
  role: row.role,
  botType: row.bot_type,
  ownerId: row.owner_id,
  keyGeneration: row.key_generation,
  isActive: row.is_active === 1,
  isRealmActive: realm?.is_deactivated !== 1,
  isRealmSucceeded: (realm?.succeeded_by ?? null) !== null,
  restoredFrom: restoredFrom(realm),
});

/** An account as somebody who calls. */
export function* callerOf(tx: Reading, row: AccountRow): Operation<CallerRecord> {
  const caller = recordOf(row, yield* tx.findRealm());
  const owner = row.owner_id === null ? undefined : yield* tx.findUser(row.owner_id);
  if (owner === undefined || row.bot_type === null) return caller;
  // Whatever a bot was when it was made: it is no more than its owner is now.
  const isActive = caller.isActive && owner.is_active === 1;
  return { ...caller, isActive, role: roleOfBot(owner.role) };
}

/** Whether the key with which somebody came is still theirs. */
function* isKeyValid(tx: Reading, known: Caller, generation: number): Operation<boolean> {
  const { deviceId, keyGeneration } = known;
  if (keyGeneration === undefined) return true;
  if (deviceId === undefined) return keyGeneration === generation;
  const device = yield* tx.findDevice(deviceId);
  return device?.account_id === known.userId && device.key_generation === keyGeneration;
}

/** Only administrators at this computer look at an organization that is not open. @throws ORGANIZATION_CLOSED */
function checkNotClosed(now: CallerRecord, known: Caller): void {
  const isOwn = known.keyGeneration === undefined;
  if (now.restoredFrom === undefined || isOwn) return;
  if (known.isHere !== true || now.role !== 'admin') throw unopenedRealm(now.restoredFrom);
}

/**
 * Before somebody without a key is let in by a link. @throws REALM_DEACTIVATED; ORGANIZATION_CLOSED where they are not at this
 * computer
 */
export function* checkOpenTo(
  tx: Reading,
  { isLocal }: Pick<ActionSource, 'isLocal'>,
): Operation<void> {
  const realm = yield* tx.findRealm();
  if (realm?.is_deactivated === 1) throw realmDeactivated();
  const backedUpAt = restoredFrom(realm);
  if (backedUpAt !== undefined && isLocal !== true) throw unopenedRealm(backedUpAt);
}

/**
 * The caller of a request as they are now: since their key was checked they may have become somebody who may less.
 * @throws what authentication refuses with: INVALID_API_KEY, REALM_DEACTIVATED, USER_DEACTIVATED, ORGANIZATION_CLOSED; BAD_REQUEST where the
 *         endpoint does not let them in any more
 */
export function* callerNow(tx: Reading, known: Caller): Operation<Caller> {
  // Nobody has changed since.
  if (known.asOf !== undefined && known.asOf === (yield* tx.directoryVersion())) return known;
  const row = yield* tx.findUser(known.userId);
  if (row === undefined) throw invalidApiKey();
  const now = yield* callerOf(tx, row);
  if (!(yield* isKeyValid(tx, known, now.keyGeneration))) throw invalidApiKey();
  if (!now.isRealmActive) throw closedRealm(now);
  if (!now.isActive) throw accountDeactivated();
  checkNotClosed(now, known);
  const { access } = known;
  if (access !== undefined) checkAccess(access, now);
  const { email, fullName, role, botType, ownerId } = now;
  return { ...known, email, fullName, role, botType, ownerId };
}

/** Whether whoever came with a key would still be let in with it. */
export const isCurrent = (store: Store): ((caller: Caller) => Promise<boolean>) => {
  return async (caller) => {
    try {
      await store.read((tx) => callerNow(tx, caller));
      return true;
    } catch (reason) {
      if (reason instanceof ServiceError) return false;
      throw reason;
    }
  };
};
