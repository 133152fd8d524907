/** Invitations: links that whoever invites passes on, and the accounts that come of them (API decisions 7.6). */
import { refusal } from '#shared/api/refusal.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import type { api } from '#shared/api/endpoints/index.ts';
import type { AuditDetails } from '#shared/api/models/audit.ts';
import type { Caller, CallerActionSource, ActionSource } from '#service/core/ports/handlers.ts';
import type {
  InvitationRow,
  NewAccount,
  NewEntry,
  Operation,
  Reading,
  Store,
  StreamRow,
} from '#service/db/port.ts';
import { checkOpenTo } from '#service/core/callers.ts';
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
import {
  type AuditEntryMaker,
  auditEntryMaker,
} from '#service/features/organization/rules/audit.ts';
import { fold } from '#shared/text/fold.ts';
import { checkEmail, checkFullName, checkPassword } from '#service/core/rules/names.ts';
import { canInvite, canInviteAs, canManageInvitation } from '#shared/policies/people.ts';
import { canSubscribe } from '#shared/policies/streams.ts';
import { factsOf } from '#service/core/rules/permissions.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { announce, insertInvitation, namedStreams, tooMany } from './inviting.ts';
import { createPerson } from './new-accounts.ts';
import type { KeyGrant } from './users.ts';

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

export interface Acceptance {
  readonly token: string;
  readonly fullName: string;
  readonly password: string;
  /** By which to sign in, where the invitation does not say it. */
  readonly email: string | undefined;
}

export interface InvitationOperations {
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
  /** @throws BAD_REQUEST, REALM_DEACTIVATED, ORGANIZATION_CLOSED */
  readonly lookAtInvitation: (
    source: Pick<ActionSource, 'isLocal'>,
    token: string,
  ) => Promise<ResultOf<typeof api.invitations.look>>;
  /** @throws BAD_REQUEST, REALM_DEACTIVATED, ORGANIZATION_CLOSED */
  readonly acceptInvitation: (source: ActionSource, acceptance: Acceptance) => Promise<KeyGrant>;
}

const unknown = (): Error => refusal('invitation_not_valid');
const withdrawn = (): Error => refusal('inviter_lost_right');

type Inviter = Pick<Caller, 'userId' | 'role' | 'botType'>;

function newAccount(
  { role }: InvitationRow,
  { email, emailKey }: Invitee,
  fullName: string,
  secrets: Pick<NewAccount, 'passwordHash' | 'gravatarHash' | 'joinedAt'>,
): NewAccount {
  return {
    email,
    emailKey,
    fullName,
    fullNameKey: fold(fullName),
    shortName: email.split('@')[0] ?? email,
    role,
    botType: null,
    ownerId: null,
    isPasswordGiven: 0,
    ...secrets,
  };
}

/**
 * Whoever sent an invitation, as they are now: rights that they have lost went with them.
 * @throws BAD_REQUEST when they may no longer invite, or not like this
 */
function* inviterOf(tx: Reading, row: InvitationRow): Operation<Inviter> {
  const user = yield* tx.findUser(row.inviter_id);
  if (user === undefined) throw unknown();
  const inviter = { userId: user.id, role: user.role, botType: user.bot_type };
  const settings = realmSettings(yield* tx.findRealm());
  if (!canInvite(inviter, settings) || !canInviteAs(inviter.role, row.role)) throw withdrawn();
  return inviter;
}

/** Those of the streams to which the inviter may still bring somebody. */
function* openStreams(
  tx: Reading,
  inviter: Inviter,
  ids: readonly number[],
): Operation<readonly StreamRow[]> {
  const open: StreamRow[] = [];
  for (const id of ids) {
    const stream = yield* tx.findStream(id);
    if (stream?.is_archived !== 0) continue;
    const isSubscribed = yield* tx.isMember(stream.recipient_id, inviter.userId);
    if (canSubscribe(inviter, factsOf(stream), isSubscribed)) open.push(stream);
  }
  return open;
}

/** Guests get only what they were invited to. */
function* streamsOf(
  tx: Reading,
  row: InvitationRow,
  inviter: Inviter,
): Operation<readonly StreamRow[]> {
  if (row.stream_ids !== null) {
    return yield* openStreams(tx, inviter, JSON.parse(row.stream_ids) as readonly number[]);
  }
  return row.role === 'guest' ? [] : yield* tx.listDefaultStreams();
}

interface FoundInvitation {
  readonly row: InvitationRow;
  readonly inviter: Inviter;
  readonly fullName: string;
  readonly invitee: Invitee;
}

/**
 * By which address whoever accepts will sign in.
 * @throws BAD_REQUEST where that cannot be, or is somebody's already
 */
function* inviteeOf(
  tx: Reading,
  { email, email_key: emailKey, max_uses: maxUses }: InvitationRow,
  given: string | undefined,
): Operation<Invitee> {
  if (maxUses === null) {
    if (given === undefined || fold(given.trim()) === emailKey) return { email, emailKey };
    throw refusal('invitation_for_other_email');
  }
  if (given === undefined || given.trim() === '') {
    throw refusal('invitee_email_missing');
  }
  const own = checkEmail(given);
  const invitee = { email: own, emailKey: fold(own) };
  if ((yield* tx.findUserByEmail(invitee.emailKey)) === undefined) return invitee;
  throw refusal('email_has_account');
}

function acceptance(
  store: Store,
  context: DomainContext,
): Pick<InvitationOperations, 'lookAtInvitation' | 'acceptInvitation'> {
  const { credentials, nowSeconds } = context;
  const { apiKeys, passwords, gravatarHash } = credentials;

  function* findByToken(tx: Reading, token: string): Operation<InvitationRow> {
    const id = /^(\d{1,15})-/.exec(token)?.[1];
    const row = yield* tx.findInvitation(Number(id ?? 0), nowSeconds());
    // The same work and the same words, whether or not there is such an invitation.
    const right = apiKeys.invitationToken(row?.id ?? 0, row?.email_key ?? '');
    if (!apiKeys.isEqual(right, token) || row === undefined) throw unknown();
    return row;
  }

  function* findOpen(
    tx: Reading,
    source: Pick<ActionSource, 'isLocal'>,
    token: string,
  ): Operation<Pick<FoundInvitation, 'row' | 'inviter'>> {
    yield* checkOpenTo(tx, source);
    const row = yield* findByToken(tx, token.trim());
    return { row, inviter: yield* inviterOf(tx, row) };
  }

  function* open(
    tx: Reading,
    source: ActionSource,
    { token, fullName, email }: Acceptance,
  ): Operation<FoundInvitation> {
    const found = yield* findOpen(tx, source, token);
    const invitee = yield* inviteeOf(tx, found.row, email);
    return { ...found, invitee, fullName: checkFullName(fullName) };
  }

  return {
    lookAtInvitation: (source, token) =>
      store.read(function* (tx) {
        const { row, inviter } = yield* findOpen(tx, source, token);
        return {
          realm_name: (yield* tx.findRealm())?.name ?? '',
          inviter_full_name: (yield* tx.findUser(inviter.userId))?.full_name ?? '',
          email: row.email,
          invited_as: numberOf(row.role),
        };
      }),
    async acceptInvitation(source, wanted) {
      // Hashing is dear: only for whom is invited.
      await store.read((tx) => open(tx, source, wanted));
      const passwordHash = await passwords.hash(checkPassword(wanted.password));
      const joinedAt = nowSeconds();
      return store.change(function* (tx) {
        const { row, inviter, invitee, fullName } = yield* open(tx, source, wanted);
        const secrets = { passwordHash, gravatarHash: gravatarHash(invitee.email), joinedAt };
        const account = newAccount(row, invitee, fullName, secrets);
        const streams = yield* streamsOf(tx, row, inviter);
        yield* tx.useInvitation(row.id);
        const userId = yield* createPerson(tx, context, account, streams);
        yield* tx.recordAll(
          acceptedEntries(auditEntryMaker(context, source), row, account, userId),
        );
        yield* announce(tx);
        return { api_key: apiKeys.derive(userId, 1), email: account.email };
      });
    },
  };
}

function acceptedEntries(
  note: AuditEntryMaker,
  { id }: InvitationRow,
  { email, fullName, role }: NewAccount,
  userId: number,
): readonly NewEntry[] {
  const whose = { actorId: userId, userId };
  return [
    note('invitation_accepted', { ...whose, details: { invitation_id: id, email, role } }),
    note('user_created', { ...whose, details: { name: fullName, email } }),
  ];
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
    ...acceptance(store, context),
  };
}
