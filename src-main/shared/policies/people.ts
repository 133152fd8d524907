/** Who may change their own name, invite people, and make and change groups of them (API decisions 7.3). */
import { type Actor, meetsPolicy, type Role } from './actor.ts';

/** Administrators change their own name, address and picture even where that is switched off. */
export const canChangeOwn = ({ role }: Actor, isDisabled: boolean): boolean =>
  role === 'admin' || !isDisabled;

export const canInvite = (
  actor: Actor,
  settings: { readonly invite_by_admins_only: boolean },
): boolean =>
  actor.botType === null &&
  (actor.role === 'admin' || (actor.role === 'member' && !settings.invite_by_admins_only));

/** Nobody makes others more than they are themselves. */
export const canInviteAs = (inviter: Role, role: Role): boolean =>
  role !== 'admin' || inviter === 'admin';

/** Who sees an invitation and its link, and may revoke it. */
export const canManageInvitation = (
  actor: Actor & { readonly userId: number },
  inviterId: number,
): boolean => actor.role === 'admin' || actor.userId === inviterId;

/** Who may make groups of people: people by the organization's policy, never guests. */
export const canCreateUserGroups = (
  actor: Actor,
  settings: { readonly user_group_edit_policy: number },
): boolean =>
  actor.botType === null &&
  actor.role !== 'guest' &&
  meetsPolicy(actor, settings.user_group_edit_policy);

/** Administrators change every group, and others the ones that they are in. */
export const canEditUserGroup = (
  actor: Actor,
  isInGroup: boolean,
  settings: { readonly user_group_edit_policy: number },
): boolean => canCreateUserGroups(actor, settings) && (actor.role === 'admin' || isInGroup);
