/**
 * How much one narrow may ask for. Every word is looked up in the index, and every hit is held against all of them:
 * without a limit one request could keep everybody else waiting.
 */
import { type Search, searchOf, type SearchQuery } from './query.ts';

const MAX_PARTS = 32;
const MAX_PHRASE_WORDS = 64;
const MAX_KIBIBYTES = 16;

/** More alternatives than this make an index slower than reading on. */
export const INDEX_ALTERNATIVES = 500;

const encoder = new TextEncoder();

const partsOf = ({ words, prefixes, phrases, literals }: SearchQuery): readonly string[] => [
  ...words,
  ...prefixes.map((prefix) => `${prefix}*`),
  ...phrases.map(({ text }) => `"${text}"`),
  ...literals.map((literal) => `"${literal}"`),
];

function faultOf({ wanted, unwanted }: Search): string | null {
  const queries = [wanted, ...unwanted];
  const longest = Math.max(
    0,
    ...queries.flatMap(({ phrases }) => phrases.map(({ tokens }) => tokens.length)),
  );
  if (longest > MAX_PHRASE_WORDS) {
    return `A quoted part of a search may have at most ${MAX_PHRASE_WORDS} words. This one has ${longest}.`;
  }
  const { size } = new Set(queries.flatMap(partsOf));
  if (size <= MAX_PARTS) return null;
  return `A search may have at most ${MAX_PARTS} different words and quoted parts. This one has ${size}.`;
}

/**
 * Why a narrow asks for too much, as a sentence; null where it does not.
 * @param operands  of all terms
 * @param sought    those of its `search` terms; null where there are none
 */
export function narrowFault(
  operands: readonly unknown[],
  sought: { readonly wanted: readonly string[]; readonly unwanted: readonly string[] } | null,
): string | null {
  // Decided by its length alone, before anything is cut into words.
  if (encoder.encode(operands.join(' ')).length > MAX_KIBIBYTES * 1024) {
    return `A search may be at most ${MAX_KIBIBYTES} KiB long with its filters.`;
  }
  return sought === null ? null : faultOf(searchOf(sought.wanted, sought.unwanted));
}
