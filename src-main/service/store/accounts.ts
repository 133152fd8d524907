/** Changes of accounts that exist. */
import { badRequest } from '../../contract/errors.ts';
import type { Role } from '../../contract/handlers.ts';
import { findOne, list, type NewEvent, type Operation, record, run } from './operation.ts';
import {
  type ProfileAnswer,
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
  /** The account that the change names beside; undefined where it names none or there is none. */
  readonly other: AccountRow | undefined;
}

export interface AccountChange {
  readonly columns: AccountColumns;
  readonly service?: Pick<BotServiceRow, 'payload_url' | 'interface'>;
  readonly answers?: readonly ProfileAnswer[];
  readonly events: readonly NewEvent[];
}

const FIND = `SELECT ${ACCOUNT_COLUMNS} FROM account WHERE id = :id`;
const FIND_EMAIL = 'SELECT id FROM account WHERE email_key = :emailKey AND id <> :id';
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
  WHERE m.account_id = :id AND m.until_id IS NULL`;
const END_SUSPENDED = `UPDATE membership SET until_id = (SELECT COALESCE(MAX(id), 0) FROM message)
  WHERE account_id = :id AND until_id IS NULL
    AND recipient_id IN (SELECT recipient_id FROM suspended_subscription WHERE account_id = :id)`;
const RESUME = `INSERT INTO membership (recipient_id, account_id, from_id)
  SELECT p.recipient_id, p.account_id, (SELECT COALESCE(MAX(id), 0) FROM message)
  FROM suspended_subscription p JOIN stream s ON s.recipient_id = p.recipient_id
  WHERE p.account_id = :id AND s.is_archived = 0 AND NOT EXISTS (SELECT 1 FROM membership m
    WHERE m.recipient_id = p.recipient_id AND m.account_id = p.account_id AND m.until_id IS NULL)`;
const DELETE_SUSPENDED = 'DELETE FROM suspended_subscription WHERE account_id = :id';
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
    service: yield* findOne<BotServiceRow>(FIND_SERVICE, { id }),
    profile: yield* profileReads.listProfileValuesOf(id),
    profileFields: yield* profileReads.listProfileFields(),
    other: otherId === null ? undefined : yield* findOne<AccountRow>(FIND, { id: otherId }),
  };
}

function* getFacts(id: number, otherId: number | null): Operation<AccountFacts> {
  const facts = yield* loadFacts(id, otherId);
  if (facts === undefined) throw badRequest('No such user');
  return facts;
}

/** The names come from `AccountColumns`, never from a request. */
const setColumns = (names: readonly string[]): string =>
  `UPDATE account SET ${names.map((name) => `${name} = :${name}`).join(', ')} WHERE id = :id`;

function* deactivateOne(id: number): Operation<void> {
  yield* run(SET_ACTIVE, { id, isActive: 0 });
  yield* run(SUSPEND, { id });
  yield* run(END_SUSPENDED, { id });
  yield* run(DELETE_QUEUES, { id });
  yield* run(DELETE_DELIVERIES, { id });
}

export const accountWrites = {
  /**
   * Changes one account as `decide` says about it as it is now, and records the events of that.
   * @param otherId  an account that the decision also looks at, such as a new owner; null for none
   * @throws BAD_REQUEST when there is no such account or its new address is taken, and what `decide` throws
   */
  *changeAccount(
    id: number,
    otherId: number | null,
    decide: (facts: AccountFacts) => AccountChange,
  ): Operation<void> {
    const { columns, service, answers, events } = decide(yield* getFacts(id, otherId));
    const { email, email_key: emailKey } = columns;
    if (emailKey !== undefined && (yield* findOne(FIND_EMAIL, { id, emailKey })) !== undefined) {
      throw badRequest(`The e-mail address '${String(email)}' is already in use`);
    }
    const names = Object.keys(columns);
    if (names.length > 0) yield* run(setColumns(names), { ...columns, id });
    if (service !== undefined) yield* run(SET_SERVICE, { ...service, id });
    if (answers !== undefined) yield* setAnswers(id, answers);
    for (const event of events) yield* record(event);
  },
  /**
   * Deactivates an account and the bots that it owns: their queues, deliveries and subscriptions end.
   * @param decide  answers the events, from the account and its active bots
   * @throws BAD_REQUEST when there is no such account, and what `decide` throws
   */
  *deactivateAccount(
    id: number,
    decide: (facts: AccountFacts, bots: readonly AccountRow[]) => readonly NewEvent[],
  ): Operation<void> {
    const facts = yield* getFacts(id, null);
    const bots = yield* list<AccountRow>(LIST_BOTS, { ownerId: id });
    const events = decide(facts, bots);
    for (const each of [facts.user, ...bots]) yield* deactivateOne(each.id);
    for (const event of events) yield* record(event);
  },
  /**
   * Reactivates an account, with the subscriptions that it had, from the next message on.
   * @param decide  answers the events; null to leave everything as it is
   * @throws BAD_REQUEST when there is no such account, and what `decide` throws
   */
  *reactivateAccount(
    id: number,
    decide: (facts: AccountFacts) => readonly NewEvent[] | null,
  ): Operation<void> {
    const events = decide(yield* getFacts(id, null));
    if (events === null) return;
    yield* run(SET_ACTIVE, { id, isActive: 1 });
    yield* run(RESUME, { id });
    yield* run(DELETE_SUSPENDED, { id });
    for (const event of events) yield* record(event);
  },
};
