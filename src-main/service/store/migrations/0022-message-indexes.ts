/** Narrows by a mark and topics by name are found by an index; the columns after the id spare a look at the message. */
export const messageIndexes = `
CREATE INDEX message_by_link ON message (id, recipient_id, topic_id, sender_id) WHERE has_link = 1;
CREATE INDEX message_by_image ON message (id, recipient_id, topic_id, sender_id) WHERE has_image = 1;
CREATE INDEX message_by_attachment ON message (id, recipient_id, topic_id, sender_id)
  WHERE has_attachment = 1;
CREATE INDEX topic_by_name ON topic (name_key);
`;
