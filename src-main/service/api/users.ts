import type { users } from '../../contract/api/users.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { UserOperations } from '../domain/users.ts';

export const userHandlers = (domain: UserOperations): Handlers<typeof users> => ({
  me: ({ caller }) => domain.getProfile(caller),
  list: async (_call, { clientGravatar, includeCustomProfileFields }) => ({
    members: [
      ...(await domain.listMembers({ clientGravatar, includeProfile: includeCustomProfileFields })),
    ],
  }),
  create: async (_call, params) => ({ user_id: await domain.createUser(params) }),
  fetchApiKey: (_call, { username, password }) => domain.fetchApiKey(username, password),
  devFetchApiKey: (_call, { username }) => domain.fetchDevelopmentApiKey(username),
});
