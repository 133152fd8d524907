import type { compatibility } from '#shared/api/endpoints/organization/compatibility.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { UserOperations } from '#service/features/people/operations/users.ts';

const accepted = () => Promise.resolve({});

export const compatibilityHandlers = (
  domain: Pick<UserOperations, 'listDevelopmentUsers'>,
): Handlers<typeof compatibility> => ({
  async listDevelopmentUsers({ origin }) {
    const people = await domain.listDevelopmentUsers();
    const shapeOf = (isAdmin: boolean) =>
      people
        .filter((person) => person.isAdmin === isAdmin)
        .map(({ email }) => ({ email, realm_uri: origin }));
    return { direct_admins: shapeOf(true), direct_users: shapeOf(false) };
  },
  setTutorialStatus: accepted,
  addAppleToken: accepted,
  removeAppleToken: accepted,
  addAndroidToken: accepted,
  removeAndroidToken: accepted,
});
