/** Whether the password of an account is the one that somebody else made it with. */
export const givenPasswords = `
ALTER TABLE account ADD COLUMN is_password_given INTEGER NOT NULL DEFAULT 0;
`;
