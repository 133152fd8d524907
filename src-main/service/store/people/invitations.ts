/** Invitations into the organization (API decisions 7.6). */
import type { Role } from '../../ports/handlers.ts';
import { findOne, insert, list, type Operation, run } from '../operation.ts';

export interface InvitationRow {
  readonly id: number;
  readonly email: string;
  readonly email_key: string;
  readonly role: Role;
  readonly inviter_id: number;
  readonly inviter_email: string;
  /** UNIX seconds. */
  readonly sent_at: number;
  /** JSON list of the streams to subscribe to; null for the default ones. */
  readonly stream_ids: string | null;
}

export interface NewInvitation {
  readonly email: string;
  readonly emailKey: string;
  readonly role: Role;
  readonly inviterId: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  /** Null for the default ones. */
  readonly streamIds: readonly number[] | null;
}

// An invitation ends with the account of whoever made it.
const PENDING = `SELECT i.id, i.email, i.email_key, i.role, i.inviter_id, a.email AS inviter_email,
    i.sent_at, i.stream_ids
  FROM invitation i JOIN account a ON a.id = i.inviter_id
  WHERE i.status = 'pending' AND i.sent_at > :validSince AND a.is_active = 1`;
const LIST = `${PENDING} ORDER BY i.id`;
const FIND = `${PENDING} AND i.id = :id`;
const FIND_EMAIL = `${PENDING} AND i.email_key = :emailKey`;
const COUNT = 'SELECT COUNT(*) AS sent FROM invitation WHERE sent_at > :since';
const INSERT = `INSERT INTO invitation (email, email_key, role, inviter_id, sent_at, status, stream_ids)
  VALUES (:email, :emailKey, :role, :inviterId, :sentAt, 'pending', :streamIds)`;
const SET_STATUS = 'UPDATE invitation SET status = :status WHERE id = :id';

export const invitationReads = {
  /** Those that can still be accepted, by id. @param validSince  UNIX seconds */
  *listInvitations(validSince: number): Operation<readonly InvitationRow[]> {
    return yield* list<InvitationRow>(LIST, { validSince });
  },
  *findInvitation(id: number, validSince: number): Operation<InvitationRow | undefined> {
    return yield* findOne<InvitationRow>(FIND, { id, validSince });
  },
  /** @param emailKey  the address as the domain folds it for comparison */
  *findInvitationTo(emailKey: string, validSince: number): Operation<InvitationRow | undefined> {
    return yield* findOne<InvitationRow>(FIND_EMAIL, { emailKey, validSince });
  },
  /** How many were made since then, whatever became of them. */
  *countInvitations(since: number): Operation<number> {
    return (yield* findOne<{ sent: number }>(COUNT, { since }))?.sent ?? 0;
  },
};

export const invitationWrites = {
  /** Answers its id. */
  *insertInvitation({ streamIds, ...invitation }: NewInvitation): Operation<number> {
    const streams = streamIds === null ? null : JSON.stringify(streamIds);
    return yield* insert(INSERT, { ...invitation, streamIds: streams });
  },
  /** Ends it: it is `accepted` or `revoked`. */
  *endInvitation(id: number, status: 'accepted' | 'revoked'): Operation<void> {
    yield* run(SET_STATUS, { id, status });
  },
};
