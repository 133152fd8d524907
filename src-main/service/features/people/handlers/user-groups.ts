import type { userGroups } from '#shared/api/endpoints/people/user-groups.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { UserGroupOperations } from '../operations/user-groups.ts';

export function userGroupHandlers(domain: UserGroupOperations): Handlers<typeof userGroups> {
  const create: Handlers<typeof userGroups>['create'] = async (call, params) => {
    await domain.createGroup(call, params);
    return {};
  };
  return {
    list: async () => ({
      user_groups: (await domain.listGroups()).map((group) => ({
        ...group,
        members: [...group.members],
      })),
    }),
    create,
    post: create,
    async update(call, params) {
      await domain.changeGroup(call, params);
      return {};
    },
    async remove(call, { userGroupId }) {
      await domain.removeGroup(call, userGroupId);
      return {};
    },
    async changeMembers(call, params) {
      await domain.changeMembers(call, params);
      return {};
    },
  };
}
