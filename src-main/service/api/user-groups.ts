import type { userGroups } from '../../contract/api/user-groups.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { UserGroupOperations } from '../domain/user-groups.ts';

export function userGroupHandlers(domain: UserGroupOperations): Handlers<typeof userGroups> {
  const create: Handlers<typeof userGroups>['create'] = async ({ caller }, params) => {
    await domain.createGroup(caller, params);
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
    async update({ caller }, params) {
      await domain.changeGroup(caller, params);
      return {};
    },
    async remove({ caller }, { userGroupId }) {
      await domain.removeGroup(caller, userGroupId);
      return {};
    },
    async changeMembers({ caller }, params) {
      await domain.changeMembers(caller, params);
      return {};
    },
  };
}
