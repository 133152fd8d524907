/** The later epoch, as JSON, under which an office goes on elsewhere: here it is closed for good. */
export const successors = `
ALTER TABLE realm ADD COLUMN succeeded_by TEXT;
`;
