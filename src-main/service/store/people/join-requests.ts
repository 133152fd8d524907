/** Requests of people without an account to join (API decisions 15.20). */
import { findOne, insert, list, type Operation, run } from '../operation.ts';

export interface JoinRequestRow {
  readonly id: number;
  readonly secret_hash: string;
  readonly email: string;
  readonly email_key: string;
  readonly full_name: string;
  readonly about: string;
  /** From where; of IPv6 the network. */
  readonly address: string;
  /** UNIX seconds. */
  readonly asked_at: number;
  /** UNIX seconds. */
  readonly expires_at: number;
  readonly status: 'open' | 'accepted' | 'declined';
  readonly invitation_id: number | null;
}

export interface ListedJoinRequest extends JoinRequestRow {
  /** How many open ones there are for its e-mail address, itself included. */
  readonly times: number;
  /** Of the account with its e-mail address; null where there is none. */
  readonly is_active: 0 | 1 | null;
}

export interface NewJoinRequest {
  readonly secretHash: string;
  readonly email: string;
  readonly emailKey: string;
  readonly fullName: string;
  readonly about: string;
  readonly address: string;
  /** UNIX seconds. */
  readonly askedAt: number;
  /** UNIX seconds. */
  readonly expiresAt: number;
}

export interface JoinRequestCounts {
  readonly open: number;
  /** Open ones from the address. */
  readonly near: number;
  /** Made since then, whatever became of them. */
  readonly recent: number;
}

const OPEN = "status = 'open' AND expires_at > :now";
// Of those for one e-mail address the first is shown: a later one neither replaces nor hides it.
const LISTED = `SELECT MIN(r.id) AS id, r.secret_hash, r.email, r.email_key, r.full_name, r.about,
    r.address, r.asked_at, r.expires_at, r.status, r.invitation_id, a.is_active, COUNT(*) AS times
  FROM join_request r LEFT JOIN account a ON a.email_key = r.email_key
  WHERE r.status = 'open' AND r.expires_at > :now`;
const LIST = `${LISTED} GROUP BY r.email_key ORDER BY 1`;
const FIND = `${LISTED} GROUP BY r.email_key HAVING MIN(r.id) = :id`;
const FIND_SECRET = 'SELECT * FROM join_request WHERE secret_hash = :secretHash';
const COUNT = `SELECT COUNT(DISTINCT email_key) AS shown FROM join_request WHERE ${OPEN}`;
const COUNTS = `SELECT COUNT(*) FILTER (WHERE ${OPEN}) AS open,
    COUNT(*) FILTER (WHERE ${OPEN} AND address = :address) AS near,
    COUNT(*) FILTER (WHERE asked_at > :since) AS recent
  FROM join_request`;
const INSERT = `INSERT INTO join_request
    (secret_hash, email, email_key, full_name, about, address, asked_at, expires_at, status)
  VALUES (:secretHash, :email, :emailKey, :fullName, :about, :address, :askedAt, :expiresAt, 'open')`;
const ACCEPT =
  "UPDATE join_request SET status = 'accepted', invitation_id = :invitationId WHERE id = :id";
const DECLINE = `UPDATE join_request SET status = 'declined'
  WHERE email_key = :emailKey AND status = 'open'`;
const REMOVE = "DELETE FROM join_request WHERE secret_hash = :secretHash AND status = 'open'";
const REMOVE_FROM = `DELETE FROM join_request
  WHERE email_key = :emailKey AND address = :address AND status = 'open'`;
const TRIM_OPEN = "DELETE FROM join_request WHERE status = 'open' AND expires_at <= :now";
const TRIM = "DELETE FROM join_request WHERE status <> 'open' AND expires_at <= :before";

export const joinRequestReads = {
  /** What administrators decide on, the oldest first. @param now  UNIX seconds */
  *listJoinRequests(now: number): Operation<readonly ListedJoinRequest[]> {
    return yield* list<ListedJoinRequest>(LIST, { now });
  },
  /** One of that list. */
  *findJoinRequest(id: number, now: number): Operation<ListedJoinRequest | undefined> {
    return yield* findOne<ListedJoinRequest>(FIND, { id, now });
  },
  *findJoinRequestBySecret(secretHash: string): Operation<JoinRequestRow | undefined> {
    return yield* findOne<JoinRequestRow>(FIND_SECRET, { secretHash });
  },
  /** How long that list is. */
  *countJoinRequests(now: number): Operation<number> {
    return (yield* findOne<{ shown: number }>(COUNT, { now }))?.shown ?? 0;
  },
  /** @param since  UNIX seconds */
  *countJoinRequestsFrom(
    address: string,
    now: number,
    since: number,
  ): Operation<JoinRequestCounts> {
    const counts = yield* findOne<JoinRequestCounts>(COUNTS, { address, now, since });
    return counts ?? { open: 0, near: 0, recent: 0 };
  },
};

export const joinRequestWrites = {
  /** In place of an open one for the same e-mail address from the same place. */
  *insertJoinRequest(request: NewJoinRequest): Operation<void> {
    const { emailKey, address } = request;
    yield* run(REMOVE_FROM, { emailKey, address });
    yield* insert(INSERT, { ...request });
  },
  /** Others for the same e-mail address are declined. */
  *acceptJoinRequest(row: JoinRequestRow, invitationId: number): Operation<void> {
    yield* run(ACCEPT, { id: row.id, invitationId });
    yield* run(DECLINE, { emailKey: row.email_key });
  },
  /** All open ones for the e-mail address. */
  *declineJoinRequests(emailKey: string): Operation<void> {
    yield* run(DECLINE, { emailKey });
  },
  /** Answers whether it was open. */
  *withdrawJoinRequest(secretHash: string): Operation<boolean> {
    return (yield* run(REMOVE, { secretHash })) > 0;
  },
  /**
   * Removes open ones that have ended, and what is known of those that were decided on before.
   * Answers whether the list is shorter. @param before  UNIX seconds
   */
  *trimJoinRequests(now: number, before: number): Operation<boolean> {
    yield* run(TRIM, { before });
    return (yield* run(TRIM_OPEN, { now })) > 0;
  },
};
