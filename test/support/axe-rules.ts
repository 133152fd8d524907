/** Which rules of axe are asked where. */
export const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What another theme can change: the elements are the same. */
export const colourRules = ['color-contrast', 'link-in-text-block'];
/** What another width can change where the elements are the same. */
export const layoutRules = ['color-contrast', 'target-size', 'scrollable-region-focusable'];
