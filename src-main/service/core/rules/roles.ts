import { refusal } from '#shared/api/refusal.ts';
import type { Role } from '#shared/policies/actor.ts';

/** A bot may do what a member may, and no more than its owner. */
export const roleOfBot = (ownerRole: Role): Role => (ownerRole === 'guest' ? 'guest' : 'member');

export interface RoleRequest {
  readonly isAdmin?: boolean | undefined;
  readonly isGuest?: boolean | undefined;
  readonly role?: Role | undefined;
}

/** By the numbers of the API. */
export const numberedRoles = {
  200: 'admin',
  400: 'member',
  600: 'guest',
} as const satisfies Record<number, Role>;

function roleByFlags(current: Role, { isAdmin, isGuest }: RoleRequest): Role {
  if (isAdmin === true) return 'admin';
  if (isGuest === true) return 'guest';
  if (isAdmin === false && current === 'admin') return 'member';
  return isGuest === false && current === 'guest' ? 'member' : current;
}

/**
 * The role that an account is to have (API decisions 7.3).
 * @throws BAD_REQUEST when the request contradicts itself
 */
export function roleAfter(current: Role, request: RoleRequest): Role {
  const { isAdmin, isGuest, role } = request;
  if (isAdmin === true && isGuest === true) {
    throw refusal('guest_not_administrator');
  }
  const wanted = role ?? roleByFlags(current, request);
  const isContradicted =
    (isAdmin !== undefined && isAdmin !== (wanted === 'admin')) ||
    (isGuest !== undefined && isGuest !== (wanted === 'guest'));
  if (isContradicted) throw refusal('role_contradicted');
  return wanted;
}
