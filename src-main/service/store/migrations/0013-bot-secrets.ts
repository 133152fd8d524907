/** What a bot shares with the service that delivers to it, to verify what comes (API decisions 12.1). */
export const botSecrets = `
CREATE TABLE bot_secret (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  secret TEXT NOT NULL
) STRICT;
`;
