/** Flags of messages that several parts ask for together (specification 2). */

/** By name, or by a wildcard. */
export const mentionFlags = ['mentioned', 'wildcard_mentioned'] as const;

export const isMentioned = (flags: readonly string[]): boolean =>
  mentionFlags.some((flag) => flags.includes(flag));
