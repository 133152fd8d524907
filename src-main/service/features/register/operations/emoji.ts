/** Custom emoji in the initial state (API decisions 9.3). */
import { realmEmojiShape } from '#service/core/rules/emoji.ts';
import { part } from './section.ts';

const emojiPart = part(['emoji'], (_request, { emoji }) => ({
  realm_emoji: realmEmojiShape(emoji),
}));

/** By the type of the events that go on from it. */
export const emojiParts = {
  realm_emoji: emojiPart,
};
