import type { submessages } from '../../../contract/api/messages/submessages.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { SubmessageOperations } from '../../domain/messages/submessages.ts';

export const submessageHandlers = (domain: SubmessageOperations): Handlers<typeof submessages> => ({
  async add({ caller }, params) {
    await domain.addSubmessage(caller, params);
    return {};
  },
});
