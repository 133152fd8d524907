import type { uploads } from '#shared/api/endpoints/files/uploads.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { UnfinishedUpload } from '#service/db/port.ts';
import { expiryOf, type PieceOperations } from '../operations/upload-pieces.ts';
import type { UploadOperations } from '../operations/uploads.ts';

const stateOf = (upload: UnfinishedUpload): ResultOf<typeof uploads.state> => ({
  upload_id: upload.id,
  size: upload.size_bytes,
  offset: upload.received_bytes,
  expires: expiryOf(upload),
});

export const uploadHandlers = (
  domain: UploadOperations,
  pieces: PieceOperations,
): Handlers<typeof uploads> => ({
  async upload({ caller, incoming }) {
    const uri = await domain.upload(caller, incoming);
    return { uri, url: uri };
  },
  async begin({ caller }, file) {
    return stateOf(await pieces.begin(caller, file));
  },
  async state({ caller }, { uploadId }) {
    return stateOf(await pieces.find(caller, uploadId));
  },
  async piece({ caller, piece }, { uploadId, offset }) {
    return stateOf(await pieces.addPiece(caller, { id: uploadId, offset }, piece));
  },
  async finish({ caller }, { uploadId }) {
    const uri = await pieces.finish(caller, uploadId);
    return { uri, url: uri };
  },
  async abandon({ caller }, { uploadId }) {
    await pieces.abandon(caller, uploadId);
    return {};
  },
  async list({ caller }) {
    const { attachments, usedBytes } = await domain.listAttachments(caller);
    return { attachments: [...attachments], upload_space_used: usedBytes };
  },
  async remove(deed, { attachmentId }) {
    await domain.removeAttachment(deed, attachmentId);
    return {};
  },
});
