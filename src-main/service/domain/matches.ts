/** Which of some messages a narrow selects (API decisions, section 7.1). */
import type { Caller } from '../../contract/handlers.ts';
import type { NarrowTerm } from '../../contract/narrow.ts';
import { createHighlighter, type MatchFields, matchFields } from '../../search/highlight.ts';
import { parseQuery } from '../../search/query.ts';
import { type NarrowStore, resolveNarrow } from './narrow.ts';
import type { SearchOperations } from './search.ts';

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
  store: NarrowStore,
  searching: Pick<SearchOperations, 'listFound'>,
): MatchOperations => ({
  async matchMessages(caller, ids, terms) {
    const narrow = await resolveNarrow(store, caller, terms);
    const { search } = narrow;
    const rows = await searching.listFound({ ...narrow, base: 'held' }, search, ids);
    const highlighter = createHighlighter(search?.wanted ?? parseQuery(''));
    return Object.fromEntries(rows.map((row) => [String(row.id), matchFields(row, highlighter)]));
  },
});
