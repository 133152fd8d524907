import type { StateBlock } from 'markdown-it';
import { indentOf, lineText, MAX_BLOCK_LEVEL } from './quotes.ts';

interface Marker {
  readonly sign: string;
  readonly number: number | null;
  readonly width: number;
}

function markerAt(state: StateBlock, line: number): Marker | undefined {
  const match = /^(?:([*+-])|(\d{1,9})\.)(?:[ \t]+|$)/.exec(lineText(state, line));
  if (!match) return undefined;
  const [{ length: width }, sign, digits] = match;
  return sign === undefined
    ? { sign: '1', number: Number(digits), width }
    : { sign, number: null, width };
}

const isEmptyItem = (state: StateBlock, line: number, marker: Marker): boolean =>
  lineText(state, line).length === marker.width;

/** Too far right for a marker: code, or the continued text of an item above. */
function isTooDeep(state: StateBlock, line: number): boolean {
  const indent = indentOf(state, line);
  const fromList = (state.sCount[line] ?? 0) - state.listIndent;
  return indent >= 4 || (state.listIndent >= 0 && fromList >= 4 && indent < 0);
}

// An item without text starts no list, and a number other than 1 in the middle of a paragraph is
// more likely the end of a sentence.
function startsList(state: StateBlock, line: number, silent: boolean): Marker | undefined {
  if (state.level >= MAX_BLOCK_LEVEL || isTooDeep(state, line)) return undefined;
  const marker = markerAt(state, line);
  const isSibling = silent && indentOf(state, line) < 0;
  if (!marker || isSibling) return marker;
  if (isEmptyItem(state, line, marker)) return undefined;
  return silent && state.parentType === 'paragraph' && (marker.number ?? 1) !== 1
    ? undefined
    : marker;
}

/**
 * Parses one item; answers whether its content holds no blank line.
 *
 * Content belongs to an item from two columns to the right of its marker on, however wide the marker
 * is. The first line is therefore shown to the parser as if it began after the marker, and blanks
 * behind the marker never make it code.
 */
function parseItem(state: StateBlock, line: number, end: number, marker: Marker): boolean {
  const { bMarks, tShift, sCount, bsCount } = state;
  const saved = [bMarks[line], tShift[line], sCount[line], bsCount[line]] as number[];
  const outer = { tight: state.tight, listIndent: state.listIndent, blkIndent: state.blkIndent };
  const [begin = 0, shift = 0, column = 0] = saved;
  state.listIndent = state.blkIndent;
  state.blkIndent = column + 2;
  state.tight = true;
  bMarks[line] = begin + shift + marker.width;
  tShift[line] = 0;
  sCount[line] = bsCount[line] = Math.min(column + marker.width, state.blkIndent + 3);
  state.push('list_item_open', 'li', 1);
  if (state.isEmpty(line) && state.isEmpty(line + 1)) state.line = Math.min(line + 2, end);
  else state.md.block.tokenize(state, line, end);
  state.push('list_item_close', 'li', -1);
  const isTight = state.tight;
  Object.assign(state, outer);
  [bMarks[line], tShift[line], sCount[line], bsCount[line]] = saved as [
    number,
    number,
    number,
    number,
  ];
  return isTight;
}

function nextMarker(state: StateBlock, end: number, sign: string): Marker | undefined {
  const line = state.line;
  const indent = indentOf(state, line);
  if (line >= end || indent < 0 || indent >= 4) return undefined;
  const interrupters = state.md.block.ruler.getRules('list');
  if (interrupters.some((rule) => rule(state, line, end, true))) return undefined;
  const marker = markerAt(state, line);
  return marker?.sign === sign ? marker : undefined;
}

// A paragraph that is all of an item's text is shown without its own element.
function hideParagraphs(state: StateBlock, listStart: number): void {
  const level = state.level + 2;
  state.tokens.slice(listStart).forEach((token, i, tokens) => {
    const close = tokens[i + 2];
    if (token.type !== 'paragraph_open' || token.level !== level || !close) return;
    token.hidden = true;
    close.hidden = true;
  });
}

export function listRule(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const first = startsList(state, start, silent);
  if (!first) return false;
  if (silent) return true;
  const listStart = state.tokens.length;
  const [type, tag] = first.number === null ? ['bullet_list', 'ul'] : ['ordered_list', 'ol'];
  const open = state.push(`${type}_open`, tag, 1);
  if (first.number !== null && first.number !== 1) open.attrs = [['start', first.number]];
  const { parentType } = state;
  state.parentType = 'list';
  let isTight = true;
  let endedBlank = false;
  for (let item: Marker | undefined = first; item; item = nextMarker(state, end, first.sign)) {
    const line = item === first ? start : state.line;
    if (!parseItem(state, line, end, item) || endedBlank) isTight = false;
    endedBlank = state.line - line > 1 && state.isEmpty(state.line - 1);
  }
  state.push(`${type}_close`, tag, -1);
  state.parentType = parentType;
  if (isTight) hideParagraphs(state, listStart);
  return true;
}
