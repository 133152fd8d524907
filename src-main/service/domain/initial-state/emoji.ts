/** Custom emoji in the initial state (API decisions 9.3). */
import { realmEmojiShape } from '../rules/emoji.ts';
import { part } from './part.ts';

export const emojiPart = part(['emoji'], (_request, { emoji }) => ({
  realm_emoji: realmEmojiShape(emoji),
}));
