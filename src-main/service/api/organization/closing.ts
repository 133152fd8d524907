import type { closing } from '../../../contract/api/organization/closing.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { ClosingOperations } from '../../domain/organization/closing.ts';

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
