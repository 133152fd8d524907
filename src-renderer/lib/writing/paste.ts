/** What is pasted as formatted text. */
import { isPlain, markOf, parse } from './pasted-html.ts';

const formatted =
  'a[href], b, strong, i, em, code, pre, ul, ol, table, blockquote, del, s, h1, h2, h3, h4, h5, h6, .user-mention, .user-group-mention';

/** What is longer makes no message, and Turndown takes time in proportion to its square. */
const MAX_HTML = 200_000;

/** Whether the clipboard holds more than its plain text says: editors of code mark their colours as HTML too. */
export function isFormatted(data: Pick<DataTransfer, 'types' | 'getData'>): boolean {
  if (data.types.includes('vscode-editor-data')) return false;
  const html = data.getData('text/html');
  if (html.length > MAX_HTML) return false;
  if (html === '' || data.getData('text/plain') === '') return html !== '';
  const page = parse(html);
  return (
    [...page.querySelectorAll(formatted)].some((element) => !isPlain(element)) ||
    [...page.querySelectorAll('span')].some((span) => markOf(span) !== null)
  );
}

const isAddress = /^(?:https?|mailto):\S+$/;

/** The address that a text is, to make what is selected a link to it; null where it is none. */
export const addressOf = (text: string): string | null =>
  isAddress.test(text.trim()) ? text.trim() : null;

/** As Markdown. What makes it is loaded when it is wanted. */
export const markdownOf = async (html: string): Promise<string> =>
  (await import('./paste-markdown.ts')).markdownOf(html);
