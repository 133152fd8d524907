/**
 * What is needed to bring an archived stream back: when it was archived, and who was in it then. Nobody
 * knows who that was where a stream was archived before.
 */
export const archivedStreams = `
ALTER TABLE membership ADD COLUMN is_archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE stream ADD COLUMN archived_at INTEGER;
UPDATE stream SET archived_at = (SELECT MAX(e.at) FROM audit_entry e
    WHERE e.type = 'stream_archived' AND e.stream_id = stream.id)
  WHERE is_archived = 1;
-- The stream came back to others than those who were in it: what was said before stays closed.
ALTER TABLE stream ADD COLUMN is_history_sealed INTEGER NOT NULL DEFAULT 0;
`;
