import type { readState } from '#shared/api/endpoints/reading/read-state.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import { checkOp } from '#service/core/rules/ops.ts';
import type { ReadStateOperations } from '../operations/read-state.ts';

export const readStateHandlers = (domain: ReadStateOperations): Handlers<typeof readState> => ({
  async markAllAsRead({ caller }) {
    await domain.markAllAsRead(caller);
    return {};
  },
  async markStreamAsRead({ caller }, { streamId }) {
    await domain.markStreamAsRead(caller, streamId);
    return {};
  },
  async markTopicAsRead({ caller }, { streamId, topicName }) {
    await domain.markTopicAsRead(caller, streamId, topicName);
    return {};
  },
  async changeFlags({ caller }, { messages, op: wanted, flag }) {
    const op = checkOp(wanted, ['add', 'remove']);
    await domain.changeFlags(caller, { messageIds: messages, op, flag });
    return { messages: [...messages] };
  },
});
