/** Links with which people choose a new password: at most one for each, the newest. */
export const passwordLinks = `
CREATE TABLE password_link (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  token_hash TEXT NOT NULL,
  -- The administrator who made it; null where it was made on the computer of the service.
  maker_id INTEGER REFERENCES account (id),
  made_at INTEGER NOT NULL
) STRICT;
`;
