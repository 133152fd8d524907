/** What inviting somebody takes, whatever it comes of. */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Role } from '#shared/policies/actor.ts';
import type { Operation, Reading, Transaction } from '#service/db/port.ts';
import type { AuditEntryMaker } from '#service/features/organization/rules/audit.ts';
import {
  dayBefore,
  expiryOf,
  tooManyToday,
  type Invitee,
  MAX_PER_DAY,
  roleOf,
} from '../rules/invitations.ts';
import { canSubscribe } from '#shared/policies/streams.ts';
import { factsOf } from '#service/core/rules/permissions.ts';
import { getVisibleStream } from '#service/core/stream-access.ts';

/** What an invitation leads to. */
export interface InvitationTarget {
  readonly inviteAs: 1 | 2 | 3;
  readonly streamIds: readonly number[] | undefined;
  readonly streamNames: readonly string[] | undefined;
}

interface InvitedBy {
  readonly caller: Caller;
  readonly note: AuditEntryMaker;
  /** UNIX seconds. */
  readonly now: number;
}

/** The streams that a request names; null for the default ones. @throws BAD_REQUEST */
export function* namedStreams(
  tx: Reading,
  caller: Caller,
  { streamIds, streamNames }: Omit<InvitationTarget, 'inviteAs'>,
): Operation<readonly number[] | null> {
  if (streamIds === undefined && streamNames === undefined) return null;
  const ids = new Set<number>();
  for (const reference of [...(streamIds ?? []), ...(streamNames ?? [])]) {
    const { stream, isSubscribed } = yield* getVisibleStream(tx, caller, reference);
    if (!canSubscribe(caller, factsOf(stream), isSubscribed)) {
      throw refusal('inviting_to_stream_not_allowed', { name: stream.name });
    }
    ids.add(stream.id);
  }
  return [...ids];
}

/** Step: administrators look at the invitations again. */
export function* announce(tx: Transaction): Operation<void> {
  const userIds = yield* tx.listAdminIds();
  yield* tx.record({ type: 'invites_changed', audience: { kind: 'users', userIds }, payload: {} });
}

export const tooMany = (): Error => tooManyToday(MAX_PER_DAY);

/** Step: an invitation for one address; answers its id. */
export function* insertInvitation(
  tx: Transaction,
  { email, emailKey }: Invitee,
  to: { readonly role: Role; readonly streamIds: readonly number[] | null },
  { caller, note, now }: InvitedBy,
): Operation<number> {
  const bounds = { sentAt: now, expiresAt: expiryOf(now), maxUses: null };
  const sent = { ...to, ...bounds, inviterId: caller.userId };
  const id = yield* tx.insertInvitation({ email, emailKey, ...sent });
  const details = { invitation_id: id, email, role: to.role };
  yield* tx.record(note('invitation_created', { details }));
  return id;
}

/** Step: the same for an address that asked for it. @throws BAD_REQUEST, INVITATION_FAILED */
export function* inviteWhoAsked(
  tx: Transaction,
  invitee: Invitee,
  to: InvitationTarget,
  by: InvitedBy,
): Operation<{ readonly id: number; readonly role: Role }> {
  const streamIds = yield* namedStreams(tx, by.caller, to);
  if ((yield* tx.countInvitations(dayBefore(by.now))) >= MAX_PER_DAY) throw tooMany();
  const role = roleOf(to.inviteAs);
  const id = yield* insertInvitation(tx, invitee, { role, streamIds }, by);
  yield* announce(tx);
  return { id, role };
}
