/** Which rules of axe are asked where, and of what. */
export const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What another theme can change: the elements are the same. */
export const colourRules = ['color-contrast', 'link-in-text-block'];
/** What another width can change where the elements are the same. */
export const layoutRules = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

/**
 * What there is to look at. A modal dialog covers what was looked at before it opened; without one, the bars beside the
 * conversation are left out that were held against the same rules before, word for word. Runs in the page, by itself.
 * @param held  what was looked at so far; what is looked at now is added
 * @param how  what else a verdict depends on: rules, theme, width
 */
export function unseenParts(
  held: Set<string>,
  how: string,
): { readonly include: Element[]; readonly exclude: Element[] } {
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
  if (dialog !== undefined) return { include: [dialog], exclude: [] };
  const bars = [...document.querySelectorAll('nav[data-region], aside')];
  const keyOf = ({ outerHTML }: Element): string => `${how} ${outerHTML}`;
  const exclude = bars.filter((bar) => held.has(keyOf(bar)));
  for (const bar of bars) held.add(keyOf(bar));
  return { include: [document.documentElement], exclude };
}
