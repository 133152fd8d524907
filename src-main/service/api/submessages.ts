import type { submessages } from '../../contract/api/submessages.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { SubmessageOperations } from '../domain/submessages.ts';

export const submessageHandlers = (domain: SubmessageOperations): Handlers<typeof submessages> => ({
  async add({ caller }, params) {
    await domain.addSubmessage(caller, params);
    return {};
  },
});
