import type { lifecycle } from '../../contract/api/lifecycle.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { DeleteOperations } from '../domain/deletion.ts';
import type { EditOperations } from '../domain/editing.ts';
import type { HistoryOperations } from '../domain/history.ts';
import type { MessageHistoryOperations } from '../domain/message-edits.ts';

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
  async delete({ caller }, { messageId }) {
    await domain.deleteMessage(caller, messageId);
    return {};
  },
  render: async ({ caller }, { content }) => ({
    rendered: await domain.renderContent(caller, content),
  }),
  async deleteTopic({ caller }, { streamId, topicName }) {
    await domain.deleteTopic(caller, streamId, topicName);
    return {};
  },
});
