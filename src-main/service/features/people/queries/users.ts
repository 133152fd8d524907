import type { Role } from '#shared/policies/actor.ts';
import { refreshDeviceHashes } from './devices.ts';
import { findOne, insert, list, type Operation, run } from '#service/db/operation.ts';

export interface AccountRow {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly short_name: string;
  readonly role: Role;
  readonly is_active: 0 | 1;
  readonly bot_type: number | null;
  readonly owner_id: number | null;
  readonly password_hash: string | null;
  /** It is the one that an administrator made the account with. */
  readonly is_password_given: 0 | 1;
  readonly key_generation: number;
  /** Generations below it may have been used before a restore. */
  readonly key_floor: number;
  readonly gravatar_hash: string;
  readonly avatar_version: number;
  /** An uploaded picture; null for the gravatar. */
  readonly avatar_file: string | null;
  readonly timezone: string;
  readonly pointer: number;
  readonly default_sending_stream_id: number | null;
  readonly default_events_register_stream_id: number | null;
  readonly default_all_public_streams: 0 | 1;
  /** UNIX seconds. */
  readonly joined_at: number;
  /** JSON of the settings that differ from the defaults. */
  readonly settings: string;
}

export interface NewAccount {
  readonly email: string;
  readonly emailKey: string;
  readonly fullName: string;
  readonly fullNameKey: string;
  readonly shortName: string;
  readonly role: Role;
  readonly botType: number | null;
  readonly ownerId: number | null;
  readonly passwordHash: string | null;
  /** Somebody else chose the password. */
  readonly isPasswordGiven: 0 | 1;
  readonly gravatarHash: string;
  /** UNIX seconds. */
  readonly joinedAt: number;
}

export const ACCOUNT_COLUMNS = `id, email, full_name, short_name, role, is_active, bot_type, owner_id, password_hash,
  is_password_given, key_generation, key_floor, gravatar_hash, avatar_version, avatar_file, timezone, pointer, default_sending_stream_id,
  default_events_register_stream_id, default_all_public_streams, joined_at, settings`;

const FIND_BY_ID = `SELECT ${ACCOUNT_COLUMNS} FROM account WHERE id = :id`;
const FIND_BY_EMAIL = `SELECT ${ACCOUNT_COLUMNS} FROM account WHERE email_key = :emailKey`;
const FIND_BY_KEY_HASH = `SELECT ${ACCOUNT_COLUMNS} FROM account WHERE key_hash = :keyHash`;
const LIST = `SELECT ${ACCOUNT_COLUMNS} FROM account ORDER BY id`;
const LIST_ACTIVE_BY_NAME = `SELECT ${ACCOUNT_COLUMNS} FROM account
  WHERE full_name_key = :fullNameKey AND is_active = 1 ORDER BY id LIMIT 2`;
const INSERT = `INSERT INTO account (email, email_key, full_name, full_name_key, short_name, role, bot_type,
    owner_id, password_hash, is_password_given, gravatar_hash, joined_at)
  VALUES (:email, :emailKey, :fullName, :fullNameKey, :shortName, :role, :botType,
    :ownerId, :passwordHash, :isPasswordGiven, :gravatarHash, :joinedAt)`;
const SET_KEY_HASH = 'UPDATE account SET key_hash = :keyHash WHERE id = :id';

export const userReads = {
  *findUser(id: number): Operation<AccountRow | undefined> {
    return yield* findOne<AccountRow>(FIND_BY_ID, { id });
  },
  /** @param emailKey  the address as the service folds it for comparison */
  *findUserByEmail(emailKey: string): Operation<AccountRow | undefined> {
    return yield* findOne<AccountRow>(FIND_BY_EMAIL, { emailKey });
  },
  *findUserByKeyHash(keyHash: string): Operation<AccountRow | undefined> {
    return yield* findOne<AccountRow>(FIND_BY_KEY_HASH, { keyHash });
  },
  /** Deactivated accounts included, by id. */
  *listUsers(): Operation<readonly AccountRow[]> {
    return yield* list<AccountRow>(LIST);
  },
  /** At most two: a second one only tells that the name is ambiguous. */
  *listActiveUsersByName(fullNameKey: string): Operation<readonly AccountRow[]> {
    return yield* list<AccountRow>(LIST_ACTIVE_BY_NAME, { fullNameKey });
  },
};

/** Step: the row alone, without the events and subscriptions that a new account brings; nobody may have its address. */
export function* insertUser(
  account: NewAccount,
  keyHashOf: (id: number) => string,
): Operation<number> {
  const id = yield* insert(INSERT, { ...account });
  yield* run(SET_KEY_HASH, { id, keyHash: keyHashOf(id) });
  return id;
}

const LIST_KEYS = 'SELECT id, key_generation, key_hash FROM account ORDER BY id';

interface KeyRow {
  readonly id: number;
  readonly key_generation: number;
  readonly key_hash: string | null;
}

export const userWrites = {
  /**
   * Brings the stored hashes of API keys in line with the secret that they are derived from; answers how many it
   * changed. They all differ when the secret is another one than last time.
   */
  *refreshKeyHashes(
    keyHashOf: (id: number, generation: number) => string,
    deviceKeyHashOf: (id: number, generation: number) => string,
  ): Operation<number> {
    yield* refreshDeviceHashes(deviceKeyHashOf);
    let changed = 0;
    for (const row of yield* list<KeyRow>(LIST_KEYS)) {
      const keyHash = keyHashOf(row.id, row.key_generation);
      // With the same secret the first one tells for all, and a start stays fast.
      if (keyHash === row.key_hash) break;
      changed += yield* run(SET_KEY_HASH, { id: row.id, keyHash });
    }
    return changed;
  },
  insertUser,
};
