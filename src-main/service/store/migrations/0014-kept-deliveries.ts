/**
 * What was delivered to bots, or by them, for their owners (API decisions 15.12): an entry and its content apart, so
 * that a list reads no bodies. And for which service a bot was set up.
 */
export const keptDeliveries = `
CREATE TABLE kept_delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  direction TEXT NOT NULL,
  at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  integration TEXT NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  message_ids TEXT NOT NULL,
  again_of INTEGER,
  bot_delivery_id INTEGER UNIQUE
) STRICT;
CREATE INDEX kept_delivery_by_account ON kept_delivery (account_id, id);
CREATE INDEX kept_delivery_by_time ON kept_delivery (at);

CREATE TABLE kept_delivery_content (
  delivery_id INTEGER PRIMARY KEY REFERENCES kept_delivery (id),
  content TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE bot_hook (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  integration TEXT,
  stream TEXT NOT NULL,
  topic TEXT NOT NULL,
  only_events TEXT NOT NULL,
  is_paused INTEGER NOT NULL
) STRICT;
`;
