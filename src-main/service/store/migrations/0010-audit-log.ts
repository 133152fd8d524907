/** Who did what, when and from where (API decisions 15.9). */
export const auditLog = `
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
`;
