/** Finds the ids between which messages of a time lie. */
export const messageHours = `
-- Messages from this id to the one before the next row were sent in this hour since 1970.
CREATE TABLE message_hour (
  first_id INTEGER PRIMARY KEY,
  hour INTEGER NOT NULL
) STRICT;
INSERT INTO message_hour (first_id, hour)
  SELECT x.id, x.hour FROM (SELECT id, sent_at / 3600 AS hour,
      LAG(sent_at / 3600) OVER (ORDER BY id) AS hour_before FROM message) x
  WHERE x.hour IS DISTINCT FROM x.hour_before;
`;
