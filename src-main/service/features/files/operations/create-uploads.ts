import type { DomainContext } from '#service/core/ports/environment.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';
import { type PieceOperations, pieceOperations } from './upload-pieces.ts';
import { tellingFullDisk } from './upload-quotas.ts';
import { type UploadOperations, uploadOperations } from './uploads.ts';

/** Uploads, whole or in pieces. @param noteFullDisk  told of every upload that found no room on the disk */
export function createUploads(
  store: Store,
  context: DomainContext,
  noteFullDisk: (caller: Caller) => Promise<void>,
): { readonly whole: UploadOperations; readonly pieces: PieceOperations } {
  const storing = tellingFullDisk(noteFullDisk);
  const whole = uploadOperations(store, context, storing);
  const { mostUploadBytes } = whole;
  return { whole, pieces: pieceOperations({ store, context, storing, mostUploadBytes }) };
}
