/** Remembers who may no longer read a stream, and what its messages said while they might. */
const hasAccess = `(EXISTS (SELECT 1 FROM membership n WHERE n.recipient_id = s.recipient_id
    AND n.account_id = a.id AND n.until_id IS NULL) OR (s.is_private = 0 AND a.role <> 'guest'))`;
/** When somebody left is not known, but the newest message that they got was sent before it. */
const leftAt = `(SELECT COALESCE(MAX(p.sent_at), 0) FROM message p
    WHERE p.id <= (SELECT MAX(h.until_id) FROM membership h
      WHERE h.account_id = l.account_id AND h.recipient_id = l.recipient_id))`;

export const lostAccess = `
ALTER TABLE message_edit ADD COLUMN prev_topic_id INTEGER;
-- What the previous content was: 1 begins with "/me", 2 mentions all, 4 has links, 8 images, 16 attachments.
ALTER TABLE message_edit ADD COLUMN prev_marks INTEGER;
UPDATE message_edit SET prev_topic_id = (SELECT t.id FROM topic t JOIN message m ON m.id = message_edit.message_id
    WHERE t.recipient_id = m.recipient_id AND t.name = message_edit.prev_topic)
  WHERE prev_topic IS NOT NULL;

-- Accounts that hold messages of a stream and may no longer read what becomes of them.
CREATE TABLE lost_access (
  account_id INTEGER NOT NULL REFERENCES account (id),
  recipient_id INTEGER NOT NULL REFERENCES recipient (id),
  PRIMARY KEY (account_id, recipient_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lost_access_by_recipient ON lost_access (recipient_id);

-- Messages that changed since: the account is shown them as they were after this edit, 0 standing for the
-- original. Where it is null they came there later, and are not held by who was there when they were sent.
CREATE TABLE kept_version (
  account_id INTEGER NOT NULL REFERENCES account (id),
  message_id INTEGER NOT NULL REFERENCES message (id),
  edit_id INTEGER,
  PRIMARY KEY (account_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_version_by_message ON kept_version (message_id);

INSERT INTO lost_access (account_id, recipient_id)
  SELECT DISTINCT h.account_id, h.recipient_id FROM membership h JOIN account a ON a.id = h.account_id
  JOIN stream s ON s.recipient_id = h.recipient_id
  WHERE h.until_id IS NOT NULL AND s.is_archived = 0 AND NOT ${hasAccess};
INSERT INTO kept_version (account_id, message_id, edit_id)
  SELECT l.account_id, e.message_id,
    COALESCE(MAX(CASE WHEN e.edited_at <= ${leftAt} THEN e.id END), 0)
  FROM lost_access l JOIN message m ON m.recipient_id = l.recipient_id JOIN message_edit e ON e.message_id = m.id
  WHERE EXISTS (SELECT 1 FROM membership h WHERE h.account_id = l.account_id
    AND h.recipient_id = l.recipient_id AND h.from_id < m.id AND m.id <= h.until_id)
  GROUP BY l.account_id, e.message_id HAVING MAX(e.edited_at) > ${leftAt};
INSERT INTO lost_access (account_id, recipient_id)
  SELECT DISTINCT f.account_id, m.recipient_id FROM message_flag f JOIN message m ON m.id = f.message_id
  JOIN account a ON a.id = f.account_id JOIN stream s ON s.recipient_id = m.recipient_id
  WHERE f.flag = 'historical' AND s.is_archived = 0 AND NOT ${hasAccess} ON CONFLICT DO NOTHING;
`;
