/** Invitations: links that whoever invites passes on, and the accounts that come of them (API decisions 7.6). */
import { badRequest, realmDeactivated } from '../../contract/errors.ts';
import type { ResultOf } from '../../contract/endpoint.ts';
import type { api } from '../../contract/api/index.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { InvitationRow, NewAccount, Store } from '../store/port.ts';
import type { DomainContext } from './ports.ts';
import {
  dayBefore,
  failureOf,
  invitationFailed,
  MAX_PER_DAY,
  numberOf,
  readInvitees,
  roleOf,
  validSince,
} from './rules/invitations.ts';
import { fold } from '../../contract/fold.ts';
import { checkFullName, checkPassword } from './rules/names.ts';
import { streamColors } from './rules/palette.ts';
import {
  canInvite,
  canInviteAs,
  canManageInvitation,
  canSubscribe,
  factsOf,
} from './rules/permissions.ts';
import { realmSettings } from './rules/realm-settings.ts';
import { userShape } from './rules/shapes.ts';
import { getVisibleStream, type StreamAccessStore } from './stream-access.ts';
import { subscribeEvents } from './stream-events.ts';
import { accountRow, type KeyGrant } from './users.ts';

export type Invitation = ResultOf<typeof api.invitations.list>['invites'][number];

export interface InvitationRequest {
  readonly inviteeEmails: string;
  readonly inviteAs: 1 | 2 | 3;
  readonly streamIds: readonly number[] | undefined;
  readonly streamNames: readonly string[] | undefined;
}

export interface Acceptance {
  readonly token: string;
  readonly fullName: string;
  readonly password: string;
}

export interface InvitationOperations {
  /** @param origin  what the links begin with @throws BAD_REQUEST */
  readonly listInvitations: (caller: Caller, origin: string) => Promise<Invitation[]>;
  /** @throws BAD_REQUEST; INVITATION_FAILED when not everybody was invited */
  readonly invite: (caller: Caller, request: InvitationRequest) => Promise<void>;
  /** @throws BAD_REQUEST */
  readonly revokeInvitation: (caller: Caller, id: number) => Promise<void>;
  /** @throws BAD_REQUEST; REALM_DEACTIVATED */
  readonly acceptInvitation: (acceptance: Acceptance) => Promise<KeyGrant>;
}

type InvitationStore = StreamAccessStore &
  Pick<
    Store,
    | 'acceptInvitation'
    | 'addInvitations'
    | 'findInvitation'
    | 'findRealm'
    | 'listInvitations'
    | 'listStreams'
    | 'listUsers'
    | 'revokeInvitation'
  >;

const unknown = (): Error => badRequest('This invitation is no longer valid');

/** The streams that a request names; null for the default ones. */
async function namedStreams(
  store: InvitationStore,
  caller: Caller,
  { streamIds, streamNames }: InvitationRequest,
): Promise<readonly number[] | null> {
  if (streamIds === undefined && streamNames === undefined) return null;
  const ids = new Set<number>();
  for (const reference of [...(streamIds ?? []), ...(streamNames ?? [])]) {
    const { stream, isSubscribed } = await getVisibleStream(store, caller, reference);
    if (!canSubscribe(caller, factsOf(stream), isSubscribed)) {
      throw badRequest(`You cannot invite people to the stream '${stream.name}'`);
    }
    ids.add(stream.id);
  }
  return [...ids];
}

function newAccount(
  { email, email_key: emailKey, role }: InvitationRow,
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
    ...secrets,
  };
}

function acceptance(
  store: InvitationStore,
  { credentials, nowSeconds }: DomainContext,
): Pick<InvitationOperations, 'acceptInvitation'> {
  const { apiKeys, passwords, gravatarHash } = credentials;

  async function findByToken(token: string): Promise<InvitationRow> {
    const id = /^(\d{1,15})-/.exec(token)?.[1];
    const row = await store.findInvitation(Number(id ?? 0), validSince(nowSeconds()));
    // The same work and the same words, whether or not there is such an invitation.
    const right = apiKeys.invitationToken(row?.id ?? 0, row?.email_key ?? '');
    if (!apiKeys.isEqual(right, token) || row === undefined) throw unknown();
    if (!canInviteAs(row.inviter_role, row.role)) throw unknown();
    return row;
  }

  /** Guests get only what they were invited to. */
  async function streamsOf({ role, stream_ids: named }: InvitationRow): Promise<readonly number[]> {
    if (named !== null) return JSON.parse(named) as readonly number[];
    if (role === 'guest') return [];
    return (await store.listStreams()).filter((row) => row.is_default === 1).map((row) => row.id);
  }

  return {
    async acceptInvitation({ token, fullName, password }) {
      if ((await store.findRealm())?.is_deactivated === 1) throw realmDeactivated();
      const row = await findByToken(token.trim());
      const name = checkFullName(fullName);
      const account = newAccount(row, name, {
        passwordHash: await passwords.hash(checkPassword(password)),
        gravatarHash: gravatarHash(row.email),
        joinedAt: nowSeconds(),
      });
      const targets = (await streamsOf(row)).map(
        (streamId) => ({ kind: 'default', streamId }) as const,
      );
      const users = await store.listUsers();
      const userId = await store.acceptInvitation(
        { id: row.id, validSince: validSince(nowSeconds()) },
        account,
        {
          keyHashOf: (id) => apiKeys.hash(apiKeys.derive(id, 1)),
          streams: { targets, colors: [], palette: streamColors },
          events: {
            ...subscribeEvents(users, nowSeconds()),
            person: (id) => userShape(accountRow(account, id), undefined, true),
          },
        },
      );
      return { api_key: apiKeys.derive(userId, 1), email: account.email };
    },
  };
}

async function checkInviter(store: Pick<Store, 'findRealm'>, caller: Caller): Promise<void> {
  if (!canInvite(caller, realmSettings(await store.findRealm()))) {
    throw badRequest('Only organization administrators can invite people');
  }
}

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
  is_multiuse: false,
  link: `${origin}/#join/${tokenOf(row.id, row.email_key)}`,
});

const tooMany = (): Error =>
  invitationFailed(
    `At most ${String(MAX_PER_DAY)} people can be invited in a day; nobody was invited`,
    [],
    false,
  );

function inviting(
  store: InvitationStore,
  nowSeconds: () => number,
): Pick<InvitationOperations, 'invite'> {
  return {
    async invite(caller, request) {
      await checkInviter(store, caller);
      const role = roleOf(request.inviteAs);
      if (!canInviteAs(caller.role, role)) {
        throw badRequest('Only organization administrators can invite administrators');
      }
      const emails = readInvitees(request.inviteeEmails);
      const streamIds = await namedStreams(store, caller, request);
      const now = nowSeconds();
      const sent = { inviterId: caller.userId, sentAt: now, validSince: validSince(now) };
      const outcome = await store.addInvitations(
        { emails, role, streamIds, ...sent },
        { since: dayBefore(now), count: MAX_PER_DAY },
      );
      if (outcome.kind === 'too-many') throw tooMany();
      const failure = failureOf(outcome.uninvited, emails.length);
      if (failure !== undefined) throw failure;
    },
  };
}

export function invitationOperations(
  store: InvitationStore,
  context: DomainContext,
): InvitationOperations {
  const { nowSeconds, credentials } = context;
  return {
    async listInvitations(caller, origin) {
      await checkInviter(store, caller);
      const rows = await store.listInvitations(validSince(nowSeconds()));
      return rows
        .filter((row) => canManageInvitation(caller, row.inviter_id))
        .map((row) => invitationShape(row, origin, credentials.apiKeys.invitationToken));
    },
    async revokeInvitation(caller, id) {
      const since = validSince(nowSeconds());
      const row = await store.findInvitation(id, since);
      if (row === undefined || !canManageInvitation(caller, row.inviter_id)) {
        throw badRequest('No such invitation');
      }
      await store.revokeInvitation(id, since);
    },
    ...inviting(store, nowSeconds),
    ...acceptance(store, context),
  };
}
