import type { uploads } from '#shared/api/endpoints/files/uploads.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { UploadOperations } from '../operations/uploads.ts';

export const uploadHandlers = (domain: UploadOperations): Handlers<typeof uploads> => ({
  async upload({ caller, files }) {
    const uri = await domain.upload(caller, files);
    return { uri, url: uri };
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
