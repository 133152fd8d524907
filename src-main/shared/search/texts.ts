/** What of a message is searched. */
import { type Folded, foldText } from './fold.ts';
import { isWordAt } from './words.ts';

const MARKDOWN = /[*~`]+/g;

/** The same text where Markdown between letters is left out: `**会**議` is read as one word; null where there is none. */
function joined({ plain, lower }: Folded): Folded | null {
  const pieces: (readonly [number, number])[] = [];
  let from = 0;
  for (const { 0: marks, index } of plain.matchAll(MARKDOWN)) {
    const end = index + marks.length;
    if (index === 0 || !isWordAt(plain, index - 1) || !isWordAt(plain, end)) continue;
    pieces.push([from, index]);
    from = end;
  }
  if (from === 0) return null;
  pieces.push([from, plain.length]);
  const cutOf = (text: string): string =>
    pieces.map(([start, end]) => text.slice(start, end)).join('');
  return { plain: cutOf(plain), lower: cutOf(lower) };
}

/**
 * Calls with the texts of a message, one after the other, until one of them answers true. What is sought is always in one of them.
 */
export type SomeText = (isSought: (text: Folded) => boolean) => boolean;

/** @param topic  null for a private message */
export function textsOf(topic: string | null, content: string): SomeText {
  const text = foldText(content);
  const title = topic === null ? null : foldText(topic);
  let other: Folded | null | undefined;
  return (isSought) => {
    if (isSought(text) || (title !== null && isSought(title))) return true;
    if (other === undefined) other = joined(text);
    return other !== null && isSought(other);
  };
}
