import type { closing } from '#shared/api/endpoints/organization/closing.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { ClosingOperations } from '../operations/closing.ts';

export const closingHandlers = (domain: ClosingOperations): Handlers<typeof closing> => ({
  async deactivate(call) {
    await domain.deactivateRealm(call);
    return {};
  },
  async reactivate(call, { username, password }) {
    await domain.reactivateRealm(call, username, password);
    return {};
  },
});
