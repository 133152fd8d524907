/** The organization, its people, streams and bots, and the log of events. */
export const organizationTables = `
CREATE TABLE realm (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  notifications_stream_id INTEGER,
  created_at INTEGER NOT NULL,
  settings TEXT NOT NULL DEFAULT '{}',
  is_deactivated INTEGER NOT NULL DEFAULT 0,
  -- The later epoch, as JSON, under which an office goes on elsewhere: here it is closed for good.
  succeeded_by TEXT,
  -- The number with which an organization that was restored is opened; null for one that is open.
  opens_with TEXT
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
  joined_at INTEGER NOT NULL,
  settings TEXT NOT NULL DEFAULT '{}',
  -- An uploaded picture, below /user_avatars/1/; null for the gravatar.
  avatar_file TEXT,
  -- Whether the password is the one that somebody else made the account with.
  is_password_given INTEGER NOT NULL DEFAULT 0,
  -- No generation up to it may come again, because the key of one is always the same.
  key_floor INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX account_by_name ON account (full_name_key);
CREATE INDEX account_by_owner ON account (owner_id);

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
  created_at INTEGER NOT NULL,
  archived_at INTEGER,
  -- The stream came back to others than those who were in it: what was said before stays closed.
  is_history_sealed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX stream_by_name ON stream (name_key) WHERE is_archived = 0;

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
CREATE INDEX muted_topic_by_topic ON muted_topic (topic_id, account_id);

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
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Who owned the bot when it came.
  owner_id INTEGER
) STRICT;
CREATE INDEX bot_delivery_by_message ON bot_delivery (message_id);

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
  stream_ids TEXT,
  -- Until when it is good, and how many may come by it: null for the one who was invited.
  expires_at INTEGER NOT NULL DEFAULT 0,
  max_uses INTEGER,
  uses INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX invitation_by_time ON invitation (sent_at);

-- Messages of each stream by day (UNIX days), for the weekly count.
CREATE TABLE stream_traffic (
  day INTEGER NOT NULL,
  recipient_id INTEGER NOT NULL REFERENCES recipient (id),
  messages INTEGER NOT NULL,
  PRIMARY KEY (day, recipient_id)
) STRICT, WITHOUT ROWID;

-- A key for each device that signs in, beside the one that every account has.
CREATE TABLE device (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  name TEXT NOT NULL,
  client TEXT NOT NULL,
  key_generation INTEGER NOT NULL DEFAULT 1,
  key_hash TEXT UNIQUE,
  signed_in_at INTEGER NOT NULL,
  key_floor INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX device_by_account ON device (account_id);

-- The last day on which a key was used, and from where it was first used on that day; device 0 is the account's one key.
CREATE TABLE key_use (
  account_id INTEGER NOT NULL REFERENCES account (id),
  device_id INTEGER NOT NULL,
  used_on INTEGER NOT NULL,
  address TEXT NOT NULL,
  PRIMARY KEY (account_id, device_id)
) STRICT, WITHOUT ROWID;

-- Links with which people choose a new password: at most one for each, the newest.
CREATE TABLE password_link (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  token_hash TEXT NOT NULL,
  -- The administrator who made it; null where it was made on the computer of the service.
  maker_id INTEGER REFERENCES account (id),
  made_at INTEGER NOT NULL
) STRICT;

-- Who did what, when and from where (API decisions 15.9).
CREATE TABLE audit_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor_id INTEGER,
  address TEXT NOT NULL,
  client TEXT NOT NULL,
  user_id INTEGER,
  stream_id INTEGER,
  count INTEGER NOT NULL DEFAULT 1,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX audit_entry_by_time ON audit_entry (at);
CREATE INDEX audit_entry_by_type ON audit_entry (type, at);
CREATE INDEX audit_entry_by_actor ON audit_entry (actor_id);
CREATE INDEX audit_entry_by_user ON audit_entry (user_id);
-- What was written stays as it was: only the count of a flood goes up.
CREATE TRIGGER audit_entry_stays
BEFORE UPDATE OF id, type, at, actor_id, address, client, user_id, stream_id, details ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'an entry of the audit log stays as it is');
END;

-- Which restores an organization has behind it.
CREATE TABLE epoch (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  parent TEXT NOT NULL,
  signature TEXT,
  made_at INTEGER NOT NULL,
  backed_up_at INTEGER NOT NULL
) STRICT;

-- What a bot shares with the service that delivers to it, to verify what comes (API decisions 12.1).
CREATE TABLE bot_secret (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  secret TEXT NOT NULL
) STRICT;

-- What was delivered to bots, or by them, for their owners (API decisions 15.12): an entry and its content apart, so
-- that a list reads no bodies.
CREATE TABLE kept_delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  direction TEXT NOT NULL,
  at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  integration TEXT NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  message_ids TEXT NOT NULL,
  again_of INTEGER,
  bot_delivery_id INTEGER UNIQUE,
  -- Who owned the bot when it came.
  owner_id INTEGER
) STRICT;
CREATE INDEX kept_delivery_by_account ON kept_delivery (account_id, id);
CREATE INDEX kept_delivery_by_time ON kept_delivery (at);

CREATE TABLE kept_delivery_content (
  delivery_id INTEGER PRIMARY KEY REFERENCES kept_delivery (id),
  content TEXT NOT NULL,
  body TEXT NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX kept_delivery_unredacted ON kept_delivery_content (delivery_id) WHERE is_redacted = 0;

-- For which service a bot was set up.
CREATE TABLE bot_hook (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  integration TEXT,
  stream TEXT NOT NULL,
  topic TEXT NOT NULL,
  only_events TEXT NOT NULL,
  is_paused INTEGER NOT NULL
) STRICT;

-- The newest message that stream_traffic has counted. Those behind it are counted when somebody asks.
CREATE TABLE traffic_counted (
  through_id INTEGER NOT NULL
) STRICT;
INSERT INTO traffic_counted (through_id) VALUES (0);

-- What the last restore knew of what may be missing: read before the organization is opened again.
CREATE TABLE restore_report (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  backed_up_at INTEGER NOT NULL,
  standing_at INTEGER,
  lost_files INTEGER NOT NULL
) STRICT;

-- Who has asked to join. Of the secret by which they hear what became of it only a hash is kept.
CREATE TABLE join_request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  secret_hash TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  full_name TEXT NOT NULL,
  about TEXT NOT NULL,
  address TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'declined')),
  invitation_id INTEGER REFERENCES invitation (id)
) STRICT;
CREATE INDEX join_request_open ON join_request (email_key, id) WHERE status = 'open';
`;
