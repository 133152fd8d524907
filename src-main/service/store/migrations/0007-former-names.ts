/** Who lost access to a stream goes on seeing the name that it had then. */
export const formerNames = `
-- Null while the stream is called as it was.
ALTER TABLE lost_access ADD COLUMN stream_name TEXT;
`;
