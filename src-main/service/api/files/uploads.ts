import type { uploads } from '../../../contract/api/files/uploads.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { UploadOperations } from '../../domain/files/uploads.ts';

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
