/** Requests of people without an account to join: what they ask, and what administrators make of it (API decisions 15.20). */
import { refusal } from '#shared/api/refusal.ts';
import { fold } from '#shared/text/fold.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import type { api } from '#shared/api/endpoints/index.ts';
import type { Confusables } from '#shared/text/look-alikes.ts';
import type { CallerActionSource, ActionSource, Distance } from '#service/core/ports/handlers.ts';
import type {
  ListedJoinRequest,
  Operation,
  Reading,
  Store,
  Transaction,
} from '#service/db/port.ts';
import { checkOpenTo } from '#service/core/callers.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { lookAlikesIn, type Named } from '#service/features/organization/rules/look-alike-names.ts';
import { checkEmail, checkFullName } from '#service/core/rules/names.ts';
import { dayBefore } from '../rules/invitations.ts';
import {
  canReplace,
  checkAbout,
  checkRoom,
  decidedBefore,
  mayAsk,
  numberOf,
  requestExpiryOf,
} from '../rules/join-requests.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { type InvitationTarget, inviteWhoAsked } from './inviting.ts';

type Answers = typeof api.joinRequests;

/** Whoever asks, and from where. */
type JoinRequestSource = ActionSource & { readonly distance: Distance };

export interface JoinRequestOperations {
  /** @throws BAD_REQUEST, REALM_DEACTIVATED, ORGANIZATION_CLOSED */
  readonly askToJoin: (
    asking: JoinRequestSource,
    request: {
      readonly fullName: string;
      readonly email: string;
      readonly about: string | undefined;
    },
  ) => Promise<ResultOf<Answers['ask']>>;
  /** @throws REALM_DEACTIVATED, ORGANIZATION_CLOSED */
  readonly joinRequestState: (
    source: Pick<ActionSource, 'isLocal'>,
    secret: string,
  ) => Promise<ResultOf<Answers['state']>>;
  /** @throws REALM_DEACTIVATED, ORGANIZATION_CLOSED */
  readonly withdrawJoinRequest: (
    source: Pick<ActionSource, 'isLocal'>,
    secret: string,
  ) => Promise<void>;
  readonly listJoinRequests: () => Promise<ResultOf<Answers['list']>>;
  /** @throws BAD_REQUEST, INVITATION_FAILED */
  readonly acceptJoinRequest: (
    source: CallerActionSource,
    id: number,
    to: InvitationTarget,
  ) => Promise<void>;
  /** @throws BAD_REQUEST */
  readonly declineJoinRequest: (source: CallerActionSource, id: number) => Promise<void>;
  /** Ends those that nobody has decided on in time. */
  readonly trimJoinRequests: () => Promise<void>;
}

/** Step: administrators see how many there are now. */
function* announce(tx: Transaction, now: number): Operation<void> {
  const userIds = yield* tx.listAdminIds();
  const count = yield* tx.countJoinRequests(now);
  const audience = { kind: 'users', userIds } as const;
  yield* tx.record({ type: 'join_requests', audience, payload: { count } });
}

/** What is answered must not depend on whether the address has an account, or has asked before. */
function asking(
  store: Store,
  { nowSeconds, credentials: { apiKeys } }: DomainContext,
): Pick<JoinRequestOperations, 'askToJoin' | 'joinRequestState' | 'withdrawJoinRequest'> {
  return {
    askToJoin(source, request) {
      const secret = apiKeys.random();
      const secretHash = apiKeys.hash(secret);
      return store.change(function* (tx) {
        yield* checkOpenTo(tx, source);
        const realm = yield* tx.findRealm();
        if (realm === undefined || !mayAsk(realmSettings(realm), source.distance)) {
          throw refusal('join_requests_closed');
        }
        const fullName = checkFullName(request.fullName);
        const email = checkEmail(request.email);
        const about = checkAbout(request.about ?? '');
        const askedAt = nowSeconds();
        const { address } = source;
        checkRoom(yield* tx.countJoinRequestsFrom(address, askedAt, dayBefore(askedAt)));
        const expiresAt = requestExpiryOf(askedAt);
        const asked = { secretHash, fullName, email, emailKey: fold(email), about, address };
        const replaces = canReplace(source);
        yield* tx.insertJoinRequest({ ...asked, askedAt, expiresAt, replaces });
        yield* announce(tx, askedAt);
        return { secret, number: numberOf(secretHash), expires: expiresAt };
      });
    },
    joinRequestState: (source, secret) =>
      store.read(function* (tx) {
        yield* checkOpenTo(tx, source);
        const row = yield* tx.findJoinRequestBySecret(apiKeys.hash(secret.trim()));
        if (row === undefined) return { state: 'ended' };
        if (row.status === 'declined') return { state: 'declined' };
        if (row.status === 'open')
          return { state: row.expires_at > nowSeconds() ? 'waiting' : 'ended' };
        const invitation = yield* tx.findInvitation(row.invitation_id ?? 0, nowSeconds());
        return invitation === undefined
          ? { state: 'ended' }
          : {
              state: 'accepted',
              token: apiKeys.invitationToken(invitation.id, invitation.email_key),
            };
      }),
    withdrawJoinRequest: (source, secret) =>
      store.change(function* (tx) {
        yield* checkOpenTo(tx, source);
        const now = nowSeconds();
        const wasOpen = yield* tx.withdrawJoinRequest(apiKeys.hash(secret.trim()), now);
        if (wasOpen) yield* announce(tx, now);
      }),
  };
}

const accountOf = ({ is_active: isActive }: ListedJoinRequest): 'active' | 'deactivated' | null => {
  if (isActive === null) return null;
  return isActive === 1 ? 'active' : 'deactivated';
};

function* findOpen(tx: Reading, id: number, now: number): Operation<ListedJoinRequest> {
  const row = yield* tx.findJoinRequest(id, now);
  if (row === undefined) throw refusal('no_such_join_request');
  return row;
}

/** @throws BAD_REQUEST where somebody has the address already */
function checkAccount(row: ListedJoinRequest): void {
  const account = accountOf(row);
  if (account === 'active') throw refusal('join_email_has_account', { email: row.email });
  if (account === 'deactivated') throw refusal('join_email_deactivated', { email: row.email });
}

function deciding(
  store: Store,
  context: DomainContext,
): Pick<JoinRequestOperations, 'acceptJoinRequest' | 'declineJoinRequest'> {
  const { nowSeconds } = context;
  return {
    acceptJoinRequest: (source, id, to) =>
      change(store, source.caller, function* (tx, caller) {
        const now = nowSeconds();
        const row = yield* findOpen(tx, id, now);
        checkAccount(row);
        const note = auditEntryMaker(context, source);
        const invitee = { email: row.email, emailKey: row.email_key };
        const invited = yield* inviteWhoAsked(tx, invitee, to, { caller, note, now });
        yield* tx.acceptJoinRequest(row, invited.id, now);
        const details = { name: row.full_name, email: row.email, role: invited.role };
        yield* tx.record(
          note('join_request_accepted', { details: { ...details, invitation_id: invited.id } }),
        );
        yield* announce(tx, now);
      }),
    declineJoinRequest: (source, id) =>
      change(store, source.caller, function* (tx) {
        const now = nowSeconds();
        const row = yield* findOpen(tx, id, now);
        yield* tx.declineJoinRequests(row.email_key, now);
        const details = { name: row.full_name, email: row.email };
        yield* tx.record(auditEntryMaker(context, source)('join_request_declined', { details }));
        yield* announce(tx, now);
      }),
  };
}

function shapeOf(
  row: ListedJoinRequest,
  looksLike: readonly number[],
): ResultOf<Answers['list']>['requests'][number] {
  return {
    id: row.id,
    email: row.email,
    full_name: row.full_name,
    about: row.about,
    address: row.address,
    asked: row.asked_at,
    expires: row.expires_at,
    number: numberOf(row.secret_hash),
    times: row.times,
    account: accountOf(row),
    looks_like: [...looksLike],
  };
}

export const joinRequestOperations = (
  store: Store,
  context: DomainContext,
  loadConfusables: () => Promise<Confusables>,
): JoinRequestOperations => ({
  ...asking(store, context),
  ...deciding(store, context),
  async listJoinRequests() {
    const rows = await store.listJoinRequests(context.nowSeconds());
    if (rows.length === 0) return { requests: [] };
    const table = await loadConfusables();
    const named = (await store.listUsers()).map(({ id, full_name: name }): Named => ({ id, name }));
    const lookAlikes = lookAlikesIn(named, table);
    return { requests: rows.map((row) => shapeOf(row, lookAlikes(row.full_name))) };
  },
  trimJoinRequests: () => {
    const now = context.nowSeconds();
    return store.change(function* (tx) {
      if (yield* tx.trimJoinRequests(now, dayBefore(now), decidedBefore(now)))
        yield* announce(tx, now);
    });
  },
});
