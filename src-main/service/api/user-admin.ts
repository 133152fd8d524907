import type { userAdmin } from '../../contract/api/user-admin.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { UserAdminOperations } from '../domain/user-admin.ts';

export const userAdminHandlers = (domain: UserAdminOperations): Handlers<typeof userAdmin> => ({
  get: async (_call, { userId, clientGravatar, includeCustomProfileFields }) => ({
    user: await domain.getMember(userId, {
      clientGravatar,
      includeProfile: includeCustomProfileFields,
    }),
  }),
  async update(_call, change) {
    await domain.updateUser(change);
    return {};
  },
  async deactivate(_call, { userId }) {
    await domain.deactivateUser(userId);
    return {};
  },
  async reactivate(_call, { userId }) {
    await domain.reactivateUser(userId);
    return {};
  },
  regenerateKey: async ({ caller }) => ({ api_key: await domain.regenerateOwnKey(caller) }),
});
