/** The direction of a text comes from what its writer says, not from the names, links and code that it begins with. */
import { withoutCode } from './writing/fence.ts';

export type Direction = 'ltr' | 'rtl' | 'auto';

/** What has a direction: letters, and the two marks that people set one with. */
const STRONG = /[\p{L}\u200e\u200f]/u;
const RIGHT_TO_LEFT =
  /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Samr}\p{sc=Mand}\p{sc=Adlm}\p{sc=Rohg}\u200f]/u;

/** By the first letter; undefined where there is none. */
function directionOf(text: string): Exclude<Direction, 'auto'> | undefined {
  const first = STRONG.exec(text)?.[0];
  if (first === undefined) return undefined;
  return RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr';
}

/** Mentions, streams, links, emoji and commands, as they are typed. */
const NAMES =
  /@_?\*{1,2}[^*\n]+\*{1,2}|#\*\*[^*\n]+\*\*|\[[^[\]\n]*\]\([^()\s]*\)|\bhttps?:\/\/\S+|:[\w+-]+:|^\/\w+/gm;

/** Of Markdown as it is typed. */
export const sourceDirection = (text: string): Direction =>
  directionOf(withoutCode(text).replaceAll(NAMES, ' ')) ?? directionOf(text) ?? 'auto';

const BLOCKS = 'p, li, ul, ol, blockquote, table, td, th, details, summary';
const NAME_ELEMENTS = 'a, .user-mention, .user-group-mention, time';
const CODE_ELEMENTS = 'code, pre, .katex';
const ANY_NAME = `${NAME_ELEMENTS}, ${CODE_ELEMENTS}, .emoji, .tex-error, .code-head`;

function blockDirection(block: Element): Direction {
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  let ofNames: Direction | undefined;
  while (texts.nextNode() !== null) {
    const { currentNode } = texts;
    const direction = directionOf(currentNode.textContent ?? '');
    if (direction === undefined) continue;
    const name = currentNode.parentElement?.closest(ANY_NAME);
    if (!(name instanceof Element && block.contains(name))) return direction;
    ofNames ??= direction;
  }
  return ofNames ?? 'auto';
}

/** Sets the direction of each block of a message, and of each name in it for itself. */
export function setDirections(message: Element): void {
  for (const block of message.querySelectorAll(BLOCKS))
    block.setAttribute('dir', blockDirection(block));
  for (const name of message.querySelectorAll(NAME_ELEMENTS)) name.setAttribute('dir', 'auto');
  for (const code of message.querySelectorAll(CODE_ELEMENTS)) code.setAttribute('dir', 'ltr');
}
