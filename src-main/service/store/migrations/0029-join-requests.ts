/** Who has asked to join. Of the secret by which they hear what became of it only a hash is kept. */
export const joinRequests = `
CREATE TABLE join_request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  secret_hash TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  full_name TEXT NOT NULL,
  about TEXT NOT NULL,
  address TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'declined')),
  invitation_id INTEGER REFERENCES invitation (id)
) STRICT;
CREATE INDEX join_request_open ON join_request (email_key, id) WHERE status = 'open';
`;
