import type { submessages } from '#shared/api/endpoints/messages/submessages.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { SubmessageOperations } from '../operations/submessages.ts';

export const submessageHandlers = (domain: SubmessageOperations): Handlers<typeof submessages> => ({
  async add({ caller }, params) {
    await domain.addSubmessage(caller, params);
    return {};
  },
});
