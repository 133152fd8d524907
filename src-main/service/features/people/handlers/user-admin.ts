import type { userAdmin } from '#shared/api/endpoints/people/user-admin.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import { numberedRoles } from '#service/core/rules/roles.ts';
import type { UserAdminOperations } from '../operations/user-admin.ts';

export const userAdminHandlers = (domain: UserAdminOperations): Handlers<typeof userAdmin> => ({
  get: async (_call, { userId, clientGravatar, includeCustomProfileFields }) => ({
    user: await domain.getMember(userId, {
      clientGravatar,
      includeProfile: includeCustomProfileFields,
    }),
  }),
  async update(call, { role, ...change }) {
    await domain.updateUser(call, { ...change, role: role && numberedRoles[role] });
    return {};
  },
  async deactivate(call, { userId }) {
    await domain.deactivateUser(call, userId);
    return {};
  },
  async reactivate(call, { userId }) {
    await domain.reactivateUser(call, userId);
    return {};
  },
  regenerateKey: async (call) => ({ api_key: await domain.regenerateOwnKey(call) }),
});
