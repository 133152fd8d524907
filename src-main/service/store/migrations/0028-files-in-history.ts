/** Which texts of before a change link to files: they are looked through before a file is deleted with its message. */
export const filesInHistory = `
CREATE INDEX message_edit_with_file ON message_edit (id)
  WHERE prev_content IS NOT NULL AND (prev_marks IS NULL OR prev_marks & 16);
`;
