/** Requests of people without an account to join (API decisions 15.20). */
import { findOne, insert, list, type Operation, run } from '#service/db/operation.ts';

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
  /** Whether it ends an open one for the same e-mail address from the same place. */
  readonly replaces: boolean;
}

export interface JoinRequestCounts {
  /** That nobody has decided on; one that was withdrawn or replaced counts for as long as it is recent. */
  readonly open: number;
  /** Those of them from the address, and recent ones that were declined. */
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
// Whoever withdraws or asks again has no more room than others, and cannot tell by it what others asked.
const UNDECIDED = "status = 'open' AND (expires_at > :now OR asked_at > :since)";
const COUNTS = `SELECT COUNT(*) FILTER (WHERE ${UNDECIDED}) AS open,
    COUNT(*) FILTER (WHERE address = :address AND
      (${UNDECIDED} OR (status = 'declined' AND asked_at > :since))) AS near,
    COUNT(*) FILTER (WHERE asked_at > :since) AS recent
  FROM join_request`;
const INSERT = `INSERT INTO join_request
    (secret_hash, email, email_key, full_name, about, address, asked_at, expires_at, status)
  VALUES (:secretHash, :email, :emailKey, :fullName, :about, :address, :askedAt, :expiresAt, 'open')`;
const ACCEPT =
  "UPDATE join_request SET status = 'accepted', invitation_id = :invitationId WHERE id = :id";
const DECLINE = `UPDATE join_request SET status = 'declined' WHERE email_key = :emailKey AND ${OPEN}`;
const END = `UPDATE join_request SET expires_at = :now WHERE secret_hash = :secretHash AND ${OPEN}`;
const END_FROM = `UPDATE join_request SET expires_at = :now
  WHERE email_key = :emailKey AND address = :address AND ${OPEN}`;
const TRIM_OPEN = `DELETE FROM join_request
  WHERE status = 'open' AND expires_at <= :now AND asked_at <= :since`;
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
  *insertJoinRequest({ replaces, ...request }: NewJoinRequest): Operation<void> {
    const { emailKey, address, askedAt: now } = request;
    if (replaces) yield* run(END_FROM, { emailKey, address, now });
    yield* insert(INSERT, { ...request });
  },
  /** Others for the same e-mail address are declined. @param now  UNIX seconds */
  *acceptJoinRequest(row: JoinRequestRow, invitationId: number, now: number): Operation<void> {
    yield* run(ACCEPT, { id: row.id, invitationId });
    yield* run(DECLINE, { emailKey: row.email_key, now });
  },
  /** All open ones for the e-mail address. @param now  UNIX seconds */
  *declineJoinRequests(emailKey: string, now: number): Operation<void> {
    yield* run(DECLINE, { emailKey, now });
  },
  /** Answers whether it was open. @param now  UNIX seconds */
  *withdrawJoinRequest(secretHash: string, now: number): Operation<boolean> {
    return (yield* run(END, { secretHash, now })) > 0;
  },
  /**
   * Removes ended ones that nobody has decided on and that were made before `since`, and what is known of those that were
   * decided on and ended before `before`. Answers whether the list may be shorter. All in UNIX seconds.
   */
  *trimJoinRequests(now: number, since: number, before: number): Operation<boolean> {
    yield* run(TRIM, { before });
    return (yield* run(TRIM_OPEN, { now, since })) > 0;
  },
};
