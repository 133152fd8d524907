/** Devices that signed in, each with a key of its own (architecture 6). */
import { findOne, insert, list, type Operation, run } from '#service/db/operation.ts';

export interface DeviceRow {
  readonly id: number;
  readonly account_id: number;
  readonly name: string;
  /** The program. */
  readonly client: string;
  readonly key_generation: number;
  /** As that of an account. */
  readonly key_floor: number;
  /** UNIX seconds. */
  readonly signed_in_at: number;
}

/** When and from where a key was used last; nulls before its first use. */
export interface KeyUse {
  /** UNIX seconds of the beginning of the day, UTC. */
  readonly used_on: number | null;
  /** From where it was first used on that day. */
  readonly address: string | null;
}

export type UsedDeviceRow = DeviceRow & KeyUse;

export interface LastUseRow {
  readonly account_id: number;
  /** UNIX seconds. */
  readonly last_used: number;
}

export interface NewDevice {
  readonly accountId: number;
  readonly name: string;
  readonly client: string;
  /** UNIX seconds. */
  readonly signedInAt: number;
}

const COLUMNS =
  'd.id, d.account_id, d.name, d.client, d.key_generation, d.key_floor, d.signed_in_at';
const FIND_BY_KEY_HASH = `SELECT ${COLUMNS} FROM device d WHERE d.key_hash = :keyHash`;
const FIND_BY_ID = `SELECT ${COLUMNS} FROM device d WHERE d.id = :id`;
const LIST_USED = `SELECT ${COLUMNS}, u.used_on, u.address
  FROM device d LEFT JOIN key_use u ON u.account_id = d.account_id AND u.device_id = d.id
  WHERE d.account_id = :accountId ORDER BY d.id DESC`;
const FIND_ACCOUNT_USE =
  'SELECT used_on, address FROM key_use WHERE account_id = :accountId AND device_id = 0';
// A key that ends takes its use along; what a client last reported stays.
const LIST_LAST_USES = `SELECT u.account_id, MAX(u.used) AS last_used
  FROM (SELECT account_id, used_on AS used FROM key_use
    UNION ALL SELECT account_id, updated_at FROM presence) u
  JOIN account a ON a.id = u.account_id WHERE a.bot_type IS NULL
  GROUP BY u.account_id ORDER BY u.account_id`;
const INSERT = `INSERT INTO device (account_id, name, client, signed_in_at)
  VALUES (:accountId, :name, :client, :signedInAt)`;
const SET_KEY =
  'UPDATE device SET key_generation = :generation, key_hash = :keyHash WHERE id = :id';
const LIST_OVER = `SELECT d.id FROM device d
  LEFT JOIN key_use u ON u.account_id = d.account_id AND u.device_id = d.id
  WHERE d.account_id = :accountId ORDER BY COALESCE(u.used_on, d.signed_in_at) DESC, d.id DESC
  LIMIT 1000 OFFSET :count`;
const DELETE = 'DELETE FROM device WHERE id = :id AND account_id = :accountId';
const DELETE_USE = 'DELETE FROM key_use WHERE account_id = :accountId AND device_id = :id';
const DELETE_OTHERS = 'DELETE FROM device WHERE account_id = :accountId AND id <> :keptId';
const DELETE_OTHER_USES =
  'DELETE FROM key_use WHERE account_id = :accountId AND device_id <> :keptId';
const LIST_KEYS = 'SELECT id, key_generation, key_hash FROM device ORDER BY id';
const NOTE_USE = `INSERT INTO key_use (account_id, device_id, used_on, address)
  SELECT a.id, :deviceId, :usedOn, :address FROM account a WHERE a.id = :accountId
    AND (:deviceId = 0 OR EXISTS (SELECT 1 FROM device d WHERE d.id = :deviceId))
  ON CONFLICT (account_id, device_id) DO UPDATE SET used_on = excluded.used_on, address = excluded.address
    WHERE key_use.used_on < excluded.used_on`;

export const deviceReads = {
  *findDeviceByKeyHash(keyHash: string): Operation<DeviceRow | undefined> {
    return yield* findOne<DeviceRow>(FIND_BY_KEY_HASH, { keyHash });
  },
  *findDevice(id: number): Operation<DeviceRow | undefined> {
    return yield* findOne<DeviceRow>(FIND_BY_ID, { id });
  },
  /** The newest first. */
  *listDevices(accountId: number): Operation<readonly UsedDeviceRow[]> {
    return yield* list<UsedDeviceRow>(LIST_USED, { accountId });
  },
  /** When people were last here; who never was is absent. */
  *listLastUses(): Operation<readonly LastUseRow[]> {
    return yield* list<LastUseRow>(LIST_LAST_USES);
  },
  /** How the one key is used that the account has beside those of its devices. */
  *findAccountKeyUse(accountId: number): Operation<KeyUse | undefined> {
    return yield* findOne<KeyUse>(FIND_ACCOUNT_USE, { accountId });
  },
};

function* remove(accountId: number, id: number): Operation<void> {
  yield* run(DELETE_USE, { accountId, id });
  yield* run(DELETE, { accountId, id });
}

interface KeyRow {
  readonly id: number;
  readonly key_generation: number;
  readonly key_hash: string | null;
}

/** Step: as `refreshKeyHashes` does for the keys of accounts. */
export function* refreshDeviceHashes(
  keyHashOf: (id: number, generation: number) => string,
): Operation<void> {
  for (const { id, key_generation: generation, key_hash: known } of yield* list<KeyRow>(
    LIST_KEYS,
  )) {
    const keyHash = keyHashOf(id, generation);
    if (keyHash === known) break;
    yield* run(SET_KEY, { id, generation, keyHash });
  }
}

export const deviceWrites = {
  /** Adds a device, which has no key yet; answers its id. */
  *insertDevice(device: NewDevice): Operation<number> {
    return yield* insert(INSERT, { ...device });
  },
  *setDeviceKey(id: number, generation: number, keyHash: string): Operation<void> {
    yield* run(SET_KEY, { id, generation, keyHash });
  },
  /** Where an account has more devices than so many, those that were not used for the longest end. */
  *limitDevices(accountId: number, count: number): Operation<void> {
    for (const each of yield* list<{ id: number }>(LIST_OVER, { accountId, count })) {
      yield* remove(accountId, each.id);
    }
  },
  removeDevice: remove,
  /** Ends the devices of an account but for one, where there is one to keep. */
  *removeDevices(accountId: number, keptId: number | null): Operation<void> {
    yield* run(DELETE_OTHERS, { accountId, keptId: keptId ?? 0 });
    yield* run(DELETE_OTHER_USES, { accountId, keptId: keptId ?? -1 });
  },
  /** @param deviceId  0 for the account's one key @param usedOn  UNIX seconds of the beginning of the day */
  *noteKeyUse(
    accountId: number,
    deviceId: number,
    usedOn: number,
    address: string,
  ): Operation<void> {
    yield* run(NOTE_USE, { accountId, deviceId, usedOn, address });
  },
};
