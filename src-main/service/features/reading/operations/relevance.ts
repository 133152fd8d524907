/** The newest hits of a search, the best of them first. */
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import { byRelevance, createScorer, RANKED_HITS } from '#shared/search/rank.ts';
import type { Page, PersonalMessageRow } from '#service/db/port.ts';
import { type Pages, walkPage } from './page-walk.ts';
import type { SearchOperations, SearchPage, SearchPlace } from './search.ts';

/** Hits that are read and scored in one go: so many never hold the thread for long. */
const AT_ONCE = 250;

export interface RankedHits {
  /** The best first. */
  readonly rows: readonly PersonalMessageRow[];
  /** There are older hits, which were not looked at. */
  readonly hasOlder: Page['hasOlder'];
  readonly indexedFrom: SearchPage['indexedFrom'];
}

interface ScoredHit {
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
  let indexedFrom: SearchPage['indexedFrom'] = null;
  const pages: Pages = {
    async read(anchor, counts) {
      const page = await searching.page(place, anchor, counts);
      indexedFrom = page.indexedFrom;
      return page;
    },
    piece: AT_ONCE,
  };
  const score = (row: PersonalMessageRow): ScoredHit => ({
    id: row.id,
    score: scoreOf(row.topic, row.content),
    row,
  });
  const newest = { before: RANKED_HITS, after: 0 };
  const { pieces, hasOlder } = await walkPage(
    pages,
    (rows) => Promise.resolve(rows.map(score)),
    NEWEST_ANCHOR,
    newest,
  );
  return {
    rows: pieces
      .flat()
      .sort(byRelevance)
      .map(({ row }) => row),
    hasOlder,
    indexedFrom,
  };
}
