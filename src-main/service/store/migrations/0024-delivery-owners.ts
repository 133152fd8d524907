/**
 * Deliveries belong to whoever owned the bot when they came (API decisions 15.12); those that are there to the owner of then, as
 * far as the audit log tells. What was kept with secrets in it waits to be redacted (`webhooks/inbox.ts`).
 */
export const deliveryOwners = `
ALTER TABLE kept_delivery ADD COLUMN owner_id INTEGER;
UPDATE kept_delivery SET owner_id = (SELECT owner_id FROM account WHERE id = kept_delivery.account_id);
UPDATE kept_delivery SET owner_id = (SELECT json_extract(e.details, '$.old') FROM audit_entry e
    WHERE e.type = 'bot_owner_changed' AND e.user_id = kept_delivery.account_id AND e.at >= kept_delivery.at
    ORDER BY e.id LIMIT 1)
  WHERE EXISTS (SELECT 1 FROM audit_entry e
    WHERE e.type = 'bot_owner_changed' AND e.user_id = kept_delivery.account_id AND e.at >= kept_delivery.at);
ALTER TABLE bot_delivery ADD COLUMN owner_id INTEGER;
UPDATE bot_delivery SET owner_id = (SELECT owner_id FROM account WHERE id = bot_delivery.account_id);
ALTER TABLE kept_delivery_content ADD COLUMN is_redacted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX kept_delivery_unredacted ON kept_delivery_content (delivery_id) WHERE is_redacted = 0;
`;
