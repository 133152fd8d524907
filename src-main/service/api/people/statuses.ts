import type { statuses } from '../../../contract/api/people/statuses.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { StatusOperations } from '../../domain/people/statuses.ts';

export const statusHandlers = (domain: StatusOperations): Handlers<typeof statuses> => ({
  async set({ caller }, change) {
    await domain.setStatus(caller, change);
    return {};
  },
});
