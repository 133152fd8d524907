/** The tables of a cache. What is in them can be fetched again: a version with other tables is thrown away, never migrated. */
import { INDEX_FORM } from '#shared/search/index-tokens.ts';
import { FLAG } from './message-codec.ts';

export const SCHEMA_VERSION = 4;
/** The version before, whose builds put other words into the index and do not say so. */
export const SAME_TABLES_VERSION = 3;

/** The index is made of what the other tables have: where its form is another one it is made anew, and nothing is fetched again. */
export const INDEX_SCHEMA = `
DROP TABLE IF EXISTS search_index;
DROP TABLE IF EXISTS search_word;
DROP TABLE IF EXISTS search_state;
CREATE VIRTUAL TABLE search_index USING fts5(
  tokens, content='', contentless_delete=1, tokenize='ascii'
);
-- Every word that the index has ever held, folded: what a prefix is looked up in.
CREATE TABLE search_word (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
-- Messages up to this one are not in the index.
CREATE TABLE search_state (form INTEGER NOT NULL, unindexed_through INTEGER NOT NULL) STRICT;
INSERT INTO search_state SELECT ${String(INDEX_FORM)}, COALESCE(MAX(id), 0) FROM message;
`;

/**
 * `message` has what narrows ask for, in rows so short that going through all of them is quick; `body` has the rest.
 * Names that many messages repeat stand in tables of their own, so that a change of one is one row.
 */
export const SCHEMA = `
CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  -- One of the two.
  stream_id INTEGER,
  conversation_id INTEGER,
  topic_id INTEGER,
  sender_id INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  is_held INTEGER NOT NULL,
  has INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  -- About what it takes on the disk, with its share of the index.
  bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX message_by_stream ON message (stream_id);
CREATE INDEX message_by_conversation ON message (conversation_id, id, sender_id)
  WHERE conversation_id IS NOT NULL;
CREATE INDEX message_by_topic ON message (topic_id, id, sender_id, is_held);
CREATE INDEX message_by_sender ON message (sender_id);
CREATE INDEX message_unread ON message (id) WHERE (flags & ${String(FLAG.read)}) = 0;
CREATE INDEX message_starred ON message (id) WHERE (flags & ${String(FLAG.starred)}) <> 0;
CREATE INDEX message_mentioning ON message (id)
  WHERE (flags & ${String(FLAG.mentioned | FLAG.wildcard_mentioned)}) <> 0;
CREATE INDEX message_alerting ON message (id) WHERE (flags & ${String(FLAG.has_alert_word)}) <> 0;

-- Between which ids the messages of an hour since 1970 lie, at the widest that it ever was.
CREATE TABLE hour (
  hour INTEGER PRIMARY KEY,
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL
) STRICT;
CREATE TABLE body (
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL,
  content TEXT NOT NULL,
  source TEXT,
  rest TEXT NOT NULL
) STRICT;

CREATE TABLE topic (
  id INTEGER PRIMARY KEY,
  stream_id INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  UNIQUE (name_key, stream_id)
) STRICT;
CREATE INDEX topic_by_stream ON topic (stream_id);
CREATE TABLE stream (
  id INTEGER PRIMARY KEY,
  recipient_id INTEGER NOT NULL,
  name TEXT NOT NULL
) STRICT;
-- The participants, ascending, joined by commas.
CREATE TABLE conversation (
  id INTEGER PRIMARY KEY,
  user_key TEXT NOT NULL UNIQUE,
  users INTEGER NOT NULL
) STRICT;
CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL,
  full_name TEXT NOT NULL,
  short_name TEXT NOT NULL,
  avatar_url TEXT
) STRICT;

-- For which ids a place is here completely, as JSON.
CREATE TABLE coverage (place TEXT PRIMARY KEY, intervals TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- Messages that have to be fetched one by one.
CREATE TABLE stale (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE slice (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE file (
  url TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  bytes BLOB NOT NULL,
  size INTEGER NOT NULL,
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX file_by_use ON file (used, url, size);

-- Moved on with every write, so that asking costs nothing.
CREATE TABLE total (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  messages INTEGER NOT NULL,
  message_bytes INTEGER NOT NULL,
  file_bytes INTEGER NOT NULL
) STRICT;
INSERT INTO total VALUES (1, 0, 0, 0);
`;
