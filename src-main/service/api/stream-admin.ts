import type { streamAdmin } from '../../contract/api/stream-admin.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { StreamAdminOperations } from '../domain/stream-admin.ts';

export const streamAdminHandlers = (
  domain: StreamAdminOperations,
): Handlers<typeof streamAdmin> => ({
  async update({ caller }, { streamId, ...update }) {
    await domain.updateStream(caller, streamId, update);
    return {};
  },
  async archive({ caller }, { streamId }) {
    await domain.archiveStream(caller, streamId);
    return {};
  },
  async addDefault({ caller }, reference) {
    await domain.setDefaultStream(caller, reference, true);
    return {};
  },
  async removeDefault({ caller }, reference) {
    await domain.setDefaultStream(caller, reference, false);
    return {};
  },
});
