/** What the last restore knew of what may be missing: read before the organization is opened again. */
export const restoreReports = `
CREATE TABLE restore_report (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  backed_up_at INTEGER NOT NULL,
  standing_at INTEGER,
  lost_files INTEGER NOT NULL
) STRICT;
INSERT INTO restore_report SELECT 1, backed_up_at, NULL, 0 FROM epoch, realm
  WHERE opens_with IS NOT NULL ORDER BY n DESC LIMIT 1;
`;
