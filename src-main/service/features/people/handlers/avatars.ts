import type { avatars } from '#shared/api/endpoints/people/avatars.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { AvatarOperations } from '../operations/avatars.ts';

export const avatarHandlers = (
  domain: Pick<AvatarOperations, 'removeAvatar' | 'setAvatar'>,
): Handlers<typeof avatars> => ({
  set: async ({ caller, files }) => ({ avatar_url: await domain.setAvatar(caller, files) }),
  remove: async ({ caller }) => ({ avatar_url: await domain.removeAvatar(caller) }),
});
