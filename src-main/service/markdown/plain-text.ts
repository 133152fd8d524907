/** Most of what people write has no markup, or strong words at most: it needs no parser. */
import { lazy } from '#shared/text/lazy.ts';

/** Means nothing wherever it stands. The one letter that is an emoji becomes one. */
const INERT = String.raw`[[\p{L}--\p{Emoji}]\p{N}'"\(\),!?;\-]`;
/** A full stop in the middle of a word could make an address of it. */
const WORD = String.raw`${INERT}+\.*`;
const STRONG = String.raw`\*\*${WORD}(?: +${WORD})*\*\*`;
const ITEM = `(?:${WORD}|${STRONG})`;
/** One line that begins with a letter: a list, a heading and the like begin otherwise. */
const plainLine = lazy(
  () => new RegExp(String.raw`^(?=\*\*\p{L}|\p{L})${ITEM}(?: +${ITEM})*$`, 'v'),
);
const ANY_STRONG = /\*\*([^*]+)\*\*/g;

/**
 * The HTML of a text that means nothing but itself and strong words, the same as the parser would make of it where no
 * pattern of an organization applies; undefined for any other text.
 * @param source  a normalized source
 */
export function renderPlainText(source: string): string | undefined {
  if (!plainLine().test(source)) return undefined;
  return `<p>${source.includes('*') ? source.replaceAll(ANY_STRONG, '<strong>$1</strong>') : source}</p>`;
}
