/** What administrators change of streams. */
import { keepFormerName, settleStream } from './access.ts';
import { clearNotificationsStream } from '#service/features/organization/queries/organization.ts';
import { type Operation, run } from '#service/db/operation.ts';
import type { StreamRow } from './streams.ts';

const UPDATE = `UPDATE stream SET name = :name, name_key = :nameKey, description = :description,
    rendered_description = :rendered, is_private = :isPrivate, is_announcement_only = :isAnnouncementOnly,
    is_history_public = :isHistoryPublic
  WHERE id = :id`;
const SET_DEFAULT = 'UPDATE stream SET is_default = :isDefault WHERE id = :id';
const ARCHIVE =
  'UPDATE stream SET is_archived = 1, is_default = 0, archived_at = :archivedAt WHERE id = :id';
const END_ALL = `UPDATE membership SET until_id = (SELECT id FROM newest_message), is_archived = 1
  WHERE recipient_id = :recipientId AND until_id IS NULL`;

export const streamChangeWrites = {
  /** Writes the properties of a stream that administrators change. */
  *saveStream(before: StreamRow, after: StreamRow): Operation<void> {
    yield* run(UPDATE, {
      id: after.id,
      name: after.name,
      nameKey: after.name_key,
      description: after.description,
      rendered: after.rendered_description,
      isPrivate: after.is_private,
      isAnnouncementOnly: after.is_announcement_only,
      isHistoryPublic: after.is_history_public,
    });
    if (before.is_private !== after.is_private) yield* settleStream(before.recipient_id);
    if (before.name !== after.name) yield* keepFormerName(before.recipient_id, before.name);
  },
  /**
   * Archives a stream: everybody is unsubscribed, its name is free, its messages stay with those who hold them.
   * @param archivedAt  UNIX seconds
   */
  *archiveStream(stream: StreamRow, archivedAt: number): Operation<void> {
    yield* run(END_ALL, { recipientId: stream.recipient_id });
    yield* run(ARCHIVE, { id: stream.id, archivedAt });
  },
  /** Makes a stream one that new accounts are subscribed to, or ends that. */
  *setDefaultStream(id: number, isDefault: boolean): Operation<void> {
    yield* run(SET_DEFAULT, { id, isDefault: Number(isDefault) });
  },
  clearNotificationsStream,
};
