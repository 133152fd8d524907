/** Who may create, change and give away a bot (API decisions 7.4 and 9.5). */
import { GENERIC_BOT } from '../api/bot-types.ts';
import type { Actor } from './actor.ts';

/**
 * By the organization's policy: 1 every member, 2 administrators alone create generic bots, 3 administrators alone
 * create any (API decisions 9.5).
 */
export function canCreateBot(actor: Actor, botType: number, policy: number): boolean {
  if (actor.botType !== null || actor.role === 'guest') return false;
  if (actor.role === 'admin' || policy === 1) return true;
  return policy === 2 && botType !== GENERIC_BOT;
}

/** Its owner and administrators (API decisions 7.4). */
export const canManageBot = (
  actor: Actor & { readonly userId: number },
  ownerId: number | null,
): boolean => actor.botType === null && (actor.role === 'admin' || actor.userId === ownerId);

/** A bot posts where its owner may: whoever could choose another owner could choose what it reaches. */
export const canGiveBotAway = (actor: Actor): boolean =>
  actor.botType === null && actor.role === 'admin';
