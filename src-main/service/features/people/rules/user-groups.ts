/** Groups of people: who may make and change them, and what they are called (API decisions 7.3). */
import { badRequest } from '#shared/api/errors.ts';
import { checkLine, checkVisible } from '#service/core/rules/names.ts';
import type { RealmSettings } from '#service/core/rules/organization-settings.ts';
import { type Actor, meetsPolicy } from '#service/core/rules/permissions.ts';

const MAX_NAME_CHARACTERS = 100;

/** @throws BAD_REQUEST unless one line of 1 to 100 characters that are seen and that `@*name*` can hold */
export function checkGroupName(name: string): string {
  const checked = checkLine(name, 'User group name', MAX_NAME_CHARACTERS);
  if (checked.includes('*')) throw badRequest('User group name must not contain *');
  return checkVisible(checked, 'User group name');
}

/** Who may make groups of people: people by the organization's policy, never guests. */
export const canCreateUserGroups = (
  actor: Actor,
  settings: Pick<RealmSettings, 'user_group_edit_policy'>,
): boolean =>
  actor.botType === null &&
  actor.role !== 'guest' &&
  meetsPolicy(actor, settings.user_group_edit_policy);

/** Administrators change every group, and others the ones that they are in. */
export const canEditUserGroup = (
  actor: Actor,
  isInGroup: boolean,
  settings: Pick<RealmSettings, 'user_group_edit_policy'>,
): boolean => canCreateUserGroups(actor, settings) && (actor.role === 'admin' || isInGroup);
