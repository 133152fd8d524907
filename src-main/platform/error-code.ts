/** The code by which Node and SQLite name what went wrong; empty for what has none. */
export const codeOf = (reason: unknown): string =>
  reason instanceof Error && 'code' in reason && typeof reason.code === 'string' ? reason.code : '';

/** Whether SQLite met something else than it has written. */
export const isDamage = (reason: unknown): boolean =>
  // Our own statements are right: an error in one means that the tables are not what they were.
  /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(codeOf(reason));
