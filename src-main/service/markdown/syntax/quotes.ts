import type { StateBlock } from 'markdown-it';
import { afterFence, type Fence, fenceOf, isContainer, isSpoiler } from '#shared/text/fences.ts';

type BlockRule = (state: StateBlock, start: number, end: number, silent: boolean) => boolean;

/** Deeper quotes and lists stay text; the parser's own limit would drop their content. */
export const MAX_BLOCK_LEVEL = 30;

const startOf = (state: StateBlock, line: number): number =>
  (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);

/** Columns from the indentation that the enclosing blocks ask for; negative when outdented. */
export const indentOf = (state: StateBlock, line: number): number =>
  (state.sCount[line] ?? 0) - state.blkIndent;

const isMarkerIndent = (indent: number): boolean => indent >= 0 && indent < 4;

export const lineText = (state: StateBlock, line: number): string =>
  state.src.slice(startOf(state, line), state.eMarks[line]);

/**
 * Lines that start with `>`. Only those: a reply typed right under a quote is not part of it, or the
 * mentions in it would be silenced with the quoted ones.
 */
export const quoteLines =
  (parseQuote: BlockRule): BlockRule =>
  (state, start, end, silent) => {
    if (state.level >= MAX_BLOCK_LEVEL) return false;
    let last = start;
    while (last < end && isMarkerIndent(indentOf(state, last))) {
      if (state.src.charCodeAt(startOf(state, last)) !== 0x3e) break;
      last++;
    }
    if (last === start) return false;
    const lineMax = state.lineMax;
    if (!silent) state.lineMax = last;
    const ok = parseQuote(state, start, last, silent);
    state.lineMax = lineMax;
    return ok;
  };

const fenceAt = (state: StateBlock, line: number): Fence | undefined =>
  isMarkerIndent(indentOf(state, line)) ? fenceOf(lineText(state, line)) : undefined;

/** The line that closes the quote or spoiler, past the fences opened inside it, or `end` when nothing does. */
function closingLine(state: StateBlock, container: Fence, start: number, end: number): number {
  let open: readonly Fence[] = [container];
  for (let line = start + 1; line < end; line++) {
    if (indentOf(state, line) < 0 && !state.isEmpty(line)) return line;
    const fence = fenceAt(state, line);
    if (fence !== undefined) open = afterFence(open, fence);
    if (open.length === 0) return line;
  }
  return end;
}

function pushSpoilerTitle(state: StateBlock, title: string, line: number): void {
  if (title === '') return;
  state.push('paragraph_open', 'p', 1);
  const text = state.push('inline', '', 0);
  text.content = title;
  text.map = [line, line + 1];
  text.children = [];
  state.push('paragraph_close', 'p', -1);
}

function pushOpening(state: StateBlock, fence: Fence, line: number): void {
  if (!isSpoiler(fence)) {
    state.push('blockquote_open', 'blockquote', 1);
    return;
  }
  state.push('spoiler_open', 'div', 1);
  pushSpoilerTitle(state, fence.info.slice('spoiler'.length).trim(), line);
  state.push('spoiler_content', 'div', 0);
}

/** A fence with the word `quote` or `spoiler`; its content is parsed like the rest of a message. */
export const containerFence: BlockRule = (state, start, end, silent) => {
  if (state.level >= MAX_BLOCK_LEVEL) return false;
  const open = fenceAt(state, start);
  if (!open || !isContainer(open)) return false;
  if (silent) return true;
  const close = closingLine(state, open, start, end);
  const isClosed = close < end && indentOf(state, close) >= 0;
  const { parentType, lineMax } = state;
  state.parentType = 'blockquote';
  state.lineMax = close;
  pushOpening(state, open, start);
  state.md.block.tokenize(state, start + 1, close);
  if (isSpoiler(open)) state.push('spoiler_close', 'div', -1);
  else state.push('blockquote_close', 'blockquote', -1);
  state.parentType = parentType;
  state.lineMax = lineMax;
  state.line = isClosed ? close + 1 : close;
  return true;
};
