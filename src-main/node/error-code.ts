/** The code by which Node and SQLite name what went wrong; empty for what has none. */
export const codeOf = (reason: unknown): string =>
  reason instanceof Error && 'code' in reason && typeof reason.code === 'string' ? reason.code : '';

/** Whether there is no room on a disk. */
export const isDiskFull = (reason: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'].includes(codeOf(reason));

/** Whether SQLite met pages that it has not written. */
export const isCorruption = (reason: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(reason));

/** Whether SQLite met something else than it has written. */
export const isDamage = (reason: unknown): boolean =>
  // Our own statements are right: an error in one means that the tables are not what they were.
  isCorruption(reason) || codeOf(reason).startsWith('SQLITE_ERROR');
