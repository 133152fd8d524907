/** The newest hits of a search, the best of them first. */
import { NEWEST_ANCHOR } from '../../../contract/codecs.ts';
import { byRelevance, createScorer, RANKED_HITS } from '../../../search/rank.ts';
import type { Page, PersonalMessageRow } from '../../store/port.ts';
import type { SearchOperations, SearchPlace } from './search.ts';
import { turn } from './turn.ts';

/** Hits that are read and scored in one go: so many never hold the thread for long. */
const AT_ONCE = 250;

export interface RankedHits {
  /** The best first. */
  readonly rows: readonly PersonalMessageRow[];
  /** There are older hits, which were not looked at. */
  readonly hasOlder: Page['hasOlder'];
}

interface Scored {
  readonly id: number;
  readonly score: number;
  readonly row: PersonalMessageRow;
}

/** @param wanted  operands of `search` that are not negated */
export async function rankHits(
  searching: Pick<SearchOperations, 'page'>,
  place: SearchPlace,
  wanted: readonly string[],
): Promise<RankedHits> {
  const scoreOf = createScorer(wanted);
  const scored: Scored[] = [];
  let anchor = NEWEST_ANCHOR;
  let hasOlder = true;
  while (hasOlder && scored.length < RANKED_HITS) {
    const before = Math.min(AT_ONCE, RANKED_HITS - scored.length);
    const page = await searching.page(place, anchor, { before, after: 0 });
    // The anchor is a hit itself, and was in the page before.
    const rows = page.rows.filter(({ id }) => id < anchor);
    for (const row of rows) {
      scored.push({ id: row.id, score: scoreOf(row.topic, row.content), row });
    }
    anchor = rows[0]?.id ?? 0;
    ({ hasOlder } = page);
    await turn();
  }
  return { rows: scored.sort(byRelevance).map(({ row }) => row), hasOlder };
}
