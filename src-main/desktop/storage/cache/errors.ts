/** What the database refuses, in sentences for people. */
import { CacheError } from '#client/cache/port.ts';
import { codeOf } from '#node/error-code.ts';

/** Our own statements and values are right: an error in one means that the tables are not what they were. */
export const isDamage = (reason: unknown): boolean =>
  reason instanceof SyntaxError ||
  /^SQLITE_(?:CORRUPT|NOTADB|ERROR|MISMATCH|CONSTRAINT)/.test(codeOf(reason));

const isFull = (code: string): boolean =>
  ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'].includes(code);

/** Other errors are bugs, and stay what they are. */
export function cacheError(reason: unknown): unknown {
  const code = codeOf(reason);
  if (isFull(code)) {
    const message =
      'The disk is full: new messages stay on the service until there is room for them here. Free some space on the disk.';
    return new CacheError('DISK_FULL', message, { cause: reason });
  }
  if (isDamage(reason)) {
    const message =
      'The messages that are kept on this computer are damaged; they are being fetched again.';
    return new CacheError('DAMAGED', message, { cause: reason });
  }
  if (/^(?:SQLITE_|E[A-Z]+$)/.test(code)) {
    const message =
      'The messages that are kept on this computer cannot be read or written. Check the disk and the rights of its folder.';
    return new CacheError('UNAVAILABLE', message, { cause: reason });
  }
  return reason;
}
