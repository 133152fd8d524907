/** Changes of accounts that exist. */
import { settleAccount } from '#service/features/streams/queries/access.ts';
import type { Role } from '#shared/policies/actor.ts';
import { findOne, list, type Operation, run } from '#service/db/operation.ts';
import {
  type ProfileFieldRow,
  profileReads,
  type ProfileValueRow,
  setAnswers,
} from './profile-fields.ts';
import { ACCOUNT_COLUMNS, type AccountRow } from './users.ts';

/** Columns that a change sets; absent ones stay. */
export interface AccountColumns {
  readonly email?: string;
  readonly email_key?: string;
  readonly full_name?: string;
  readonly full_name_key?: string;
  readonly role?: Role;
  readonly owner_id?: number;
  readonly password_hash?: string;
  readonly key_generation?: number;
  readonly key_hash?: string;
  readonly gravatar_hash?: string;
  readonly avatar_version?: number;
  readonly avatar_file?: string | null;
  readonly timezone?: string;
  readonly default_sending_stream_id?: number | null;
  readonly default_events_register_stream_id?: number | null;
  readonly default_all_public_streams?: 0 | 1;
  readonly settings?: string;
}

/** Where an outgoing webhook bot is delivered to. */
export interface BotServiceRow {
  readonly account_id: number;
  readonly payload_url: string;
  /** 1 generic, 2 Slack. */
  readonly interface: number;
  readonly token: string;
}

/** An account as it is in the transaction that changes it, with what a decision about it looks at. */
export interface AccountFacts {
  readonly user: AccountRow;
  readonly owner: AccountRow | undefined;
  /** Active people who administer the organization, ascending. */
  readonly adminIds: readonly number[];
  readonly service: BotServiceRow | undefined;
  /** What the account answers in its profile. */
  readonly profile: readonly ProfileValueRow[];
  readonly profileFields: readonly ProfileFieldRow[];
  /** Active bots that it owns, ascending. */
  readonly bots: readonly AccountRow[];
  /** The account that the change names beside; undefined where it names none or there is none. */
  readonly other: AccountRow | undefined;
}

const FIND = `SELECT ${ACCOUNT_COLUMNS} FROM account WHERE id = :id`;
const LIST_ADMINS = `SELECT id FROM account
  WHERE role = 'admin' AND is_active = 1 AND bot_type IS NULL ORDER BY id`;
const LIST_BOTS = `SELECT ${ACCOUNT_COLUMNS} FROM account
  WHERE owner_id = :ownerId AND is_active = 1 ORDER BY id`;
const FIND_SERVICE = 'SELECT * FROM bot_service WHERE account_id = :id';
const SET_SERVICE = `UPDATE bot_service SET payload_url = :payload_url, interface = :interface
  WHERE account_id = :id`;
const SET_ACTIVE = 'UPDATE account SET is_active = :isActive WHERE id = :id';
const SUSPEND = `INSERT INTO suspended_subscription (account_id, recipient_id)
  SELECT m.account_id, m.recipient_id FROM membership m JOIN stream s ON s.recipient_id = m.recipient_id
  WHERE m.account_id = :id AND m.until_id IS NULL ON CONFLICT DO NOTHING`;
const END_SUSPENDED = `UPDATE membership SET until_id = (SELECT id FROM newest_message)
  WHERE account_id = :id AND until_id IS NULL
    AND recipient_id IN (SELECT recipient_id FROM suspended_subscription WHERE account_id = :id)`;
const RESUME = `INSERT INTO membership (recipient_id, account_id, from_id)
  SELECT p.recipient_id, p.account_id, (SELECT id FROM newest_message)
  FROM suspended_subscription p JOIN stream s ON s.recipient_id = p.recipient_id
  WHERE p.account_id = :id AND s.is_archived = 0 AND NOT EXISTS (SELECT 1 FROM membership m
    WHERE m.recipient_id = p.recipient_id AND m.account_id = p.account_id AND m.until_id IS NULL)`;
/** Those of archived streams wait until these come back. */
const DELETE_SUSPENDED = `DELETE FROM suspended_subscription
  WHERE account_id = :id AND recipient_id IN (SELECT recipient_id FROM stream WHERE is_archived = 0)`;
const OWN_PASSWORD = 'UPDATE account SET is_password_given = 0 WHERE id = :id';
const DELETE_LINK = 'DELETE FROM password_link WHERE account_id = :id';
const DELETE_QUEUES = 'DELETE FROM queue WHERE account_id = :id';
const DELETE_DELIVERIES = 'DELETE FROM bot_delivery WHERE account_id = :id';

/** Step: active people who administer the organization, ascending. */
export function* listAdminIds(): Operation<readonly number[]> {
  return (yield* list<{ id: number }>(LIST_ADMINS)).map((row) => row.id);
}

/** Step: undefined when there is no such account. */
export function* loadFacts(
  id: number,
  otherId: number | null,
): Operation<AccountFacts | undefined> {
  const user = yield* findOne<AccountRow>(FIND, { id });
  if (user === undefined) return undefined;
  const { owner_id: ownerId } = user;
  return {
    user,
    owner: ownerId === null ? undefined : yield* findOne<AccountRow>(FIND, { id: ownerId }),
    adminIds: yield* listAdminIds(),
    bots: yield* list<AccountRow>(LIST_BOTS, { ownerId: id }),
    service: yield* findOne<BotServiceRow>(FIND_SERVICE, { id }),
    profile: yield* profileReads.listProfileValuesOf(id),
    profileFields: yield* profileReads.listProfileFields(),
    other: otherId === null ? undefined : yield* findOne<AccountRow>(FIND, { id: otherId }),
  };
}

/** The names come from `AccountColumns`, never from a request. */
const setColumns = (names: readonly string[]): string =>
  `UPDATE account SET ${names.map((name) => `${name} = :${name}`).join(', ')} WHERE id = :id`;

const COUNT_BOTS =
  'SELECT COUNT(*) AS count FROM account WHERE owner_id = :ownerId AND is_active = 1';

/** Step: after another password, which its owner chose. */
function* ownPassword(id: number): Operation<void> {
  yield* run(OWN_PASSWORD, { id });
  yield* run(DELETE_LINK, { id });
}

function* deactivateOne(id: number): Operation<void> {
  yield* run(SET_ACTIVE, { id, isActive: 0 });
  yield* run(SUSPEND, { id });
  yield* run(END_SUSPENDED, { id });
  yield* settleAccount(id);
  yield* run(DELETE_LINK, { id });
  yield* run(DELETE_QUEUES, { id });
  yield* run(DELETE_DELIVERIES, { id });
}

export const accountReads = {
  /** Active people who administer the organization, ascending. */
  listAdminIds,
  /**
   * What a decision about an account looks at; undefined when there is no such account.
   * @param otherId  an account that the decision also looks at, such as a new owner; null for none
   */
  findAccountFacts: loadFacts,
  /** Active ones. */
  *countBots(ownerId: number): Operation<number> {
    return (yield* findOne<{ count: number }>(COUNT_BOTS, { ownerId }))?.count ?? 0;
  },
};

export const accountWrites = {
  /** Sets columns of an account, with what follows from them. */
  *updateAccount(id: number, columns: AccountColumns): Operation<void> {
    const names = Object.keys(columns);
    if (names.length > 0) yield* run(setColumns(names), { ...columns, id });
    if (columns.role !== undefined) yield* settleAccount(id);
    if (columns.password_hash !== undefined) yield* ownPassword(id);
  },
  *setBotService(
    id: number,
    service: Pick<BotServiceRow, 'payload_url' | 'interface'>,
  ): Operation<void> {
    yield* run(SET_SERVICE, { payload_url: service.payload_url, interface: service.interface, id });
  },
  /** Answers of an account, which were checked against the fields as they are. */
  setAnswers,
  /** Deactivates an account: its queues, deliveries and subscriptions end. */
  deactivateAccount: deactivateOne,
  /** Reactivates an account, with the subscriptions that it had, from the next message on. */
  *reactivateAccount(id: number, columns: AccountColumns): Operation<void> {
    yield* run(setColumns(Object.keys(columns)), { ...columns, id });
    yield* run(SET_ACTIVE, { id, isActive: 1 });
    yield* run(RESUME, { id });
    yield* run(DELETE_SUSPENDED, { id });
    yield* settleAccount(id);
  },
};
