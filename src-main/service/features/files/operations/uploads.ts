/** Uploaded files: storing them, and who may see them (API decisions 7.6). */
import { refusal } from '#shared/api/refusal.ts';
import type { FileSource } from '#service/core/ports/files.ts';
import type { Caller, CallerActionSource, FileEvent } from '#service/core/ports/handlers.ts';
import type { Attachment } from '#shared/api/models/attachment.ts';
import type { Rendered } from '#service/markdown/render.ts';
import type { AttachmentRow, NewAttachment, Operation, Reading, Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext, FileWriter } from '#service/core/ports/environment.ts';
import { describeFile, randomLetters } from '../rules/file-types.ts';
import { uploadPlace } from './file-paths.ts';
import { checkQuotas, type StoringFiles, type UploadLimits } from './upload-quotas.ts';
import { findVisibleStream } from '#service/core/stream-access.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { mayCall } from '#service/core/rules/permissions.ts';
import { checkUploadBytes, mostUploadBytes } from '../rules/upload-limits.ts';

export const PREFIX = '/user_uploads/';

export interface UploadOperations {
  /**
   * Stores a file; settles when it is on disk.
   * @returns its address on this server
   * @throws BAD_REQUEST unless there is exactly one file of at most `mostUploadBytes`; REALM_UPLOAD_QUOTA
   */
  readonly upload: (caller: Caller, parts: AsyncIterable<FileEvent>) => Promise<string>;
  readonly listAttachments: (caller: Caller) => Promise<{
    readonly attachments: readonly Attachment[];
    readonly usedBytes: number;
  }>;
  /**
   * Deletes a file of the caller or their bots; an administrator deletes anybody's.
   * @throws BAD_REQUEST when there is none that the caller may delete
   */
  readonly removeAttachment: (source: CallerActionSource, id: number) => Promise<void>;
  readonly findUpload: FileSource['findUpload'];
  readonly mostUploadBytes: FileSource['mostUploadBytes'];
}

/** As `findVisibleMessage` decides, for all messages at once that link to the file. */
export function* canSeeFile(tx: Reading, caller: Caller, file: AttachmentRow): Operation<boolean> {
  if (file.owner_id === caller.userId) return true;
  if (yield* tx.holdsLinkTo(file.id, caller.userId)) return true;
  for (const streamId of yield* tx.listLinkingStreamIds(file.id)) {
    const access = yield* findVisibleStream(tx, caller, streamId);
    if (access?.isHistoryOpen === true) return true;
  }
  return false;
}

/**
 * The paths of the files that a message by this author shows to its readers, as `linkAttachments` takes them. Who may
 * not see a file does not open it to others, or to themselves, by naming its address.
 */
export function* sharedPaths(
  tx: Reading,
  author: Caller,
  { uploadPaths }: Pick<Rendered, 'uploadPaths'>,
): Operation<readonly string[]> {
  const shared: string[] = [];
  for (const path of new Set(uploadPaths.map((each) => each.normalize('NFC')))) {
    const file = yield* tx.findAttachment(path);
    if (file !== undefined && (yield* canSeeFile(tx, author, file))) shared.push(path);
  }
  return shared;
}

/** Asked again after so much has come: others upload meanwhile. */
const LOOK_BYTES = 16 * 1024 ** 2;

interface ReceivedFile extends Omit<NewAttachment, 'ownerId' | 'createdAt'> {
  sizeBytes: number;
}

interface Receiving {
  readonly store: Store;
  readonly caller: Caller;
  readonly limits: UploadLimits;
  readonly maxBytes: number;
  readonly files: DomainContext['files'];
  readonly begun: (place: string) => void;
}

/** Writes the one file of a request to the disk as it comes. @throws as `upload` does; what was written stays */
async function receive(
  { store, files, caller, limits, maxBytes, begun }: Receiving,
  parts: AsyncIterable<FileEvent>,
): Promise<ReceivedFile> {
  const check = (bytes: number): Promise<void> =>
    store.read((tx) => checkQuotas(tx, caller, bytes, limits));
  // Before a byte is written; asked again when the file is noted.
  await check(0);
  let file: ReceivedFile | undefined;
  let writer: FileWriter | undefined;
  let seen = 0;
  try {
    for await (const event of parts) {
      if (event.kind === 'file') {
        if (file !== undefined) throw refusal('one_upload_expected');
        const { fileName, contentType } = event;
        file = { ...describeFile(fileName, contentType, randomLetters()), sizeBytes: 0 };
        begun(uploadPlace(file.path));
        writer = await files.writeFrom(uploadPlace(file.path), 0, 0);
      } else if (file !== undefined && writer !== undefined) {
        file.sizeBytes += event.bytes.length;
        checkUploadBytes(file.sizeBytes, maxBytes);
        if (file.sizeBytes - seen > LOOK_BYTES) {
          seen = file.sizeBytes;
          await check(file.sizeBytes);
        }
        await writer.write(event.bytes);
      }
    }
  } finally {
    await writer?.close();
  }
  if (file === undefined) throw refusal('upload_missing');
  return file;
}

/** Whether it is a file of the caller, or of a bot of theirs. */
function* isOwn(tx: Reading, caller: Caller, file: AttachmentRow): Operation<boolean> {
  if (file.owner_id === caller.userId) return true;
  return (yield* tx.findUser(file.owner_id))?.owner_id === caller.userId;
}

/** @throws BAD_REQUEST */
function* findDeletable(tx: Reading, caller: Caller, id: number): Operation<AttachmentRow> {
  const row = yield* tx.findAttachmentById(id);
  if (row !== undefined && (mayCall('admin', caller) || (yield* isOwn(tx, caller, row))))
    return row;
  throw refusal('no_such_attachment');
}

/** Who may not see a file learns that it is there. */
const findingUploads =
  (store: Store, files: DomainContext['files']): FileSource['findUpload'] =>
  async (caller, path) => {
    const row = await store.read(function* (tx) {
      const file = yield* tx.findAttachment(path.normalize('NFC'));
      if (file === undefined) return 'absent';
      return (yield* canSeeFile(tx, caller, file)) ? file : 'forbidden';
    });
    if (typeof row === 'string') return row;
    return {
      name: row.name,
      contentType: row.content_type,
      sizeBytes: row.size_bytes,
      version: String(row.id),
      read: (from, to) => files.stream(uploadPlace(row.path), from, to),
    };
  };

export function uploadOperations(
  store: Store,
  context: DomainContext,
  storing: StoringFiles,
): UploadOperations {
  const { files, limits, nowSeconds } = context;
  const mostBytes = (): Promise<number> =>
    store.read(function* (tx) {
      return mostUploadBytes(yield* tx.findRealm(), limits);
    });
  return {
    mostUploadBytes: mostBytes,
    async upload(caller, parts) {
      const maxBytes = await mostBytes();
      let place: string | undefined;
      try {
        const receiving = {
          store,
          files,
          caller,
          limits,
          maxBytes,
          begun: (at: string) => (place = at),
        };
        const file = await storing(caller, () => receive(receiving, parts));
        await change(store, caller, function* (tx, now) {
          yield* checkQuotas(tx, now, file.sizeBytes, limits);
          yield* tx.addAttachment({ ...file, ownerId: caller.userId, createdAt: nowSeconds() });
        });
        return PREFIX + file.path;
      } catch (reason) {
        if (place !== undefined) await files.remove(place);
        throw reason;
      }
    },
    listAttachments: (caller) => store.listAttachments(caller.userId),
    async removeAttachment(source, id) {
      const path = await change(store, source.caller, function* (tx, caller) {
        const row = yield* findDeletable(tx, caller, id);
        yield* tx.removeAttachment(row);
        if (!(yield* isOwn(tx, caller, row))) {
          const details = { bytes: row.size_bytes };
          yield* tx.record(
            auditEntryMaker(context, source)('file_deleted', { userId: row.owner_id, details }),
          );
        }
        return row.path;
      });
      await files.remove(uploadPlace(path));
    },
    findUpload: findingUploads(store, files),
  };
}
