/**
 * What the complete service keeps beside messages and memberships. Settings are JSON objects that hold only what
 * differs from the defaults.
 */
export const complete = `
ALTER TABLE realm ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE account ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';

-- One row for each change of a message; what did not change is null.
CREATE TABLE message_edit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES message (id),
  editor_id INTEGER NOT NULL REFERENCES account (id),
  edited_at INTEGER NOT NULL,
  prev_content TEXT,
  prev_rendered TEXT,
  prev_topic TEXT,
  prev_stream_id INTEGER,
  -- 0 for messages that moved along with the one that the request named.
  is_named INTEGER NOT NULL
) STRICT;
CREATE INDEX message_edit_by_message ON message_edit (message_id);

CREATE TABLE reaction (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES message (id),
  account_id INTEGER NOT NULL REFERENCES account (id),
  reaction_type TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  emoji_name TEXT NOT NULL,
  UNIQUE (message_id, reaction_type, emoji_code, account_id)
) STRICT;

CREATE TABLE alert_word (
  account_id INTEGER NOT NULL REFERENCES account (id),
  word_key TEXT NOT NULL,
  word TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (account_id, word_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE linkifier (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pattern TEXT NOT NULL UNIQUE,
  url_format TEXT NOT NULL
) STRICT;

-- Custom emoji; a deactivated one keeps its row, because reactions and messages show it.
CREATE TABLE emoji (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  author_id INTEGER NOT NULL REFERENCES account (id),
  file_name TEXT NOT NULL,
  is_deactivated INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX emoji_by_name ON emoji (name) WHERE is_deactivated = 0;

-- path is what follows /user_uploads/ in its address.
CREATE TABLE attachment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  owner_id INTEGER NOT NULL REFERENCES account (id),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attachment_by_owner ON attachment (owner_id);

-- Which messages link to an uploaded file: whoever may see one of them may see the file.
CREATE TABLE attachment_message (
  attachment_id INTEGER NOT NULL REFERENCES attachment (id),
  message_id INTEGER NOT NULL REFERENCES message (id),
  PRIMARY KEY (attachment_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachment_message_by_message ON attachment_message (message_id);

CREATE TABLE presence (
  account_id INTEGER NOT NULL REFERENCES account (id),
  client TEXT NOT NULL,
  status TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, client)
) STRICT, WITHOUT ROWID;

-- Where an outgoing webhook bot is delivered to.
CREATE TABLE bot_service (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  payload_url TEXT NOT NULL,
  interface INTEGER NOT NULL,
  token TEXT NOT NULL
) STRICT;

-- What an outgoing webhook bot still has to be told: survives a restart.
CREATE TABLE bot_delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  message_id INTEGER NOT NULL,
  trigger_name TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE bot_storage (
  account_id INTEGER NOT NULL REFERENCES account (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_status (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  is_away INTEGER NOT NULL,
  status_text TEXT NOT NULL
) STRICT;

-- Messages that the search index does not yet hold as they are now, beside those above search_progress.
CREATE TABLE search_pending (
  message_id INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE search_progress (
  indexed_through INTEGER NOT NULL
) STRICT;
INSERT INTO search_progress (indexed_through) VALUES (0);
`;
