/** Who takes how much room with which files (API decisions 15.18). */
import { refusal } from '#shared/api/refusal.ts';
import type { OrganizationFile } from '#shared/api/models/file-usage.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Limits } from '#shared/limits.ts';
import type { Operation, OwnedAttachment, Reading, Store } from '#service/db/port.ts';
import { findVisibleMessage } from '#service/features/messages/operations/message-access.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { canSeeFile } from '#service/features/files/operations/uploads.ts';

const MAX_FILES = 1000;
const MAX_MESSAGES = 3;

interface FileList {
  readonly files: OrganizationFile[];
  readonly count: number;
  readonly bytes: number;
  readonly limit_bytes: number | null;
}

export interface OrganizationFileOperations {
  /** Those of the caller with their bots, the largest first. @throws BAD_REQUEST for another limit than 1 to 1000 */
  readonly listOwn: (caller: Caller, limit: number) => Promise<FileList>;
  /** Those of everybody, the largest first. @throws BAD_REQUEST for another limit than 1 to 1000 */
  readonly listAll: (caller: Caller, limit: number) => Promise<FileList>;
}

function* messagesOf(
  tx: Reading,
  caller: Caller,
  ids: readonly number[],
): Operation<OrganizationFile['messages']> {
  const messages: OrganizationFile['messages'] = [];
  for (const id of ids) {
    const row = yield* findVisibleMessage(tx, caller, id);
    if (row === undefined) continue;
    const isPrivate = row.stream_id === null;
    const userIds = isPrivate ? yield* tx.listParticipantIds(row.recipient_id) : [];
    messages.push({
      id,
      sent_at: row.sent_at,
      stream_id: row.stream_id,
      topic: row.topic,
      user_ids: [...userIds],
    });
    if (messages.length === MAX_MESSAGES) break;
  }
  return messages;
}

function* shapeOf(tx: Reading, caller: Caller, row: OwnedAttachment): Operation<OrganizationFile> {
  const isShown = row.bot_owner_id === caller.userId || (yield* canSeeFile(tx, caller, row));
  const linking = yield* tx.listLinkingIds(row.id);
  return {
    id: row.id,
    name: isShown ? row.name : null,
    path_id: isShown ? row.path : null,
    size: row.size_bytes,
    created_at: row.created_at,
    owner_id: row.owner_id,
    message_count: linking.length,
    messages: yield* messagesOf(tx, caller, linking),
  };
}

function checkLimit(limit: number): void {
  if (limit >= 1 && limit <= MAX_FILES) return;
  throw refusal('file_limit_invalid', { highest: MAX_FILES, value: limit });
}

export function organizationFileOperations(
  store: Store,
  { personUploadBytes }: Pick<Limits, 'personUploadBytes'>,
): OrganizationFileOperations {
  function* listed(
    tx: Reading,
    caller: Caller,
    userId: number | null,
    limit: number,
  ): Operation<FileList> {
    const files: OrganizationFile[] = [];
    for (const row of yield* tx.listLargestAttachments(userId, limit)) {
      files.push(yield* shapeOf(tx, caller, row));
    }
    const { files: count, bytes } = yield* tx.countAttachments(userId);
    const { upload_quota: quota } = realmSettings(yield* tx.findRealm());
    return { files, count, bytes, limit_bytes: userId === null ? quota : personUploadBytes };
  }
  return {
    async listOwn(caller, limit) {
      checkLimit(limit);
      return store.read((tx) => listed(tx, caller, caller.userId, limit));
    },
    async listAll(caller, limit) {
      checkLimit(limit);
      return store.read((tx) => listed(tx, caller, null, limit));
    },
  };
}
