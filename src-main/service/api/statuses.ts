import type { statuses } from '../../contract/api/statuses.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { StatusOperations } from '../domain/statuses.ts';

export const statusHandlers = (domain: StatusOperations): Handlers<typeof statuses> => ({
  async set({ caller }, change) {
    await domain.setStatus(caller, change);
    return {};
  },
});
