/** What is under way to the service of an account, so that the next start goes on with it. */
import type { UploadStore } from '#client/uploads/upload-store.ts';
import { stderrLog } from '#node/log.ts';
import { createProfileFile } from './profile-file.ts';

export function createUploadsFile(folder: string): UploadStore {
  // Few starts find any.
  const codec = async () => (await import('./uploads-codec.ts')).StoredUploads;
  const file = createProfileFile(folder, 'uploads.json', codec, { log: stderrLog });
  return {
    read: async () => (await file.read())?.uploads ?? [],
    write: (uploads) => file.write({ uploads: [...uploads] }),
  };
}
