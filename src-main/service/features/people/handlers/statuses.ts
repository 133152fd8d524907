import type { statuses } from '#shared/api/endpoints/people/statuses.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { StatusOperations } from '../operations/statuses.ts';

export const statusHandlers = (domain: StatusOperations): Handlers<typeof statuses> => ({
  async set({ caller }, change) {
    await domain.setStatus(caller, change);
    return {};
  },
});
