/** What a topic, a message or an owner leads to is found by an index, and not by reading a table that grows. */
export const statementIndexes = `
CREATE INDEX muted_topic_by_topic ON muted_topic (topic_id, account_id);
CREATE INDEX membership_archived ON membership (account_id, recipient_id) WHERE is_archived = 1;
CREATE INDEX bot_delivery_by_message ON bot_delivery (message_id);
DROP INDEX attachment_by_owner;
CREATE INDEX attachment_by_owner ON attachment (owner_id, size_bytes);
`;
