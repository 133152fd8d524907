/** Who is who, as it is kept beside archives, and as a restored organization takes it back (architecture 3). */
import type { Role } from '../../ports/handlers.ts';
import { findOne, list, type Operation, run } from '../operation.ts';
import { messageDeleteWrites } from '../messages/message-deletes.ts';
import { settleAccount } from '../streams/access.ts';

export interface StandingRow {
  readonly id: number;
  readonly is_active: 0 | 1;
  readonly role: Role;
  readonly password_hash: string | null;
  readonly key_generation: number;
}

const LIST = 'SELECT id, is_active, role, password_hash, key_generation FROM account ORDER BY id';
const FIND = `SELECT id, is_active, role, password_hash, key_generation FROM account WHERE id = :id`;
const LIST_DEVICES = 'SELECT id FROM device ORDER BY id';
const TAKE = `UPDATE account SET is_active = :isActive, role = :role, password_hash = :passwordHash
  WHERE id = :id`;
/** The floor is above all that were ever given out. */
const END_KEYS = 'UPDATE account SET key_generation = key_floor, key_hash = NULL WHERE id = :id';
const END_KEY_USE = 'DELETE FROM key_use WHERE account_id = :id';
const END_DEVICES = 'DELETE FROM device WHERE account_id = :id';
/** The highest id that was ever given; none is given twice. */
const NEWEST_DEVICE = "SELECT seq AS id FROM sqlite_sequence WHERE name = 'device'";
const END_OTHER_DEVICES = `DELETE FROM device
  WHERE id <= :newestDeviceId AND id NOT IN (SELECT value FROM json_each(:deviceIds))`;

const NOTE_DELETED = `INSERT INTO deleted_message (message_id)
  SELECT value FROM json_each(:deletedIds) WHERE true ON CONFLICT DO NOTHING`;

/** Who was who, what was signed in and what was deleted, at a moment after the copy. */
export interface LaterStanding {
  readonly accounts: readonly StandingRow[];
  readonly deviceIds: readonly number[];
  /** What has a higher id signed in later than this was written; absent where an older version wrote it. */
  readonly newestDeviceId?: number;
  readonly deletedIds?: readonly number[];
}

export const standingReads = {
  /** Every account's, by id. */
  *listStandings(): Operation<readonly StandingRow[]> {
    return yield* list<StandingRow>(LIST);
  },
  /** Everything that is signed in, ascending. */
  *listDeviceIds(): Operation<readonly number[]> {
    return (yield* list<{ id: number }>(LIST_DEVICES)).map(({ id }) => id);
  },
  /** The highest id that a device ever had; 0 before the first one. */
  *findNewestDeviceId(): Operation<number> {
    return (yield* findOne<{ id: number }>(NEWEST_DEVICE))?.id ?? 0;
  },
};

/** Step: what somebody deleted since is gone, also where only members still have it. */
export function* takeDeletions({ deletedIds = [] }: LaterStanding): Operation<void> {
  yield* messageDeleteWrites.deleteMessages(deletedIds);
  yield* run(NOTE_DELETED, { deletedIds: JSON.stringify(deletedIds) });
}

/**
 * Step: lets accounts be what they were later; the keys of those that changed end, and so do devices that were signed out.
 * Accounts that came later are none here. Answers how many are another thing now.
 * @param generations  of each account's keys, when the copy was made
 */
export function* takeStandings(
  { accounts, deviceIds, newestDeviceId = Number.MAX_SAFE_INTEGER }: LaterStanding,
  generations: ReadonlyMap<number, number>,
): Operation<number> {
  let changed = 0;
  for (const { id, role, ...later } of accounts) {
    const now = yield* findOne<StandingRow>(FIND, { id });
    if (now === undefined) continue;
    const { is_active: isActive, password_hash: passwordHash } = later;
    const isSame =
      now.is_active === isActive && now.role === role && now.password_hash === passwordHash;
    if (isSame && generations.get(id) === later.key_generation) continue;
    changed += 1;
    yield* run(TAKE, { id, isActive, role, passwordHash });
    for (const sql of [END_KEYS, END_KEY_USE, END_DEVICES]) yield* run(sql, { id });
    yield* settleAccount(id);
  }
  yield* run(END_OTHER_DEVICES, { newestDeviceId, deviceIds: JSON.stringify(deviceIds) });
  return changed;
}
