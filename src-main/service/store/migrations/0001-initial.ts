/**
 * The first schema. Times are UNIX seconds. Booleans are 0 or 1. A name that is compared without case stands a
 * second time in a `_key` column, folded by the domain.
 */
export const initial = `
CREATE TABLE realm (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  notifications_stream_id INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE account (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  full_name_key TEXT NOT NULL,
  short_name TEXT NOT NULL,
  role TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  bot_type INTEGER,
  owner_id INTEGER REFERENCES account (id),
  password_hash TEXT,
  key_generation INTEGER NOT NULL DEFAULT 1,
  key_hash TEXT UNIQUE,
  gravatar_hash TEXT NOT NULL,
  avatar_version INTEGER NOT NULL DEFAULT 1,
  timezone TEXT NOT NULL DEFAULT '',
  pointer INTEGER NOT NULL DEFAULT -1,
  default_sending_stream_id INTEGER,
  default_events_register_stream_id INTEGER,
  default_all_public_streams INTEGER NOT NULL DEFAULT 0,
  joined_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_by_name ON account (full_name_key);
CREATE INDEX account_by_owner ON account (owner_id);

-- One number space for streams and private conversations.
CREATE TABLE recipient (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL
) STRICT;

CREATE TABLE stream (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_id INTEGER NOT NULL UNIQUE REFERENCES recipient (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  rendered_description TEXT NOT NULL DEFAULT '',
  is_private INTEGER NOT NULL,
  is_announcement_only INTEGER NOT NULL DEFAULT 0,
  is_history_public INTEGER NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0,
  is_archived INTEGER NOT NULL DEFAULT 0,
  first_message_id INTEGER,
  creator_id INTEGER REFERENCES account (id),
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX stream_by_name ON stream (name_key) WHERE is_archived = 0;

CREATE TABLE conversation (
  recipient_id INTEGER PRIMARY KEY REFERENCES recipient (id),
  participants_key TEXT NOT NULL UNIQUE
) STRICT;

-- Who belonged to a recipient, and for which message ids: from_id is exclusive, until_id inclusive.
CREATE TABLE membership (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_id INTEGER NOT NULL REFERENCES recipient (id),
  account_id INTEGER NOT NULL REFERENCES account (id),
  from_id INTEGER NOT NULL,
  until_id INTEGER
) STRICT;
CREATE INDEX membership_by_account ON membership (account_id, recipient_id, from_id, until_id);
CREATE INDEX membership_by_recipient ON membership (recipient_id, account_id);
CREATE UNIQUE INDEX membership_current ON membership (recipient_id, account_id) WHERE until_id IS NULL;

-- Personal settings of a stream; kept when the subscription ends. A null follows the account's own setting.
CREATE TABLE stream_setting (
  account_id INTEGER NOT NULL REFERENCES account (id),
  stream_id INTEGER NOT NULL REFERENCES stream (id),
  color TEXT NOT NULL,
  is_muted INTEGER NOT NULL DEFAULT 0,
  is_pinned INTEGER NOT NULL DEFAULT 0,
  desktop_notifications INTEGER,
  audible_notifications INTEGER,
  push_notifications INTEGER,
  email_notifications INTEGER,
  PRIMARY KEY (account_id, stream_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE muted_topic (
  account_id INTEGER NOT NULL REFERENCES account (id),
  topic_id INTEGER NOT NULL REFERENCES topic (id),
  PRIMARY KEY (account_id, topic_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE topic (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_id INTEGER NOT NULL REFERENCES recipient (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  UNIQUE (recipient_id, name_key)
) STRICT;

CREATE TABLE client (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- topic_name is null where it is spelled like the topic's own row.
CREATE TABLE message (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_id INTEGER NOT NULL REFERENCES recipient (id),
  topic_id INTEGER REFERENCES topic (id),
  topic_name TEXT,
  sender_id INTEGER NOT NULL REFERENCES account (id),
  client_id INTEGER NOT NULL REFERENCES client (id),
  content TEXT NOT NULL,
  rendered TEXT NOT NULL,
  is_me_message INTEGER NOT NULL,
  has_wildcard_mention INTEGER NOT NULL,
  has_link INTEGER NOT NULL,
  has_image INTEGER NOT NULL,
  has_attachment INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  edited_at INTEGER
) STRICT;
CREATE INDEX message_by_recipient ON message (recipient_id);
CREATE INDEX message_by_topic ON message (topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX message_by_sender ON message (sender_id);

-- Read state (architecture 5): "read through id" marks; 0 stands for "any".
CREATE TABLE read_mark (
  account_id INTEGER NOT NULL REFERENCES account (id),
  recipient_id INTEGER NOT NULL,
  topic_id INTEGER NOT NULL,
  through_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, recipient_id, topic_id)
) STRICT, WITHOUT ROWID;

-- Messages marked one by one, against what the marks say.
CREATE TABLE read_exception (
  account_id INTEGER NOT NULL REFERENCES account (id),
  message_id INTEGER NOT NULL REFERENCES message (id),
  is_read INTEGER NOT NULL,
  PRIMARY KEY (account_id, message_id)
) STRICT, WITHOUT ROWID;

-- The other flags: rows exist only where one is set.
CREATE TABLE message_flag (
  account_id INTEGER NOT NULL REFERENCES account (id),
  message_id INTEGER NOT NULL REFERENCES message (id),
  flag TEXT NOT NULL,
  PRIMARY KEY (account_id, message_id, flag)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_flag_by_flag ON message_flag (account_id, flag, message_id);
CREATE INDEX message_flag_by_message ON message_flag (message_id, flag);

-- The log. Ids come from event_counter, which is reserved in blocks and never goes back.
CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  audience TEXT NOT NULL,
  payload TEXT NOT NULL
) STRICT;

CREATE TABLE event_counter (
  reserved_through INTEGER NOT NULL
) STRICT;
INSERT INTO event_counter (reserved_through) VALUES (0);

CREATE TABLE queue (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  options TEXT NOT NULL,
  registered_id INTEGER NOT NULL,
  acknowledged_id INTEGER NOT NULL,
  lifespan_seconds INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
