/**
 * What is needed to take messages back that only members still have: which change of a message was the last one, whether it
 * came back, and which ones are gone because somebody deleted them.
 */
export const recoveredMessages = `
-- The id of the last change in message_edit; of a message that came back, what that was before the restore.
ALTER TABLE message ADD COLUMN edit_number INTEGER NOT NULL DEFAULT 0;
UPDATE message SET edit_number = (SELECT MAX(e.id) FROM message_edit e WHERE e.message_id = message.id)
  WHERE id IN (SELECT message_id FROM message_edit);
ALTER TABLE message ADD COLUMN recovered_at INTEGER;
CREATE TABLE deleted_message (message_id INTEGER PRIMARY KEY) STRICT;
`;
