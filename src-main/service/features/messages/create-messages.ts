/** Messages: how they are sent, and what becomes of them afterwards. */
import type { FeatureContext } from '#service/core/feature-context.ts';
import type { HistoryOperations } from '#service/features/reading/operations/message-pages.ts';
import { lifecycleHandlers } from './handlers/message-changes.ts';
import { messageHandlers } from './handlers/messages.ts';
import { reactionHandlers } from './handlers/reactions.ts';
import { reuploadHandlers } from './handlers/reupload.ts';
import { submessageHandlers } from './handlers/submessages.ts';
import { typingHandlers } from './handlers/typing.ts';
import { deleteOperations } from './operations/deletion.ts';
import { editOperations } from './operations/edit-and-move.ts';
import { messageHistoryOperations } from './operations/edit-history.ts';
import { messageOperations } from './operations/messages.ts';
import { reactionOperations } from './operations/reactions.ts';
import { reuploadOperations } from './operations/reupload.ts';
import { submessageOperations } from './operations/submessages.ts';
import { typingOperations } from './operations/typing.ts';

export function createMessages(context: FeatureContext, history: HistoryOperations) {
  const { store, rendering, alerts, isHeard } = context;
  const messages = messageOperations(store, context, rendering, alerts);
  const versions = messageHistoryOperations(store);
  const edits = editOperations(store, context, context);
  const deletions = deleteOperations(store, context);
  return {
    handlers: {
      messages: messageHandlers({ ...messages, ...history }),
      lifecycle: lifecycleHandlers({ ...history, ...versions, ...edits, ...deletions }),
      recovery: reuploadHandlers(reuploadOperations(store, context, context)),
      reactions: reactionHandlers(reactionOperations(store, context)),
      submessages: submessageHandlers(submessageOperations(store, context)),
      typing: typingHandlers(typingOperations(store, isHeard)),
    },
    operations: messages,
  };
}
