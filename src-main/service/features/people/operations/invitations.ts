/** Invitations: links that whoever invites passes on (API decisions 7.6). */
import { refusal } from '#shared/api/refusal.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import type { api } from '#shared/api/endpoints/index.ts';
import type { AuditDetails } from '#shared/api/models/audit.ts';
import type { Caller, CallerActionSource } from '#service/core/ports/handlers.ts';
import type { InvitationRow, Operation, Reading, Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import {
  checkBounds,
  dayBefore,
  expiryOf,
  failureOf,
  type Invitee,
  MAX_PER_DAY,
  numberOf,
  readInvitees,
  roleOf,
  type Uninvited,
} from '../rules/invitations.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { canInvite, canInviteAs, canManageInvitation } from '#shared/policies/people.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { announce, insertInvitation, namedStreams, tooMany } from './inviting.ts';
import { type AcceptanceOperations, acceptanceOperations } from './invitation-acceptance.ts';

export type Invitation = ResultOf<typeof api.invitations.list>['invites'][number];

export interface InvitationRequest {
  readonly inviteeEmails: string;
  readonly inviteAs: 1 | 2 | 3;
  readonly streamIds: readonly number[] | undefined;
  readonly streamNames: readonly string[] | undefined;
}

export interface OpenInvitationRequest {
  readonly inviteAs: 1 | 3;
  readonly validDays: number;
  readonly maxUses: number;
  readonly streamIds: readonly number[] | undefined;
  readonly streamNames: readonly string[] | undefined;
}

export interface InvitationOperations extends AcceptanceOperations {
  /** @param origin  what the links begin with @throws BAD_REQUEST */
  readonly listInvitations: (caller: Caller, origin: string) => Promise<Invitation[]>;
  /** @throws BAD_REQUEST; INVITATION_FAILED when not everybody was invited */
  readonly invite: (source: CallerActionSource, request: InvitationRequest) => Promise<void>;
  /** @param origin  what the link begins with @throws BAD_REQUEST */
  readonly inviteMany: (
    source: CallerActionSource,
    request: OpenInvitationRequest,
    origin: string,
  ) => Promise<ResultOf<typeof api.invitations.inviteMany>>;
  /** @throws BAD_REQUEST */
  readonly revokeInvitation: (source: CallerActionSource, id: number) => Promise<void>;
}

function* checkInviter(tx: Reading, caller: Caller): Operation<void> {
  if (!canInvite(caller, realmSettings(yield* tx.findRealm()))) {
    throw refusal('administrator_invites');
  }
}

const linkOf = (origin: string, token: string): string => `${origin}/#join/${token}`;

/** What the audit log keeps of it. */
const detailsOf = ({ id, email, role, max_uses: maxUses }: InvitationRow): AuditDetails =>
  maxUses === null
    ? { invitation_id: id, email, role }
    : { invitation_id: id, role, max_uses: maxUses };

/** @param tokenOf  what the link of an invitation carries */
const invitationShape = (
  row: InvitationRow,
  origin: string,
  tokenOf: (id: number, emailKey: string) => string,
): Invitation => ({
  id: row.id,
  email: row.email,
  ref: row.inviter_email,
  invited: row.sent_at,
  invited_as: numberOf(row.role),
  is_multiuse: row.max_uses !== null,
  expires: row.expires_at,
  ...(row.max_uses === null ? {} : { uses: row.uses, max_uses: row.max_uses }),
  link: linkOf(origin, tokenOf(row.id, row.email_key)),
});

function* whyNot(
  tx: Reading,
  emailKey: string,
  now: number,
): Operation<Uninvited['why'] | undefined> {
  const account = yield* tx.findUserByEmail(emailKey);
  if (account !== undefined) return account.is_active === 1 ? 'member' : 'deactivated';
  return (yield* tx.findInvitationTo(emailKey, now)) === undefined ? undefined : 'invited';
}

interface InvitationPlan {
  readonly wanted: readonly Invitee[];
  readonly uninvited: readonly Uninvited[];
}

/** Who of them is neither here nor invited. @throws INVITATION_FAILED when they would be too many */
function* planInvitations(
  tx: Reading,
  invitees: readonly Invitee[],
  nowSeconds: number,
): Operation<InvitationPlan> {
  const wanted: Invitee[] = [];
  const uninvited: Uninvited[] = [];
  for (const each of invitees) {
    const why = yield* whyNot(tx, each.emailKey, nowSeconds);
    if (why === undefined) wanted.push(each);
    else uninvited.push({ email: each.email, why });
  }
  const sent = yield* tx.countInvitations(dayBefore(nowSeconds));
  if (wanted.length > 0 && sent + wanted.length > MAX_PER_DAY) throw tooMany();
  return { wanted, uninvited };
}

function inviting(store: Store, context: DomainContext): Pick<InvitationOperations, 'invite'> {
  return {
    async invite(source, request) {
      const note = auditEntryMaker(context, source);
      const failure = await change(store, source.caller, function* (tx, caller) {
        yield* checkInviter(tx, caller);
        const role = roleOf(request.inviteAs);
        if (!canInviteAs(caller.role, role)) {
          throw refusal('administrator_invites_administrators');
        }
        const invitees = readInvitees(request.inviteeEmails);
        const streamIds = yield* namedStreams(tx, caller, request);
        const now = context.nowSeconds();
        const { wanted, uninvited } = yield* planInvitations(tx, invitees, now);
        const by = { caller, note, now };
        for (const invitee of wanted) yield* insertInvitation(tx, invitee, { role, streamIds }, by);
        if (wanted.length > 0) yield* announce(tx);
        return failureOf(uninvited, invitees.length);
      });
      if (failure !== undefined) throw failure;
    },
  };
}

function invitingMany(
  store: Store,
  context: DomainContext,
): Pick<InvitationOperations, 'inviteMany'> {
  const { apiKeys } = context.credentials;
  return {
    inviteMany: (source, request, origin) =>
      change(store, source.caller, function* (tx, caller) {
        yield* checkInviter(tx, caller);
        checkBounds(request);
        const role = roleOf(request.inviteAs);
        const streamIds = yield* namedStreams(tx, caller, request);
        const sentAt = context.nowSeconds();
        if ((yield* tx.countInvitations(dayBefore(sentAt))) >= MAX_PER_DAY) throw tooMany();
        const { maxUses, validDays } = request;
        const bounds = { expiresAt: expiryOf(sentAt, validDays), maxUses };
        const sent = { role, inviterId: caller.userId, sentAt, streamIds, ...bounds };
        const id = yield* tx.insertInvitation({ email: '', emailKey: '', ...sent });
        const details = { invitation_id: id, role, max_uses: maxUses };
        yield* tx.record(auditEntryMaker(context, source)('invitation_created', { details }));
        yield* announce(tx);
        return { id, invite_link: linkOf(origin, apiKeys.invitationToken(id, '')) };
      }),
  };
}

export function invitationOperations(store: Store, context: DomainContext): InvitationOperations {
  const { nowSeconds, credentials } = context;
  return {
    listInvitations: (caller, origin) =>
      store.read(function* (tx) {
        yield* checkInviter(tx, caller);
        const rows = yield* tx.listInvitations(nowSeconds());
        return rows
          .filter((row) => canManageInvitation(caller, row.inviter_id))
          .map((row) => invitationShape(row, origin, credentials.apiKeys.invitationToken));
      }),
    revokeInvitation: (source, id) =>
      change(store, source.caller, function* (tx, caller) {
        const row = yield* tx.findInvitation(id, nowSeconds());
        if (row === undefined || !canManageInvitation(caller, row.inviter_id)) {
          throw refusal('no_such_invitation');
        }
        yield* tx.revokeInvitation(id);
        const details = detailsOf(row);
        yield* tx.record(auditEntryMaker(context, source)('invitation_revoked', { details }));
        yield* announce(tx);
      }),
    ...inviting(store, context),
    ...invitingMany(store, context),
    ...acceptanceOperations(store, context),
  };
}
