/** Which of some messages a narrow selects (API decisions 7.1). */
import type { Caller } from '#service/core/ports/handlers.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';
import { createHighlighter, type MatchFields, matchFields } from '#shared/search/highlight.ts';
import { parseQuery } from '#shared/search/query.ts';
import { resolveNarrow } from './narrow.ts';
import type { SearchOperations } from './search.ts';
import { yieldToOthers } from '#service/core/yield-thread.ts';
import type { Store } from '#service/db/port.ts';

/** Between them others get their answers. */
const MARKED_AT_ONCE = 250;

export interface MatchOperations {
  /**
   * Those of the given messages that the caller holds and the narrow selects, by id.
   * @throws BAD_NARROW
   */
  readonly matchMessages: (
    caller: Caller,
    ids: readonly number[],
    terms: readonly NarrowTerm[],
  ) => Promise<Record<string, MatchFields>>;
}

export const matchOperations = (
  store: Store,
  searching: Pick<SearchOperations, 'listFound'>,
): MatchOperations => ({
  async matchMessages(caller, ids, terms) {
    const narrow = await resolveNarrow(store, caller, terms);
    const { search } = narrow;
    const rows = await searching.listFound({ ...narrow, base: 'held' }, search, ids);
    const highlighter = createHighlighter(search?.wanted ?? parseQuery(''));
    const found: Record<string, MatchFields> = {};
    for (const [at, row] of rows.entries()) {
      if (at > 0 && at % MARKED_AT_ONCE === 0) await yieldToOthers();
      found[String(row.id)] = matchFields(row, highlighter);
    }
    return found;
  },
});
