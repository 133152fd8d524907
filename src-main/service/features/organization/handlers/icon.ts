import type { realmIcon } from '#shared/api/endpoints/organization/icon.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { RealmIconOperations } from '../operations/icon.ts';

export const realmIconHandlers = (
  domain: Pick<RealmIconOperations, 'removeIcon' | 'setIcon'>,
): Handlers<typeof realmIcon> => ({
  set: async (call) => ({ icon_url: await domain.setIcon(call, call.files) }),
  remove: async (call) => ({ icon_url: await domain.removeIcon(call) }),
});
