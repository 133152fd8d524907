import type { server } from '../../contract/api/server.ts';
import { badRequest } from '../../contract/errors.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { OrganizationOperations } from '../domain/organization.ts';

export const serverHandlers = (domain: OrganizationOperations): Handlers<typeof server> => ({
  settings: ({ origin }) => domain.getServerSettings(origin),
  async createOrganization({ isLocal }, params) {
    // Whoever comes first owns the organization, so it has to be somebody at this machine.
    if (!isLocal) {
      throw badRequest(
        'An organization can only be created from the computer that the service runs on',
      );
    }
    return domain.createOrganization(params);
  },
});
