/** Messages: where they stand, what became of them, and who has read them. */
export const messageTables = `
-- One number space for streams and private conversations.
CREATE TABLE recipient (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL
) STRICT;

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
  until_id INTEGER,
  is_archived INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX membership_by_account ON membership (account_id, recipient_id, from_id, until_id);
CREATE INDEX membership_by_recipient ON membership (recipient_id, account_id);
CREATE UNIQUE INDEX membership_current ON membership (recipient_id, account_id) WHERE until_id IS NULL;
CREATE INDEX membership_archived ON membership (account_id, recipient_id) WHERE is_archived = 1;

CREATE TABLE topic (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient_id INTEGER NOT NULL REFERENCES recipient (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  UNIQUE (recipient_id, name_key)
) STRICT;
CREATE INDEX topic_by_name ON topic (name_key);

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
  edited_at INTEGER,
  -- The id of the last change in message_edit; of a message that came back, what that was before the restore.
  edit_number INTEGER NOT NULL DEFAULT 0,
  recovered_at INTEGER
) STRICT;
CREATE INDEX message_by_topic ON message (topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX message_by_sender ON message (sender_id);
CREATE INDEX message_by_wildcard ON message (id) WHERE has_wildcard_mention = 1;
-- What is unread in a stream or conversation is read from the index alone, without the texts.
CREATE INDEX message_by_recipient ON message (recipient_id, id, topic_id, sender_id);
-- Narrows by a mark are found by an index; the columns after the id spare a look at the message.
CREATE INDEX message_by_link ON message (id, recipient_id, topic_id, sender_id) WHERE has_link = 1;
CREATE INDEX message_by_image ON message (id, recipient_id, topic_id, sender_id) WHERE has_image = 1;
CREATE INDEX message_by_attachment ON message (id, recipient_id, topic_id, sender_id)
  WHERE has_attachment = 1;

-- A membership begins behind the newest message that there ever was: behind those, too, that were deleted before it.
CREATE VIEW newest_message AS
  SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0) AS id;

-- Messages from this id to the one before the next row were sent in this hour since 1970.
CREATE TABLE message_hour (
  first_id INTEGER PRIMARY KEY,
  hour INTEGER NOT NULL
) STRICT;

-- Local ids that name one message for good. Rows outlive their messages, whose ids never come again, and go by age.
CREATE TABLE sent_local_id (
  message_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  local_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  UNIQUE (account_id, local_id)
) STRICT;

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
  is_named INTEGER NOT NULL,
  prev_topic_id INTEGER,
  -- What the previous content was: 1 begins with "/me", 2 mentions all, 4 has links, 8 images, 16 attachments.
  prev_marks INTEGER
) STRICT;
CREATE INDEX message_edit_by_message ON message_edit (message_id);
-- Texts of before a change that link to files: they are looked through before a file is deleted with its message.
CREATE INDEX message_edit_with_file ON message_edit (id)
  WHERE prev_content IS NOT NULL AND (prev_marks IS NULL OR prev_marks & 16);

-- Messages that changed since: the account is shown them as they were after this edit, 0 standing for the
-- original. Where it is null they came there later, and are not held by who was there when they were sent.
CREATE TABLE kept_version (
  account_id INTEGER NOT NULL REFERENCES account (id),
  message_id INTEGER NOT NULL REFERENCES message (id),
  edit_id INTEGER,
  PRIMARY KEY (account_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_version_by_message ON kept_version (message_id);

-- Accounts that hold messages of a stream and may no longer read what becomes of them.
CREATE TABLE lost_access (
  account_id INTEGER NOT NULL REFERENCES account (id),
  recipient_id INTEGER NOT NULL REFERENCES recipient (id),
  -- The name that the stream had then; null while it is called as it was.
  stream_name TEXT,
  PRIMARY KEY (account_id, recipient_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lost_access_by_recipient ON lost_access (recipient_id);

-- Versions of the message before this change (edit_number) are neither shown nor taken back.
CREATE TABLE superseded_text (
  message_id INTEGER PRIMARY KEY,
  edit_number INTEGER NOT NULL
) STRICT;

-- Messages that somebody deleted: they are not taken back from members after a restore.
CREATE TABLE deleted_message (message_id INTEGER PRIMARY KEY) STRICT;

CREATE TABLE reaction (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES message (id),
  account_id INTEGER NOT NULL REFERENCES account (id),
  reaction_type TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  emoji_name TEXT NOT NULL,
  UNIQUE (message_id, reaction_type, emoji_code, account_id)
) STRICT;

CREATE TABLE submessage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES message (id),
  sender_id INTEGER NOT NULL REFERENCES account (id),
  msg_type TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX submessage_by_message ON submessage (message_id);

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
CREATE INDEX attachment_by_owner ON attachment (owner_id, size_bytes);

-- Files that come in pieces: path becomes that of an attachment. A finished one stays for a day, for whoever lost the answer.
CREATE TABLE unfinished_upload (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  received_bytes INTEGER NOT NULL DEFAULT 0,
  owner_id INTEGER NOT NULL REFERENCES account (id),
  moved_at INTEGER NOT NULL,
  is_finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX unfinished_upload_by_owner ON unfinished_upload (owner_id, size_bytes)
  WHERE is_finished = 0;
CREATE INDEX unfinished_upload_by_age ON unfinished_upload (moved_at);

-- Which messages link to an uploaded file: whoever may see one of them may see the file.
CREATE TABLE attachment_message (
  attachment_id INTEGER NOT NULL REFERENCES attachment (id),
  message_id INTEGER NOT NULL REFERENCES message (id),
  PRIMARY KEY (attachment_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachment_message_by_message ON attachment_message (message_id);

-- "Read through id" marks; 0 stands for "any".
CREATE TABLE read_mark (
  account_id INTEGER NOT NULL REFERENCES account (id),
  recipient_id INTEGER NOT NULL,
  topic_id INTEGER NOT NULL,
  through_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, recipient_id, topic_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX read_mark_by_place ON read_mark (recipient_id, topic_id);

-- Messages marked one by one, against what the marks say.
CREATE TABLE read_exception (
  account_id INTEGER NOT NULL REFERENCES account (id),
  message_id INTEGER NOT NULL REFERENCES message (id),
  is_read INTEGER NOT NULL,
  PRIMARY KEY (account_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX read_exception_unread ON read_exception (account_id, message_id) WHERE is_read = 0;
CREATE INDEX read_exception_by_message ON read_exception (message_id);

-- The other flags: rows exist only where one is set.
CREATE TABLE message_flag (
  account_id INTEGER NOT NULL REFERENCES account (id),
  message_id INTEGER NOT NULL REFERENCES message (id),
  flag TEXT NOT NULL,
  PRIMARY KEY (account_id, message_id, flag)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_flag_by_flag ON message_flag (account_id, flag, message_id);
CREATE INDEX message_flag_by_message ON message_flag (message_id, flag);

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
