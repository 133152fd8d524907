/** The number with which an organization that was restored is opened; null for one that is open. */
export const closedRestores = `
ALTER TABLE realm ADD COLUMN opens_with TEXT;
`;
