/** Invitations into the organization (API decisions 7.6). */
import type { Role } from '#shared/policies/actor.ts';
import { findOne, insert, list, type Operation, run } from '#service/db/operation.ts';

export interface InvitationRow {
  readonly id: number;
  readonly email: string;
  readonly email_key: string;
  readonly role: Role;
  readonly inviter_id: number;
  readonly inviter_email: string;
  /** UNIX seconds. */
  readonly sent_at: number;
  /** UNIX seconds. */
  readonly expires_at: number;
  /** Null for the one whose address it has; otherwise its address is empty. */
  readonly max_uses: number | null;
  readonly uses: number;
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
  /** UNIX seconds. */
  readonly expiresAt: number;
  /** Null for the one whose address it has. */
  readonly maxUses: number | null;
  /** Null for the default ones. */
  readonly streamIds: readonly number[] | null;
}

// An invitation ends with the account of whoever made it.
const PENDING = `SELECT i.id, i.email, i.email_key, i.role, i.inviter_id, a.email AS inviter_email,
    i.sent_at, i.expires_at, i.max_uses, i.uses, i.stream_ids
  FROM invitation i JOIN account a ON a.id = i.inviter_id
  WHERE i.status = 'pending' AND i.expires_at > :now AND a.is_active = 1`;
const LIST = `${PENDING} ORDER BY i.id`;
const FIND = `${PENDING} AND i.id = :id`;
const FIND_EMAIL = `${PENDING} AND i.email_key = :emailKey`;
const COUNT = 'SELECT COUNT(*) AS sent FROM invitation WHERE sent_at > :since';
const INSERT = `INSERT INTO invitation
    (email, email_key, role, inviter_id, sent_at, expires_at, max_uses, status, stream_ids)
  VALUES (:email, :emailKey, :role, :inviterId, :sentAt, :expiresAt, :maxUses, 'pending', :streamIds)`;
const USE = `UPDATE invitation SET uses = uses + 1,
    status = CASE WHEN uses + 1 >= COALESCE(max_uses, 1) THEN 'accepted' ELSE status END
  WHERE id = :id`;
const REVOKE = "UPDATE invitation SET status = 'revoked' WHERE id = :id";

export const invitationReads = {
  /** Those that can still be accepted, by id. @param now  UNIX seconds */
  *listInvitations(now: number): Operation<readonly InvitationRow[]> {
    return yield* list<InvitationRow>(LIST, { now });
  },
  *findInvitation(id: number, now: number): Operation<InvitationRow | undefined> {
    return yield* findOne<InvitationRow>(FIND, { id, now });
  },
  /** @param emailKey  the address as the service folds it for comparison */
  *findInvitationTo(emailKey: string, now: number): Operation<InvitationRow | undefined> {
    return yield* findOne<InvitationRow>(FIND_EMAIL, { emailKey, now });
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
  /** Counts somebody who came by it; it ends with the last one who may. */
  *useInvitation(id: number): Operation<void> {
    yield* run(USE, { id });
  },
  *revokeInvitation(id: number): Operation<void> {
    yield* run(REVOKE, { id });
  },
};
