import type { closing } from '../../contract/api/closing.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { ClosingOperations } from '../domain/closing.ts';

export const closingHandlers = (domain: ClosingOperations): Handlers<typeof closing> => ({
  async deactivate() {
    await domain.deactivateRealm();
    return {};
  },
  async reactivate(_call, { username, password }) {
    await domain.reactivateRealm(username, password);
    return {};
  },
});
