import type { users } from '#shared/api/endpoints/people/users.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { UserOperations } from '../operations/users.ts';

export const userHandlers = (domain: UserOperations): Handlers<typeof users> => ({
  me: ({ caller }) => domain.getProfile(caller),
  list: async (_call, { clientGravatar, includeCustomProfileFields }) => ({
    members: [
      ...(await domain.listMembers({ clientGravatar, includeProfile: includeCustomProfileFields })),
    ],
  }),
  create: async (call, params) => ({ user_id: await domain.createUser(call, params) }),
  fetchApiKey: (call, { username, password }) => domain.fetchApiKey(call, username, password),
  devFetchApiKey: (call, { username }) => domain.fetchDevelopmentApiKey(call, username),
});
