/** What names are compared by, as the service does it: without case, and without differences that nobody sees. */
export const fold = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
