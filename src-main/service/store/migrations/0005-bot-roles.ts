/** Brings bots down to what their owners are now: a bot has at most the role of its owner, and works while they do. */
const owner = (column: string): string =>
  `(SELECT o.${column} FROM account o WHERE o.id = account.owner_id)`;

export const botRoles = `
UPDATE account SET role = CASE WHEN ${owner('role')} = 'guest' THEN 'guest' ELSE 'member' END
  WHERE bot_type IS NOT NULL AND owner_id IS NOT NULL;
UPDATE account SET is_active = 0
  WHERE bot_type IS NOT NULL AND owner_id IS NOT NULL AND ${owner('is_active')} = 0;
DELETE FROM queue WHERE account_id IN (SELECT id FROM account WHERE is_active = 0);
`;
