/** What is unread in a stream or conversation is read from the index alone, without the texts. */
export const unreadColumns = `
DROP INDEX message_by_recipient;
CREATE INDEX message_by_recipient ON message (recipient_id, id, topic_id, sender_id);
`;
