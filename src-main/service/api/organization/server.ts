import type { server } from '../../../contract/api/organization/server.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { EpochOperations } from '../../domain/organization/epochs.ts';
import type { OrganizationOperations } from '../../domain/organization/organization.ts';

export const serverHandlers = (
  domain: OrganizationOperations & EpochOperations,
): Handlers<typeof server> => ({
  settings: (call) => domain.getServerSettings(call),
  meetEpoch: (call, shown) => domain.meetEpoch(call, shown),
  createOrganization: (call, params) => domain.createOrganization(call, params),
});
