import type { emoji } from '#shared/api/endpoints/organization/emoji.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { EmojiOperations } from '../operations/emoji.ts';

export const emojiHandlers = (domain: EmojiOperations): Handlers<typeof emoji> => ({
  list: async () => ({ emoji: await domain.listEmoji() }),
  async add(call, { name }) {
    await domain.addEmoji(call, name, call.files);
    return {};
  },
  async deactivate(call, { name }) {
    await domain.deactivateEmoji(call, name);
    return {};
  },
});
