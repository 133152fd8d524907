import type { realmIcon } from '../../../contract/api/organization/realm-icon.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { RealmIconOperations } from '../../domain/organization/realm-icon.ts';

export const realmIconHandlers = (
  domain: Pick<RealmIconOperations, 'removeIcon' | 'setIcon'>,
): Handlers<typeof realmIcon> => ({
  set: async (call) => ({ icon_url: await domain.setIcon(call, call.files) }),
  remove: async (call) => ({ icon_url: await domain.removeIcon(call) }),
});
