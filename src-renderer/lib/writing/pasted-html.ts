/** HTML as the clipboard has it. */

function withoutSheets(html: string): string {
  const [head = '', ...sheets] = html.split(/<style\b/i);
  const behind = (sheet: string): string =>
    sheet
      .split(/<\/style>/i)
      .slice(1)
      .join('');
  return head + sheets.map(behind).join('');
}

/**
 * Styles stand in an attribute of another name: the rules of the page forbid those of others, so that nothing could be
 * read from them, and each of them would be a warning.
 */
export const parse = (html: string): Document =>
  new DOMParser().parseFromString(
    withoutSheets(html).replaceAll(/<[^<>]*>/g, (tag) => tag.replace(/\sstyle=/i, ' data-style=')),
    'text/html',
  );

/** The first of the properties that is set, in lower case; empty where none is. */
function styleOf(element: Element, ...names: readonly string[]): string {
  const declarations = (element.getAttribute('data-style') ?? '').toLowerCase().split(';');
  const [, value = ''] =
    declarations
      .map((each) => each.split(':', 2).map((part) => part.trim()))
      .find(([name = '']) => names.includes(name)) ?? [];
  return value;
}

/** Google's documents stand in a `<b>` that is not bold. */
export const isPlain = (element: Element): boolean =>
  element.matches('b, strong') && /^(?:normal|400)$/.test(styleOf(element, 'font-weight'));

const hasOwnForm = 'pre, code, h1, h2, h3, h4, h5, h6, a, b, strong, em, i, del, s';

/** How editors mark what is bold, without a tag for it; null for what is as it always is. */
export function markOf(span: Element): 'strong' | 'em' | 'del' | null {
  const isInside = span.closest(hasOwnForm);
  if (span.textContent.trim() === '' || (isInside !== null && !isPlain(isInside))) return null;
  if (/^(?:bold|[6-9]00)$/.test(styleOf(span, 'font-weight'))) return 'strong';
  if (styleOf(span, 'font-style') === 'italic') return 'em';
  return styleOf(span, 'text-decoration', 'text-decoration-line').includes('line-through')
    ? 'del'
    : null;
}
