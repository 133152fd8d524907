import type { emoji } from '../../contract/api/emoji.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { EmojiOperations } from '../domain/emoji.ts';

export const emojiHandlers = (domain: EmojiOperations): Handlers<typeof emoji> => ({
  list: async () => ({ emoji: await domain.listEmoji() }),
  async add({ caller, files }, { name }) {
    await domain.addEmoji(caller, name, files);
    return {};
  },
  async deactivate({ caller }, { name }) {
    await domain.deactivateEmoji(caller, name);
    return {};
  },
});
