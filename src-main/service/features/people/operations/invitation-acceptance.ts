/** What becomes of an invitation: the account of whoever accepts it (API decisions 7.6). */
import { refusal } from '#shared/api/refusal.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import type { api } from '#shared/api/endpoints/index.ts';
import type { ActionSource, Caller } from '#service/core/ports/handlers.ts';
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
import type { DomainContext } from '#service/core/ports/environment.ts';
import { type Invitee, numberOf } from '../rules/invitations.ts';
import {
  type AuditEntryMaker,
  auditEntryMaker,
} from '#service/features/organization/rules/audit.ts';
import { fold } from '#shared/text/fold.ts';
import { checkEmail, checkFullName, checkPassword } from '#service/core/rules/names.ts';
import { canInvite, canInviteAs } from '#shared/policies/people.ts';
import { canSubscribe } from '#shared/policies/streams.ts';
import { factsOf } from '#service/core/rules/permissions.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { announce } from './inviting.ts';
import { createPerson, personAccount } from './new-accounts.ts';
import type { KeyGrant } from './users.ts';

export interface Acceptance {
  readonly token: string;
  readonly fullName: string;
  readonly password: string;
  /** By which to sign in, where the invitation does not say it. */
  readonly email: string | undefined;
}

export interface AcceptanceOperations {
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

export function acceptanceOperations(store: Store, context: DomainContext): AcceptanceOperations {
  const { credentials, nowSeconds } = context;
  const { apiKeys, passwords } = credentials;

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
      return store.change(function* (tx) {
        const { row, inviter, invitee, fullName } = yield* open(tx, source, wanted);
        const person = { email: invitee.email, fullName, role: row.role };
        const account = { ...personAccount(context, person), passwordHash };
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
