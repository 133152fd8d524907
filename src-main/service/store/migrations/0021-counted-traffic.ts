/** Traffic is counted many messages at a time (`streams/traffic.ts`): each for itself was a page of every commit. */
export const countedTraffic = `
-- The newest message that stream_traffic has counted. Those behind it are counted when somebody asks.
CREATE TABLE traffic_counted (
  through_id INTEGER NOT NULL
) STRICT;
INSERT INTO traffic_counted (through_id) SELECT id FROM newest_message;
`;
