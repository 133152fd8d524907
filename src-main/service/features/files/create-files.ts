/** Uploads, whole and in pieces. */
import type { FeatureContext } from '#service/core/feature-context.ts';
import type { MessageOperations } from '#service/features/messages/operations/messages.ts';
import { createFullDiskNotice } from '#service/features/organization/operations/full-disk.ts';
import { uploadHandlers } from './handlers/uploads.ts';
import { pieceOperations } from './operations/upload-pieces.ts';
import { tellingFullDisk } from './operations/upload-quotas.ts';
import { uploadOperations } from './operations/uploads.ts';

/** @param messages  by which administrators are told of a full disk */
export function createFiles(
  context: FeatureContext,
  messages: Pick<MessageOperations, 'sendMessage'>,
) {
  const { store } = context;
  const storing = tellingFullDisk(createFullDiskNotice(store, context, messages));
  const uploads = uploadOperations(store, context, storing);
  const { mostUploadBytes } = uploads;
  const pieces = pieceOperations({ store, context, storing, mostUploadBytes });
  return {
    handlers: { uploads: uploadHandlers(uploads, pieces) },
    uploads,
    sweeps: { uploads: pieces.trim },
  };
}
