import type { realm } from '#shared/api/endpoints/organization/settings.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { RealmOperations } from '../operations/settings.ts';

export const realmHandlers = (domain: RealmOperations): Handlers<typeof realm> => ({
  update: (call, params) => domain.updateRealm(call, params),
});
