/** An origin as people write one. */
export const withoutScheme = (origin: string): string => origin.replace(/^https?:\/\//, '');
