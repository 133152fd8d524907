/** The rules of axe, held against the page that runs the test. */
import axe from 'axe-core';
import { allRules, colourRules, layoutRules, unseenParts } from '../axe-rules.ts';

export interface Look {
  readonly theme: 'light' | 'dark';
  /** The window's, in CSS pixels. */
  readonly width: number;
  readonly rules: readonly string[];
}

/** @param wide, narrow  widths with elements of their own; others only have room to lose */
export const looksAt = (wide: number, between: number, narrow: number): readonly Look[] => [
  { theme: 'light', width: wide, rules: allRules },
  { theme: 'dark', width: wide, rules: colourRules },
  { theme: 'light', width: between, rules: layoutRules },
  { theme: 'light', width: narrow, rules: allRules },
];

/** What moves comes to its end: a colour on its way to another one is nobody's choice. */
async function settle(): Promise<void> {
  // What is placed beside something else needs one frame to follow it.
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations()) {
    const end = animation.effect?.getComputedTiming().endTime;
    if (end === Infinity) animation.cancel();
    else animation.finish();
  }
}

/** What scrolls in a message is reached by Tab once the message is chosen, like everything in it. */
const isReachedLater = ({ target }: axe.NodeResult): boolean =>
  Boolean(document.querySelector(String(target[0]))?.closest('[data-message-id][tabindex="-1"]'));

/** The bar that moves the border between two landmarks belongs to neither of them. */
const isExcused = (rule: string, node: axe.NodeResult): boolean =>
  (rule === 'region' && node.html.includes('role="separator"')) ||
  (rule === 'scrollable-region-focusable' && isReachedLater(node));

const held = new Set<string>();

/** Each violation in one line that says where it is, and that the window is wider than it was made. */
export async function complaints({ theme, width, rules }: Look): Promise<readonly string[]> {
  await settle();
  const where = `${String(width)} px, ${theme}`;
  const { violations } = await axe.run(unseenParts(held, `${where} ${rules.join()}`), {
    runOnly: [...rules],
    resultTypes: ['violations'],
  });
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter((node) => !isExcused(id, node))
      .map((node) => `${where}: ${id}: ${help}: ${node.html} ${node.failureSummary ?? ''}`),
  );
  const isWide = document.documentElement.scrollWidth > width;
  return isWide ? [...found, `${where}: scrolls sideways`] : found;
}
