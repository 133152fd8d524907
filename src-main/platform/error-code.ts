/** The code by which Node and SQLite name what went wrong; empty for what has none. */
export const codeOf = (reason: unknown): string =>
  reason instanceof Error && 'code' in reason && typeof reason.code === 'string' ? reason.code : '';
