import type { server } from '#shared/api/endpoints/organization/server.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { RestoreGenerationOperations } from '../operations/restore-generations.ts';
import type { OrganizationOperations } from '../operations/organization.ts';

/** What is known of the key that is to come after the office's own; undefined while it has none. */
export type FindNextIdentityKey = () => Promise<
  { readonly pin: string; readonly office_key: string; readonly signature: string } | undefined
>;

export const serverHandlers = (
  domain: OrganizationOperations & RestoreGenerationOperations,
  addresses: () => readonly string[],
  findNextIdentityKey: FindNextIdentityKey,
): Handlers<typeof server> => ({
  settings: async (call) => {
    const successorKey = await findNextIdentityKey();
    const settings = await domain.getServerSettings(call);
    return successorKey === undefined ? settings : { ...settings, successor_key: successorKey };
  },
  meetEpoch: (call, shown) => domain.noteRestoreGeneration(call, shown),
  addresses: async () => ({ addresses: [...addresses()] }),
  createOrganization: (call, params) => domain.createOrganization(call, params),
});
