import type { realm } from '../../../contract/api/organization/realm.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { RealmOperations } from '../../domain/organization/realm.ts';

export const realmHandlers = (domain: RealmOperations): Handlers<typeof realm> => ({
  update: (call, params) => domain.updateRealm(call, params),
});
