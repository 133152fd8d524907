/** Until when an invitation is good, and how many may come by it: null for the one who was invited. */
export const invitationsForMany = `
ALTER TABLE invitation ADD COLUMN expires_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invitation ADD COLUMN max_uses INTEGER;
ALTER TABLE invitation ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
UPDATE invitation SET expires_at = sent_at + 864000;
`;
