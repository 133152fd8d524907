/**
 * About how many pages the full-text index of SQLite has of the tokens from `:token` to `:end`. It has the first term of each of its
 * pages: between the page on which one begins and that on which a later one does is what it has of them. The pages of all segments,
 * each of which the loop skips to.
 */
export const INDEX_PAGES = `WITH RECURSIVE
  segment (id) AS (SELECT MIN(segid) FROM search_index_idx
    UNION ALL SELECT (SELECT MIN(i.segid) FROM search_index_idx i WHERE i.segid > s.id)
      FROM segment s WHERE s.id IS NOT NULL)
  SELECT COALESCE(SUM(
    COALESCE((SELECT i.pgno >> 1 FROM search_index_idx i
      WHERE i.segid = s.id AND i.term > CAST('0' || :end AS BLOB) ORDER BY i.term LIMIT 1),
      (SELECT MAX(i.pgno >> 1) + 1 FROM search_index_idx i WHERE i.segid = s.id))
    - (SELECT i.pgno >> 1 FROM search_index_idx i
      WHERE i.segid = s.id AND i.term <= CAST('0' || :token AS BLOB) ORDER BY i.term DESC LIMIT 1)
  ), 0) AS pages FROM segment s WHERE s.id IS NOT NULL`;

/**
 * A beginning of which the index has more pages is not asked for: it goes through all of them for each page of hits, and so many
 * messages have it that reading finds some soon.
 */
export const MAX_BEGINNING_PAGES = 12;

/** The last of the tokens that begin with one. */
export const endOf = (beginning: string): string => `${beginning}\u{10ffff}`;
