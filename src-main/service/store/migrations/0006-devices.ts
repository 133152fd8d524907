/** A key for each device that signs in, beside the one that every account has. */
export const devices = `
CREATE TABLE device (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  name TEXT NOT NULL,
  client TEXT NOT NULL,
  key_generation INTEGER NOT NULL DEFAULT 1,
  key_hash TEXT UNIQUE,
  signed_in_at INTEGER NOT NULL
) STRICT;
CREATE INDEX device_by_account ON device (account_id);

-- The last day on which a key was used, and from where it was first used on that day; device 0 is the account's one key.
CREATE TABLE key_use (
  account_id INTEGER NOT NULL REFERENCES account (id),
  device_id INTEGER NOT NULL,
  used_on INTEGER NOT NULL,
  address TEXT NOT NULL,
  PRIMARY KEY (account_id, device_id)
) STRICT, WITHOUT ROWID;
`;
