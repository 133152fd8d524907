import { SvelteSet } from 'svelte/reactivity';

/** Longer than this is folded: some two screens. */
const MANY_CHARACTERS = 5000;
const MANY_LINES = 60;

const blocks = /<(?:br|p|li|tr|h[1-6])\b/g;
const code = /<pre\b/;
const tags = /<[^<>]*>/g;

const linesOf = (behindPre: string): number =>
  (behindPre.split('</pre>', 1)[0] ?? '').split('\n').length;

/**
 * By the text alone, so that a row has its height before it is drawn. What a search has found is never folded away.
 * @param html  of a message
 */
export function isLong(html: string): boolean {
  if (html.length < MANY_LINES || html.includes('class="highlight"')) return false;
  if (html.length > MANY_CHARACTERS && html.replaceAll(tags, '').length > MANY_CHARACTERS) {
    return true;
  }
  const inCode = html
    .split(code)
    .slice(1)
    .reduce((sum, each) => sum + linesOf(each), 0);
  return (html.match(blocks)?.length ?? 0) + inCode > MANY_LINES;
}

/** Which long messages are shown as a whole. */
export class Folding {
  readonly #open = new SvelteSet<number>();

  isOpen(messageId: number): boolean {
    return this.#open.has(messageId);
  }

  toggle(messageId: number): void {
    if (!this.#open.delete(messageId)) this.#open.add(messageId);
  }
}
