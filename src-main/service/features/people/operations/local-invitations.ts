/** Invitations that are made at the computer of the service, without a key. */
import { refusal } from '#shared/api/refusal.ts';
import { fold } from '#shared/text/fold.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Operation, Reading, Store } from '#service/db/port.ts';
import { callerOf } from '#service/core/callers.ts';
import { readInvitees } from '../rules/invitations.ts';
import type { Invitation, InvitationOperations } from './invitations.ts';

export interface HostInvitations {
  /** Whose invitations they are: an e-mail address; null for the first administrator. */
  readonly as: string | null;
  /** Addresses of the invited; none for one link that many can use. */
  readonly emails: readonly string[];
  /** How long the link for many works. */
  readonly validDays: number;
  readonly maxUses: number;
}

export interface PreparedInvitations {
  readonly realmName: string;
  /** Who invites. */
  readonly inviter: string;
  /** Also those of before that are good still. */
  readonly made: {
    /** Empty where it is for many. */
    readonly email: string;
    readonly token: string;
    /** UNIX seconds. */
    readonly expires: number;
  }[];
}

export interface HostInvitationOperations {
  /**
   * @param client  the program that asks for it, as the audit log names it
   * @throws BAD_REQUEST, INVITATION_FAILED
   */
  readonly inviteFromHost: (asked: HostInvitations, client: string) => Promise<PreparedInvitations>;
}

const tokenOf = ({ link }: Invitation): string => link.replace(/^.*#join\//, '');

/** @throws BAD_REQUEST where nobody can be meant */
function* inviterOf(tx: Reading, as: string | null): Operation<Caller> {
  const [firstId = 0] = as === null ? yield* tx.listAdminIds() : [];
  const row =
    as === null ? yield* tx.findUser(firstId) : yield* tx.findUserByEmail(fold(as.trim()));
  if (row?.bot_type === null) return yield* callerOf(tx, row);
  throw as === null
    ? refusal('no_administrator')
    : refusal('no_account_with_address', { email: as });
}

export function hostInvitationOperations(
  store: Store,
  { invite, inviteMany, listInvitations }: InvitationOperations,
): HostInvitationOperations {
  return {
    async inviteFromHost({ as, emails, ...many }, client) {
      const caller = await store.read((tx) => inviterOf(tx, as));
      const source = { caller, address: '', client };
      const wanted = { inviteAs: 1, streamIds: undefined, streamNames: undefined } as const;
      const told = async (
        isMeant: (each: Invitation) => boolean,
      ): Promise<PreparedInvitations> => ({
        realmName: (await store.findRealm())?.name ?? '',
        inviter: caller.email,
        made: (await listInvitations(caller, ''))
          .filter(isMeant)
          .map((each) => ({ email: each.email, token: tokenOf(each), expires: each.expires })),
      });
      if (emails.length === 0) {
        const { id } = await inviteMany(source, { ...many, ...wanted }, '');
        return told((each) => each.id === id);
      }
      const keys = new Set(readInvitees(emails.join(',')).map(({ emailKey }) => emailKey));
      const isMeant = ({ email }: Invitation): boolean => keys.has(fold(email));
      const before = await told(isMeant);
      const known = new Set(before.made.map(({ email }) => fold(email)));
      const inviteeEmails = [...keys].filter((key) => !known.has(key)).join(',');
      if (inviteeEmails !== '') await invite(source, { ...wanted, inviteeEmails });
      return told(isMeant);
    },
  };
}
