import type { streamAdmin } from '../../../contract/api/streams/stream-admin.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { StreamAdminOperations } from '../../domain/streams/stream-admin.ts';

export const streamAdminHandlers = (
  domain: StreamAdminOperations,
): Handlers<typeof streamAdmin> => ({
  async update(call, { streamId, ...update }) {
    await domain.updateStream(call, streamId, update);
    return {};
  },
  async archive(call, { streamId }) {
    await domain.archiveStream(call, streamId);
    return {};
  },
  async addDefault(call, reference) {
    await domain.setDefaultStream(call, reference, true);
    return {};
  },
  async removeDefault(call, reference) {
    await domain.setDefaultStream(call, reference, false);
    return {};
  },
});
