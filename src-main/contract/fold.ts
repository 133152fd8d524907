/** What names and topics are compared by: without case, and without differences that nobody sees. */
export const fold = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
