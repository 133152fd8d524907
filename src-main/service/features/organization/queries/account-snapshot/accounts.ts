/** Accounts and devices of the account snapshot. */
import type { Role } from '#shared/policies/actor.ts';
import { findOne, list, listColumn, type Operation, run } from '#service/db/operation.ts';
import { settleAccount } from '#service/features/streams/queries/access.ts';

export interface AccountState {
  readonly id: number;
  readonly is_active: 0 | 1;
  readonly role: Role;
  readonly password_hash: string | null;
  readonly key_generation: number;
  /** The owner of a bot; absent where an older version wrote it. */
  readonly owner_id?: number | null;
}

/** Who was who, and what was signed in. */
export interface PeopleSnapshot {
  readonly accounts: readonly AccountState[];
  readonly deviceIds: readonly number[];
  /** A device with a higher id signed in after this was written; absent where an older version wrote it. */
  readonly newestDeviceId?: number;
}

const COLUMNS = 'id, is_active, role, password_hash, key_generation, owner_id';
const LIST = `SELECT ${COLUMNS} FROM account ORDER BY id`;
const FIND = `SELECT ${COLUMNS} FROM account WHERE id = :id`;
const LIST_DEVICES = 'SELECT id FROM device ORDER BY id';
const TAKE = `UPDATE account SET is_active = :isActive, role = :role, password_hash = :passwordHash
  WHERE id = :id`;
/** The floor is above all generations that were ever given out. */
const END_KEYS = 'UPDATE account SET key_generation = key_floor, key_hash = NULL WHERE id = :id';
const END_KEY_USE = 'DELETE FROM key_use WHERE account_id = :id';
const END_DEVICES = 'DELETE FROM device WHERE account_id = :id';
/** The highest id that was ever given; none is given twice. */
const NEWEST_DEVICE = "SELECT seq AS id FROM sqlite_sequence WHERE name = 'device'";
const END_OTHER_DEVICES = `DELETE FROM device
  WHERE id <= :newestDeviceId AND id NOT IN (SELECT value FROM json_each(:deviceIds))`;
const GIVE_BOT = 'UPDATE account SET owner_id = :ownerId WHERE id = :id';
const STOP_BOT = 'UPDATE account SET is_active = 0, owner_id = NULL WHERE id = :id';
/** What was delivered before belongs to the former owner. */
const FORGET_DELIVERIES = [
  `DELETE FROM kept_delivery_content
    WHERE delivery_id IN (SELECT id FROM kept_delivery WHERE account_id = :id)`,
  'DELETE FROM kept_delivery WHERE account_id = :id',
];

/** Step: as it is now. */
export function* listPeople(): Operation<Required<PeopleSnapshot>> {
  const newestDeviceId = (yield* findOne<{ id: number }>(NEWEST_DEVICE))?.id ?? 0;
  const accounts = yield* list<AccountState>(LIST);
  return { accounts, deviceIds: yield* listColumn<number>(LIST_DEVICES), newestDeviceId };
}

/** Step: a bot whose owner came later than the copy stops, because nobody here may have its key. */
function* transferBot(id: number, ownerId: number): Operation<void> {
  const owner = yield* findOne(FIND, { id: ownerId });
  yield* owner === undefined ? run(STOP_BOT, { id }) : run(GIVE_BOT, { id, ownerId });
  for (const sql of FORGET_DELIVERIES) yield* run(sql, { id });
}

/** Step: answers whether the account is another thing now. One that came later than the copy is none here. */
function* applyAccount(later: AccountState, generation: number | undefined): Operation<boolean> {
  const { id, role, is_active: isActive, password_hash: passwordHash, owner_id: owner } = later;
  const now = yield* findOne<AccountState>(FIND, { id });
  if (now === undefined) return false;
  const ownerId = owner ?? now.owner_id ?? null;
  const isSame =
    now.is_active === isActive && now.role === role && now.password_hash === passwordHash;
  const isGiven = ownerId !== null && ownerId !== now.owner_id;
  if (isSame && !isGiven && generation === later.key_generation) return false;
  yield* run(TAKE, { id, isActive, role, passwordHash });
  if (isGiven) yield* transferBot(id, ownerId);
  for (const sql of [END_KEYS, END_KEY_USE, END_DEVICES]) yield* run(sql, { id });
  yield* settleAccount(id);
  return true;
}

/**
 * Step: lets accounts be what they were later; the keys of those that changed end, and so do devices that were signed out.
 * Answers how many are another thing now.
 * @param generations  of each account's keys, when the copy was made
 */
export function* applyPeople(
  { accounts, deviceIds, newestDeviceId = Number.MAX_SAFE_INTEGER }: PeopleSnapshot,
  generations: ReadonlyMap<number, number>,
): Operation<number> {
  let changed = 0;
  for (const account of accounts) {
    if (yield* applyAccount(account, generations.get(account.id))) changed += 1;
  }
  yield* run(END_OTHER_DEVICES, { newestDeviceId, deviceIds: JSON.stringify(deviceIds) });
  return changed;
}
