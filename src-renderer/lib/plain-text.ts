/** What a message says as plain text, line by line, as one would write it into an e-mail. */
import { messageNodes, withoutControls } from './sanitize.ts';

const blocks = 'p, pre, ul, ol, li, blockquote, table, thead, tbody, tr, details, summary, div, hr';
/** What belongs together stands without an empty line. */
const tight = 'li, thead, tbody, tr, summary';

/** The text of a whole message. */
export const plainTextOf = (html: string): string => plainText(messageNodes(html));

/** @param nodes  of a message as it is shown, or a part of it; they are changed */
export function plainText(nodes: DocumentFragment): string {
  withoutControls(nodes);
  return linesOf(nodes)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function linesOf(parent: Node): string {
  let text = '';
  for (const node of parent.childNodes) {
    if (!(node instanceof Element)) {
      const piece = (node.textContent ?? '').replaceAll(/\s+/g, ' ');
      text += text === '' || text.endsWith('\n') ? piece.trimStart() : piece;
    } else if (node.matches('br')) text = `${text.trimEnd()}\n`;
    else if (node.matches('td, th'))
      text = [text.trim(), linesOf(node).trim()].join(text.trim() === '' ? '' : '\t');
    else if (node.matches(blocks)) text = joined(text, node);
    else text += linesOf(node);
  }
  return text;
}

function joined(before: string, block: Element): string {
  const text = blockText(block);
  if (before.trim() === '') return text;
  if (text === '') return before;
  const gap = block.matches(tight) || block.closest('li') !== null ? '\n' : '\n\n';
  return `${before.trimEnd()}${gap}${text}`;
}

function blockText(block: Element): string {
  if (block.matches('pre')) return block.textContent.replace(/\n$/, '');
  if (block.matches('hr')) return '---';
  const text = linesOf(block).trim();
  if (block.matches('blockquote')) return text.replaceAll(/^/gm, '> ');
  if (block.matches('li')) return `${markOf(block)}${text.replaceAll('\n', '\n  ')}`;
  return text;
}

function markOf(item: Element): string {
  const list = item.parentElement;
  if (!(list instanceof HTMLOListElement)) return '- ';
  return `${String(list.start + [...list.children].indexOf(item))}. `;
}
