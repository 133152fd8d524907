import { plain, spellingsOf } from './transliterations.ts';

export { plain };

const isWordStart = (text: string, at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));

/** Letters of the query in order, each as early as possible; those that start words or follow each other count more. */
function scoreFrom(query: string, text: string, start: number): number | null {
  let score = 0;
  let last = -1;
  let from = start;
  for (const letter of query) {
    const at = text.indexOf(letter, from);
    if (at === -1) return null;
    if (isWordStart(text, at)) score += 6;
    if (last !== -1 && at === last + 1) score += 5;
    if (last !== -1) score -= Math.min(at - last - 1, 4);
    last = at;
    from = at + 1;
  }
  return score;
}

/**
 * How well a text answers what was typed: higher is better, null is not at all. Case, accents and blanks in the
 * query do not matter; an empty query accepts everything alike.
 */
export const fuzzyScore = (query: string, text: string): number | null =>
  scoreOf(lettersOf(query), text);

const lettersOf = (query: string): string => plain(query).replaceAll(/\s+/g, '');

function scoreOf(wanted: string, text: string): number | null {
  if (wanted === '') return 0;
  const scores = spellingsOf(text).flatMap((given) => scoreIn(wanted, given) ?? []);
  return scores.length === 0 ? null : Math.max(...scores);
}

function scoreIn(wanted: string, given: string): number | null {
  let best: number | null = null;
  for (let at = given.indexOf(wanted.charAt(0)); at !== -1;) {
    const score = scoreFrom(wanted, given, at);
    if (score === null) break;
    best = best === null ? score : Math.max(best, score);
    at = given.indexOf(wanted.charAt(0), at + 1);
  }
  return best === null ? null : best - given.length / 100;
}

/** At most `limit` of the items that answer the query, best first; however many are gone through, no more are remembered. */
export function bestMatches<T>(
  query: string,
  items: Iterable<T>,
  limit: number,
  textOf: (item: T) => string,
): readonly T[] {
  const wanted = lettersOf(query);
  let best: { readonly item: T; readonly score: number }[] = [];
  let least = -Infinity;
  const cut = (): void => {
    best = best.sort((a, b) => b.score - a.score).slice(0, limit);
    least = best.length < limit ? -Infinity : (best.at(-1)?.score ?? -Infinity);
  };
  for (const item of items) {
    const score = scoreOf(wanted, textOf(item));
    if (score === null || score <= least) continue;
    best.push({ item, score });
    if (best.length >= 2 * limit) cut();
  }
  cut();
  return best.map(({ item }) => item);
}

/** The items that answer the query, best first; equals keep their order. */
export const fuzzyFilter = <T>(
  query: string,
  items: readonly T[],
  textOf: (item: T) => string,
): readonly T[] => (lettersOf(query) === '' ? items : bestMatches(query, items, Infinity, textOf));
