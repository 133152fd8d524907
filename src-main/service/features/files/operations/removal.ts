/** Files are removed once no row names them: one that stays on the disk for now goes at the next start (`orphaned-files.ts`). */
import type { Log } from '#node/log.ts';
import type { FileStore } from '#service/core/ports/environment.ts';

/** The same files, but `remove` never rejects: what was asked for is done already. */
export const withDeferredRemoval = (files: FileStore, log: Pick<Log, 'warn'>): FileStore => ({
  ...files,
  async remove(path) {
    try {
      await files.remove(path);
    } catch (cause) {
      log.warn('a file that nothing names could not be removed: it goes at the next start', {
        cause,
      });
    }
  },
});
