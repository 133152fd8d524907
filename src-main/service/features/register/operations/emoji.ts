/** Custom emoji in the initial state (API decisions 9.3). */
import { realmEmojiShape } from '#service/core/rules/emoji.ts';
import { part } from './section.ts';

export const emojiPart = part(['emoji'], (_request, { emoji }) => ({
  realm_emoji: realmEmojiShape(emoji),
}));
