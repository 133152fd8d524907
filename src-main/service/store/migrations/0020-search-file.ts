/**
 * The full-text index has a file of its own (`sqlite/search-file.ts`), which another thread writes. What has changed since a
 * message was indexed is counted, so that what that thread has not seen yet goes on waiting.
 */
export const searchFile = `
DROP TABLE search_index;
DROP TABLE search_word;
DROP TABLE search_progress;
DROP TABLE search_pending;
-- Messages that the search index may not hold as they are now, beside those that it has not come to.
CREATE TABLE search_pending (
  message_id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL DEFAULT 1
) STRICT;
-- Names the search index that belongs to this database: another one with each start.
CREATE TABLE search_key (
  key TEXT NOT NULL
) STRICT;
INSERT INTO search_key (key) VALUES ('');
`;
