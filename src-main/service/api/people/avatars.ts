import type { avatars } from '../../../contract/api/people/avatars.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { AvatarOperations } from '../../domain/people/avatars.ts';

export const avatarHandlers = (
  domain: Pick<AvatarOperations, 'removeAvatar' | 'setAvatar'>,
): Handlers<typeof avatars> => ({
  set: async ({ caller, files }) => ({ avatar_url: await domain.setAvatar(caller, files) }),
  remove: async ({ caller }) => ({ avatar_url: await domain.removeAvatar(caller) }),
});
