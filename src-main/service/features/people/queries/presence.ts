/** What people are doing: presence, their own words about it, and the message that they have come to. */
import type { PresenceStatus } from '#shared/api/models/presence.ts';
import { findOne, list, type Operation, record, run } from '#service/db/operation.ts';

/** The last report of one client of a person. */
export interface PresenceRow {
  readonly account_id: number;
  readonly email: string;
  readonly client: string;
  readonly status: PresenceStatus;
  /** UNIX seconds. */
  readonly updated_at: number;
}

export interface PresenceReport {
  readonly userId: number;
  readonly client: string;
  readonly status: PresenceStatus;
  /** UNIX seconds. */
  readonly nowSeconds: number;
  /** UNIX seconds; the account's reports from before are forgotten. */
  readonly forgetBefore: number;
}

export interface StatusRow {
  readonly account_id: number;
  readonly is_away: 0 | 1;
  readonly status_text: string;
}

const SELECT = `SELECT p.account_id, a.email, p.client, p.status, p.updated_at
  FROM presence p JOIN account a ON a.id = p.account_id
  WHERE a.is_active = 1 AND a.bot_type IS NULL AND p.updated_at >= :sinceSeconds`;
const LIST = `${SELECT} ORDER BY p.account_id, p.client`;
const LIST_OF = `${SELECT} AND p.account_id = :userId ORDER BY p.client`;
const FORGET = 'DELETE FROM presence WHERE account_id = :userId AND updated_at < :forgetBefore';
const SAVE = `INSERT INTO presence (account_id, client, status, updated_at)
  VALUES (:userId, :client, :status, :nowSeconds)
  ON CONFLICT (account_id, client) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at`;
const MOVE_POINTER =
  'UPDATE account SET pointer = :pointer WHERE id = :userId AND pointer < :pointer';
const FIND_POINTER = 'SELECT pointer FROM account WHERE id = :userId';
const FIND_STATUS = 'SELECT * FROM user_status WHERE account_id = :userId';
const LIST_STATUSES = `SELECT u.account_id, u.is_away, u.status_text
  FROM user_status u JOIN account a ON a.id = u.account_id WHERE a.is_active = 1 ORDER BY u.account_id`;
const SAVE_STATUS = `INSERT INTO user_status (account_id, is_away, status_text)
  VALUES (:userId, :isAway, :text)
  ON CONFLICT (account_id) DO UPDATE SET is_away = excluded.is_away, status_text = excluded.status_text`;
const DELETE_STATUS = 'DELETE FROM user_status WHERE account_id = :userId';

export const presenceReads = {
  /** Reports of active people since a time, by account. @param sinceSeconds  UNIX seconds, inclusive */
  *listPresences(sinceSeconds: number): Operation<readonly PresenceRow[]> {
    return yield* list<PresenceRow>(LIST, { sinceSeconds });
  },
  *listPresencesOf(userId: number, sinceSeconds: number): Operation<readonly PresenceRow[]> {
    return yield* list<PresenceRow>(LIST_OF, { userId, sinceSeconds });
  },
  /** A message id; -1 while none was set. */
  *findPointer(userId: number): Operation<number> {
    return (yield* findOne<{ pointer: number }>(FIND_POINTER, { userId }))?.pointer ?? -1;
  },
  /** Active accounts that have said something; those that have not are absent. */
  *listStatuses(): Operation<readonly StatusRow[]> {
    return yield* list<StatusRow>(LIST_STATUSES);
  },
};

/** Step: tells everybody what an account says of itself; nothing where it says nothing. */
export function* announceStatus(userId: number): Operation<void> {
  const row = yield* findOne<StatusRow>(FIND_STATUS, { userId });
  if (row === undefined) return;
  const { is_away: isAway, status_text: text } = row;
  yield* record({
    type: 'user_status',
    audience: { kind: 'realm' },
    payload: { user_id: userId, away: isAway === 1, status_text: text },
  });
}

export const presenceWrites = {
  announceStatus,
  /** Notes what a client reported. */
  *savePresence({
    userId,
    client,
    status,
    nowSeconds,
    forgetBefore,
  }: PresenceReport): Operation<void> {
    yield* run(FORGET, { userId, forgetBefore });
    yield* run(SAVE, { userId, client, status, nowSeconds });
  },
  /** Moves an account's pointer; one that would not move forward stays, without an event. */
  *movePointer(userId: number, pointer: number): Operation<void> {
    if ((yield* run(MOVE_POINTER, { userId, pointer })) === 0) return;
    yield* record({
      type: 'pointer',
      audience: { kind: 'users', userIds: [userId] },
      payload: { pointer },
    });
  },
  /** Sets what is given; the event names what changed. */
  *setStatus(
    userId: number,
    change: { readonly isAway: boolean | undefined; readonly text: string | undefined },
  ): Operation<void> {
    const row = yield* findOne<StatusRow>(FIND_STATUS, { userId });
    const before = { isAway: row?.is_away === 1, text: row?.status_text ?? '' };
    const isAway = change.isAway ?? before.isAway;
    const text = change.text ?? before.text;
    const changed = {
      ...(isAway === before.isAway ? {} : { away: isAway }),
      ...(text === before.text ? {} : { status_text: text }),
    };
    if (Object.keys(changed).length === 0) return;
    if (isAway || text !== '') yield* run(SAVE_STATUS, { userId, isAway: Number(isAway), text });
    else yield* run(DELETE_STATUS, { userId });
    yield* record({
      type: 'user_status',
      audience: { kind: 'realm' },
      payload: { user_id: userId, ...changed },
    });
  },
};
