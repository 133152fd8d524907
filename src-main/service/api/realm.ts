import type { realm } from '../../contract/api/realm.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { RealmOperations } from '../domain/realm.ts';

export const realmHandlers = (domain: RealmOperations): Handlers<typeof realm> => ({
  update: ({ caller }, params) => domain.updateRealm(caller, params),
});
