/** What the database refuses, in sentences for people. */
import { CacheError } from '#client/cache/port.ts';
import { codeOf } from '#node/error-code.ts';
import { storageWords } from '#shared/i18n/storage-words.ts';

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
    return new CacheError('DISK_FULL', storageWords('cache_disk_full'), { cause: reason });
  }
  if (isDamage(reason)) {
    return new CacheError('DAMAGED', storageWords('cache_damaged'), { cause: reason });
  }
  if (/^(?:SQLITE_|E[A-Z]+$)/.test(code)) {
    return new CacheError('UNAVAILABLE', storageWords('cache_unavailable'), { cause: reason });
  }
  return reason;
}
