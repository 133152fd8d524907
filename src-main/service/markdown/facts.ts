import type { Token } from 'markdown-it';
import type { MessageMarks } from '#shared/api/models/message-marks.ts';
import { mentionOf } from './syntax/mentions.ts';
import { hrefOf, uploadPathOf } from './syntax/previews.ts';

/** What the service must know of a message beside its HTML. */
export interface MessageFacts extends Omit<MessageMarks, 'is_me_message'> {
  /** Accounts mentioned by name or in a group, outside quotes; ascending. */
  readonly mentionedUserIds: readonly number[];
  /** What follows /user_uploads/ in the addresses of links, decoded, once each. */
  readonly uploadPaths: readonly string[];
}

/** Quoted people are shown, not told: what they are mentioned in was said before. */
export function silenceQuotes(blocks: readonly Token[]): void {
  let depth = 0;
  for (const block of blocks) {
    if (block.type === 'blockquote_open') depth++;
    if (block.type === 'blockquote_close') depth--;
    if (depth === 0) continue;
    for (const token of block.children ?? []) {
      const mention = mentionOf(token);
      if (mention) mention.isSilent = true;
    }
  }
}

export function collectFacts(blocks: readonly Token[]): MessageFacts {
  const inline = blocks.flatMap((block) => block.children ?? []);
  const loud = inline.flatMap((token) => mentionOf(token) ?? []).filter((m) => !m.isSilent);
  const ids = new Set(loud.flatMap((mention) => mention.memberIds));
  const links = inline.filter((token) => token.type === 'link_open');
  const uploadPaths = new Set(links.flatMap((link) => uploadPathOf(hrefOf(link)) ?? []));
  return {
    mentionedUserIds: [...ids].sort((a, b) => a - b),
    has_wildcard_mention: loud.some(({ target }) => 'userId' in target && target.userId === '*'),
    has_link: links.length > 0,
    // Below the text one is shown.
    has_image: blocks.some((block) => block.type === 'previews'),
    has_attachment: uploadPaths.size > 0,
    uploadPaths: [...uploadPaths],
  };
}
