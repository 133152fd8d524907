import type { server } from '../../../contract/api/organization/server.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { EpochOperations } from '../../domain/organization/epochs.ts';
import type { OrganizationOperations } from '../../domain/organization/organization.ts';

export const serverHandlers = (
  domain: OrganizationOperations & EpochOperations,
  addresses: () => readonly string[],
): Handlers<typeof server> => ({
  settings: (call) => domain.getServerSettings(call),
  meetEpoch: (call, shown) => domain.meetEpoch(call, shown),
  addresses: async () => ({ addresses: [...addresses()] }),
  createOrganization: (call, params) => domain.createOrganization(call, params),
});
