/** Who wants to do something: an account of the service, or whoever is signed in at a client. */
import { GENERIC_BOT } from '../api/bot-types.ts';

export type Role = 'admin' | 'member' | 'guest';

export interface Actor {
  readonly role: Role;
  readonly botType: number | null;
}

/** Whoever is signed in at a client is a person. */
export const personActor = ({
  isAdmin,
  isGuest,
}: {
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
}): Actor => ({ role: isAdmin ? 'admin' : isGuest ? 'guest' : 'member', botType: null });

export const isPersonOrGenericBot = ({ botType }: Actor): boolean =>
  botType === null || botType === GENERIC_BOT;

/** Policies of the organization: 1 every member, 2 administrators only. A bot is a member like any other. */
export const meetsPolicy = ({ role }: Actor, policy: number): boolean =>
  policy === 1 || role === 'admin';
