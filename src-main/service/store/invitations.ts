/** Invitations into the organization (API decisions, section 7.6). */
import type { Role } from '../../contract/handlers.ts';
import { badRequest } from '../../contract/errors.ts';
import { listAdminIds } from './accounts.ts';
import { findOne, list, type Operation, record, run } from './operation.ts';
import type { SubscribePlan } from './streams.ts';
import { type NewAccount, type UserEvents, userWrites } from './users.ts';

export interface InvitationRow {
  readonly id: number;
  readonly email: string;
  readonly email_key: string;
  readonly role: Role;
  readonly inviter_id: number;
  readonly inviter_email: string;
  readonly inviter_role: Role;
  /** UNIX seconds. */
  readonly sent_at: number;
  /** JSON list of the streams to subscribe to; null for the default ones. */
  readonly stream_ids: string | null;
}

export interface NewInvitations {
  readonly emails: readonly { readonly email: string; readonly emailKey: string }[];
  readonly role: Role;
  readonly inviterId: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  /** Older pending ones no longer count as such. */
  readonly validSince: number;
  readonly streamIds: readonly number[] | null;
}

/** The row of an address that was not invited, and why. */
export interface Uninvited {
  readonly email: string;
  readonly why: 'member' | 'deactivated' | 'invited';
}

/** Not one was invited: they would be too many. */
export type InvitationOutcome =
  | { readonly kind: 'too-many' }
  | { readonly kind: 'done'; readonly uninvited: readonly Uninvited[] };

// An invitation ends with the account of whoever made it.
const PENDING = `SELECT i.id, i.email, i.email_key, i.role, i.inviter_id, a.email AS inviter_email,
    a.role AS inviter_role, i.sent_at, i.stream_ids
  FROM invitation i JOIN account a ON a.id = i.inviter_id
  WHERE i.status = 'pending' AND i.sent_at > :validSince AND a.is_active = 1`;
const LIST = `${PENDING} ORDER BY i.id`;
const FIND = `${PENDING} AND i.id = :id`;
const FIND_EMAIL = `${PENDING} AND i.email_key = :emailKey`;
const COUNT = 'SELECT COUNT(*) AS sent FROM invitation WHERE sent_at > :since';
const FIND_ACCOUNT = 'SELECT is_active FROM account WHERE email_key = :emailKey';
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
};

function* announce(): Operation<void> {
  const userIds = yield* listAdminIds();
  yield* record({ type: 'invites_changed', audience: { kind: 'users', userIds }, payload: {} });
}

function* whyNot(emailKey: string, validSince: number): Operation<Uninvited['why'] | undefined> {
  const account = yield* findOne<{ is_active: 0 | 1 }>(FIND_ACCOUNT, { emailKey });
  if (account !== undefined) return account.is_active === 1 ? 'member' : 'deactivated';
  const pending = yield* findOne(FIND_EMAIL, { emailKey, validSince });
  return pending === undefined ? undefined : 'invited';
}

export const invitationWrites = {
  /**
   * Invites those who are neither here nor invited; answers who was not.
   * @param limit  how many may be invited since a time
   */
  *addInvitations(
    { emails, role, inviterId, sentAt, validSince, streamIds }: NewInvitations,
    limit: { readonly since: number; readonly count: number },
  ): Operation<InvitationOutcome> {
    const uninvited: Uninvited[] = [];
    const wanted: NewInvitations['emails'][number][] = [];
    for (const each of emails) {
      const why = yield* whyNot(each.emailKey, validSince);
      if (why === undefined) wanted.push(each);
      else uninvited.push({ email: each.email, why });
    }
    const { sent = 0 } = (yield* findOne<{ sent: number }>(COUNT, { since: limit.since })) ?? {};
    if (wanted.length > 0 && sent + wanted.length > limit.count) return { kind: 'too-many' };
    const streams = streamIds === null ? null : JSON.stringify(streamIds);
    for (const { email, emailKey } of wanted) {
      yield* run(INSERT, { email, emailKey, role, inviterId, sentAt, streamIds: streams });
    }
    if (wanted.length > 0) yield* announce();
    return { kind: 'done', uninvited };
  },
  /** @throws BAD_REQUEST when it is no longer pending */
  *revokeInvitation(id: number, validSince: number): Operation<void> {
    if ((yield* findOne(FIND, { id, validSince })) === undefined) {
      throw badRequest('No such invitation');
    }
    yield* run(SET_STATUS, { id, status: 'revoked' });
    yield* announce();
  },
  /**
   * Creates the account of somebody who was invited; answers its id.
   * @throws BAD_REQUEST when the invitation is no longer pending or the address is taken
   */
  *acceptInvitation(
    invitation: { readonly id: number; readonly validSince: number },
    account: NewAccount,
    creation: {
      readonly keyHashOf: (id: number) => string;
      readonly streams: Omit<SubscribePlan, 'userIds'>;
      readonly events: UserEvents;
    },
  ): Operation<number> {
    const { id, validSince } = invitation;
    if ((yield* findOne(FIND, { id, validSince })) === undefined) {
      throw badRequest('This invitation is no longer valid');
    }
    yield* run(SET_STATUS, { id, status: 'accepted' });
    const { keyHashOf, streams, events } = creation;
    const userId = yield* userWrites.createUser(account, keyHashOf, streams, events);
    yield* announce();
    return userId;
  },
};
