import type { lifecycle } from '#shared/api/endpoints/messages/message-changes.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { DeleteOperations } from '../operations/deletion.ts';
import type { EditOperations } from '../operations/edit-and-move.ts';
import type { HistoryOperations } from '#service/features/reading/operations/message-pages.ts';
import type { MessageHistoryOperations } from '../operations/edit-history.ts';

type Operations = DeleteOperations &
  EditOperations &
  MessageHistoryOperations &
  Pick<HistoryOperations, 'getMessage'>;

export const lifecycleHandlers = (domain: Operations): Handlers<typeof lifecycle> => ({
  get: ({ caller }, { messageId, ...options }) =>
    domain.getMessage(caller, messageId, { ...options, clientGravatar: false }),
  history: async ({ caller }, { messageId }) => ({
    message_history: await domain.getMessageHistory(caller, messageId),
  }),
  async edit({ caller }, params) {
    await domain.editMessage(caller, params);
    return {};
  },
  async delete(call, { messageId }) {
    await domain.deleteMessage(call, messageId);
    return {};
  },
  async deleteTopic(call, { streamId, topicName }) {
    await domain.deleteTopic(call, streamId, topicName);
    return {};
  },
});
