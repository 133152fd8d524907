import type { streamAdmin } from '#shared/api/endpoints/streams/stream-admin.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { ArchiveOperations } from '../operations/archiving.ts';
import type { StreamAdminOperations, StreamUpdate } from '../operations/stream-admin.ts';

const isEmpty = (update: Partial<StreamUpdate>): boolean =>
  Object.values(update).every((value) => value === undefined);

/** @throws BAD_REQUEST where something else is to change as well */
function archivedAlone(streamId: number, update: StreamUpdate): number {
  if (isEmpty(update)) return streamId;
  throw refusal('archive_with_other_changes');
}

/** @throws BAD_REQUEST where something else than the name is to change as well */
function newNameOf({ newName, ...others }: StreamUpdate): string | undefined {
  if (isEmpty(others)) return newName;
  throw refusal('unarchive_with_other_changes');
}

export const streamAdminHandlers = (
  domain: StreamAdminOperations & ArchiveOperations,
): Handlers<typeof streamAdmin> => ({
  async update(call, { streamId, isArchived, ...update }) {
    if (isArchived === undefined) await domain.updateStream(call, streamId, update);
    else if (isArchived) await domain.archiveStream(call, archivedAlone(streamId, update));
    else await domain.restoreStream(call, streamId, newNameOf(update));
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
