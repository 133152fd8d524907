/** Who may add and take away emoji of the organization. */
import type { Actor } from './actor.ts';

export const canAddEmoji = (
  actor: Actor,
  settings: { readonly add_emoji_by_admins_only: boolean },
): boolean =>
  actor.role === 'admin' || (actor.role !== 'guest' && !settings.add_emoji_by_admins_only);

export const canDeactivateEmoji = (
  actor: Actor & { readonly userId: number },
  authorId: number,
): boolean => actor.userId === authorId || actor.role === 'admin';
