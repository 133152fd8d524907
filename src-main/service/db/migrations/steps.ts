/** The first form that this version brings up to date. Earlier ones were never released. */
export const OLDEST_FORM = 21;

/** In order, one for each form from the oldest on: what makes the next form of it. A released one is never edited. */
export const steps: readonly string[] = [
  // Narrows by a mark and topics by name are found by an index.
  `
CREATE INDEX message_by_link ON message (id, recipient_id, topic_id, sender_id) WHERE has_link = 1;
CREATE INDEX message_by_image ON message (id, recipient_id, topic_id, sender_id) WHERE has_image = 1;
CREATE INDEX message_by_attachment ON message (id, recipient_id, topic_id, sender_id)
  WHERE has_attachment = 1;
CREATE INDEX topic_by_name ON topic (name_key);
`,
  `
CREATE TABLE superseded_text (
  message_id INTEGER PRIMARY KEY,
  edit_number INTEGER NOT NULL
) STRICT;
`,
  // Deliveries that are there belong to the owner of then, as far as the audit log tells. What was kept with secrets in it waits to be redacted.
  `
ALTER TABLE kept_delivery ADD COLUMN owner_id INTEGER;
UPDATE kept_delivery SET owner_id = (SELECT owner_id FROM account WHERE id = kept_delivery.account_id);
UPDATE kept_delivery SET owner_id = (SELECT json_extract(e.details, '$.old') FROM audit_entry e
    WHERE e.type = 'bot_owner_changed' AND e.user_id = kept_delivery.account_id AND e.at >= kept_delivery.at
    ORDER BY e.id LIMIT 1)
  WHERE EXISTS (SELECT 1 FROM audit_entry e
    WHERE e.type = 'bot_owner_changed' AND e.user_id = kept_delivery.account_id AND e.at >= kept_delivery.at);
ALTER TABLE bot_delivery ADD COLUMN owner_id INTEGER;
UPDATE bot_delivery SET owner_id = (SELECT owner_id FROM account WHERE id = bot_delivery.account_id);
ALTER TABLE kept_delivery_content ADD COLUMN is_redacted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX kept_delivery_unredacted ON kept_delivery_content (delivery_id) WHERE is_redacted = 0;
`,
  `
ALTER TABLE realm ADD COLUMN opens_with TEXT;
`,
  `
CREATE TABLE restore_report (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  backed_up_at INTEGER NOT NULL,
  standing_at INTEGER,
  lost_files INTEGER NOT NULL
) STRICT;
INSERT INTO restore_report SELECT 1, backed_up_at, NULL, 0 FROM epoch, realm
  WHERE opens_with IS NOT NULL ORDER BY n DESC LIMIT 1;
`,
  // What a topic, a message or an owner leads to is found by an index.
  `
CREATE INDEX muted_topic_by_topic ON muted_topic (topic_id, account_id);
CREATE INDEX membership_archived ON membership (account_id, recipient_id) WHERE is_archived = 1;
CREATE INDEX bot_delivery_by_message ON bot_delivery (message_id);
DROP INDEX attachment_by_owner;
CREATE INDEX attachment_by_owner ON attachment (owner_id, size_bytes);
`,
  `
CREATE INDEX message_edit_with_file ON message_edit (id)
  WHERE prev_content IS NOT NULL AND (prev_marks IS NULL OR prev_marks & 16);
`,
  `
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
`,
  // Form 30 has the tables of form 29. Since then a new database is made in one step.
  '',
  `
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
`,
];
