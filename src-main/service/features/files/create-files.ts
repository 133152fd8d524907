/** Uploads, whole and in pieces. */
import type { FeatureContext } from '#service/core/feature-context.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import { uploadHandlers } from './handlers/uploads.ts';
import { pieceOperations } from './operations/upload-pieces.ts';
import { tellingFullDisk } from './operations/upload-quotas.ts';
import { uploadOperations } from './operations/uploads.ts';

/** @param noteFullDisk  told of every upload that found no room on the disk */
export function createFiles(
  context: FeatureContext,
  noteFullDisk: (caller: Caller) => Promise<void>,
) {
  const { store } = context;
  const storing = tellingFullDisk(noteFullDisk);
  const uploads = uploadOperations(store, context, storing);
  const { mostUploadBytes } = uploads;
  const pieces = pieceOperations({ store, context, storing, mostUploadBytes });
  return {
    handlers: { uploads: uploadHandlers(uploads, pieces) },
    uploads,
    trimUploads: pieces.trim,
  };
}
