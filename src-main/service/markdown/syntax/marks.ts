import MarkdownIt from 'markdown-it';
import type { StateCore, StateInline, Token } from 'markdown-it';

/**
 * Decides where `*`, `**` and `~~` may open and close: anywhere but beside white space on the inside.
 * CommonMark also looks at punctuation, which leaves `**「x」**です` and `**"x"**y` unmarked.
 */
export class MessageInline extends MarkdownIt.StateInline {
  override scanDelims(
    start: number,
    _canSplitWord: boolean,
  ): { can_open: boolean; can_close: boolean; length: number } {
    const marker = this.src.charAt(start);
    let end = start;
    while (end < this.posMax && this.src.charAt(end) === marker) end++;
    const isLiteral = marker === '_';
    return {
      can_open: !isLiteral && end < this.posMax && !/\s/.test(this.src.charAt(end)),
      can_close: !isLiteral && start > 0 && !/\s/.test(this.src.charAt(start - 1)),
      length: end - start,
    };
  }
}

// The characters that mean something in messages. `\_`, `\\` and `\/` stay as typed: they turn up in
// ¯\_(ツ)_/¯, in paths and in quoted JSON.
const ESCAPABLE: ReadonlySet<string> = new Set('#$*+-.:<>@[]`|~');

export function escapeRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5c || state.pos + 1 >= state.posMax) return false;
  const next = state.src.charAt(state.pos + 1);
  if (!ESCAPABLE.has(next)) return false;
  if (!silent) state.push('text_special', '', 0).content = next;
  state.pos += 2;
  return true;
}

/** `***x***` is a strong text with emphasis in it; the parser nests them the other way round. */
export function strongOutsideRule(state: StateCore): void {
  for (const block of state.tokens) {
    if (!block.children?.some((token) => token.type === 'strong_open')) continue;
    const tokens = block.children.filter((token) => token.type !== 'text' || token.content !== '');
    const open: number[] = [];
    tokens.forEach((token, i) => {
      if (token.type === 'em_open') open.push(i);
      if (token.type !== 'em_close') return;
      swapWithInner(tokens, open.pop() ?? 0, i);
    });
    block.children = tokens;
  }
}

function swapWithInner(tokens: Token[], open: number, close: number): void {
  const [innerOpen, innerClose] = [tokens[open + 1], tokens[close - 1]];
  const [outerOpen, outerClose] = [tokens[open], tokens[close]];
  if (innerOpen?.type !== 'strong_open' || innerClose?.type !== 'strong_close') return;
  if (!outerOpen || !outerClose || !isOnePair(tokens.slice(open + 1, close))) return;
  tokens.splice(open, 2, innerOpen, outerOpen);
  tokens.splice(close - 1, 2, outerClose, innerClose);
}

/** Whether the first and the last of the tokens belong together, as in `<b>x</b>` but not `<b>x</b><b>y</b>`. */
function isOnePair(tokens: readonly Token[]): boolean {
  let depth = 0;
  return tokens.every((token, i) => {
    depth += token.type === 'strong_open' ? 1 : token.type === 'strong_close' ? -1 : 0;
    return depth > 0 || i === tokens.length - 1;
  });
}
