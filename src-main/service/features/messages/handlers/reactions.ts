import type { reactions } from '#shared/api/endpoints/messages/reactions.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { ReactionOperations } from '../operations/reactions.ts';

export const reactionHandlers = (domain: ReactionOperations): Handlers<typeof reactions> => ({
  async add({ caller }, { messageId, emojiName, emojiCode, reactionType }) {
    await domain.addReaction(caller, messageId, {
      name: emojiName,
      code: emojiCode,
      type: reactionType,
    });
    return {};
  },
  async remove({ caller }, { messageId, emojiName, emojiCode, reactionType }) {
    await domain.removeReaction(caller, messageId, {
      name: emojiName === '' ? undefined : emojiName,
      code: emojiCode,
      type: reactionType,
    });
    return {};
  },
});
