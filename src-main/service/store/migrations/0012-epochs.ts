/**
 * Which restores an organization has behind it, and from where on the generations of its keys are new: no generation
 * that was ever used may come again, because the key of one is always the same.
 */
export const epochs = `
CREATE TABLE epoch (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  parent TEXT NOT NULL,
  signature TEXT,
  made_at INTEGER NOT NULL,
  backed_up_at INTEGER NOT NULL
) STRICT;
ALTER TABLE account ADD COLUMN key_floor INTEGER NOT NULL DEFAULT 0;
ALTER TABLE device ADD COLUMN key_floor INTEGER NOT NULL DEFAULT 0;
`;
