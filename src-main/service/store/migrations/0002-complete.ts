/**
 * What the complete service keeps beside messages and memberships. Settings are JSON objects that hold only what
 * differs from the defaults.
 */
/**
 * The full-text index of SQLite: tokens that are cut elsewhere, without the text itself. Its segments are merged in
 * small steps between other work, never inside of a commit.
 */
const sqliteSearch = `
CREATE VIRTUAL TABLE search_index USING fts5(
  tokens, content='', contentless_delete=1, tokenize='ascii'
);
INSERT INTO search_index (search_index, rank) VALUES ('automerge', 0);
INSERT INTO search_index (search_index, rank) VALUES ('crisismerge', 1000);
`;

export const complete = `
ALTER TABLE realm ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE realm ADD COLUMN is_deactivated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
-- An uploaded picture, below /user_avatars/1/; null for the gravatar.
ALTER TABLE account ADD COLUMN avatar_file TEXT;

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

-- Streams that a deactivated account was subscribed to; reactivating it subscribes it again.
CREATE TABLE suspended_subscription (
  account_id INTEGER NOT NULL REFERENCES account (id),
  recipient_id INTEGER NOT NULL REFERENCES recipient (id),
  PRIMARY KEY (account_id, recipient_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_status (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  is_away INTEGER NOT NULL,
  status_text TEXT NOT NULL
) STRICT;

CREATE TABLE user_group (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL
) STRICT;
CREATE TABLE user_group_member (
  group_id INTEGER NOT NULL REFERENCES user_group (id),
  account_id INTEGER NOT NULL REFERENCES account (id),
  PRIMARY KEY (group_id, account_id)
) STRICT, WITHOUT ROWID;

-- What the organization asks its people about themselves.
CREATE TABLE profile_field (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  type INTEGER NOT NULL,
  hint TEXT NOT NULL,
  -- JSON of the choices; empty for other types.
  field_data TEXT NOT NULL,
  position INTEGER NOT NULL
) STRICT;
-- rendered is the HTML of a long text, else null.
CREATE TABLE profile_value (
  account_id INTEGER NOT NULL REFERENCES account (id),
  field_id INTEGER NOT NULL REFERENCES profile_field (id),
  value TEXT NOT NULL,
  rendered TEXT,
  PRIMARY KEY (account_id, field_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX profile_value_by_field ON profile_value (field_id);

CREATE TABLE submessage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES message (id),
  sender_id INTEGER NOT NULL REFERENCES account (id),
  msg_type TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX submessage_by_message ON submessage (message_id);

-- Rows stay, because they count for the day's limit. The token of the link is derived and never stored.
CREATE TABLE invitation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  role TEXT NOT NULL,
  inviter_id INTEGER NOT NULL REFERENCES account (id),
  sent_at INTEGER NOT NULL,
  -- pending, accepted or revoked
  status TEXT NOT NULL,
  -- JSON list of the streams to subscribe to; null for the default ones.
  stream_ids TEXT
) STRICT;
CREATE INDEX invitation_by_time ON invitation (sent_at);

-- Local ids that name one message for good. Rows outlive their messages, whose ids never come again, and go by age.
CREATE TABLE sent_local_id (
  message_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  local_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  UNIQUE (account_id, local_id)
) STRICT;

-- Messages that the search index does not yet hold as they are now, beside those above search_progress.
CREATE TABLE search_pending (
  message_id INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE search_progress (
  indexed_through INTEGER NOT NULL
) STRICT;
INSERT INTO search_progress (indexed_through) VALUES (0);
-- Every word that the index has ever held, folded: what a prefix is looked up in.
CREATE TABLE search_word (
  word TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Read state: unread messages below the marks, and whatever belongs to one message or to one place.
CREATE INDEX read_exception_unread ON read_exception (account_id, message_id) WHERE is_read = 0;
CREATE INDEX read_exception_by_message ON read_exception (message_id);
CREATE INDEX read_mark_by_place ON read_mark (recipient_id, topic_id);
CREATE INDEX message_by_wildcard ON message (id) WHERE has_wildcard_mention = 1;

-- Messages of each stream by day (UNIX days), for the weekly count.
CREATE TABLE stream_traffic (
  day INTEGER NOT NULL,
  recipient_id INTEGER NOT NULL REFERENCES recipient (id),
  messages INTEGER NOT NULL,
  PRIMARY KEY (day, recipient_id)
) STRICT, WITHOUT ROWID;
INSERT INTO stream_traffic (day, recipient_id, messages)
  SELECT sent_at / 86400, recipient_id, COUNT(*) FROM message WHERE topic_id IS NOT NULL
  GROUP BY sent_at / 86400, recipient_id;
${sqliteSearch}`;
