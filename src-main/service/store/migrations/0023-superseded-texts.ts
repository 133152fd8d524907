/** Texts that somebody changed after the copy from which the organization was restored. */
export const supersededTexts = `
-- Versions of the message before this change (edit_number) are neither shown nor taken back.
CREATE TABLE superseded_text (
  message_id INTEGER PRIMARY KEY,
  edit_number INTEGER NOT NULL
) STRICT;
`;
