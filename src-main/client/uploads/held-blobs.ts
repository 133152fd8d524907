/** Files as the page itself has them, where the session runs in it. */
import { failure, success } from '#shared/bridge/outcome.ts';
import type { HeldFiles } from '../ports.ts';
import { uploadGone } from './background-uploads.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

export interface HeldBlobs extends HeldFiles {
  readonly hold: (uploadId: string, file: Blob) => void;
}

export function createHeldBlobs(): HeldBlobs {
  const held = new Map<string, Blob>();
  return {
    hold: (uploadId, file) => {
      held.set(uploadId, file);
    },
    open: async (uploadId) => {
      const file = held.get(uploadId);
      if (file === undefined) return uploadGone;
      return success({
        sizeBytes: file.size,
        // A browser reads a file only as long as it is the one that was chosen.
        version: '',
        read: async (from, to) => {
          try {
            return success(new Uint8Array(await file.slice(from, to).arrayBuffer()));
          } catch {
            return failure('FILE_NOT_READ', clientWords('file_gone_here'));
          }
        },
        close: async () => undefined,
      });
    },
    release: (uploadId) => {
      held.delete(uploadId);
    },
  };
}
