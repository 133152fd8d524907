/** Uploaded files: storing them, and who may see them (API decisions 7.6). */
import { badRequest, ServiceError } from '#shared/api/errors.ts';
import type { FileSource } from '#service/core/ports/files.ts';
import type { Caller, CallerActionSource, UploadedFile } from '#service/core/ports/handlers.ts';
import type { Limits } from '#shared/limits.ts';
import type { Attachment } from '#shared/api/models/attachment.ts';
import type { Rendered } from '#service/markdown/render.ts';
import type { AttachmentRow, Operation, Reading, Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { baseName, contentTypeOf, safeName } from '../rules/file-types.ts';
import { uploadPlace } from './file-paths.ts';
import { DiskFullError } from './disk-space.ts';
import { findVisibleStream } from '#service/core/stream-access.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { mayCall } from '#service/core/rules/permissions.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { mostUploadBytes } from '../rules/upload-limits.ts';

/** The one organization of a service. */
const ORGANIZATION = 1;
const RANDOM_LETTERS = 24;
const PREFIX = '/user_uploads/';

export interface UploadOperations {
  /**
   * Stores a file; settles when it is on disk.
   * @returns its address on this server
   * @throws BAD_REQUEST unless there is exactly one file of at most `mostUploadBytes`; REALM_UPLOAD_QUOTA
   */
  readonly upload: (caller: Caller, files: readonly UploadedFile[]) => Promise<string>;
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

/** Letters that nobody guesses. */
function randomLetters(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_LETTERS));
  return Array.from(bytes, (byte) => letters[byte & 63]).join('');
}

function onlyFile(files: readonly UploadedFile[], maxBytes: number): UploadedFile {
  const [file] = files;
  if (file === undefined) throw badRequest('You must specify a file to upload');
  if (files.length > 1) throw badRequest('You may only upload one file at a time');
  if (file.bytes.length > maxBytes) {
    throw badRequest(
      `Uploaded file is larger than the allowed limit of ${String(Math.floor(maxBytes / 1024 ** 2))} MiB`,
    );
  }
  return file;
}

const overQuota = (whose: string): ServiceError =>
  new ServiceError('REALM_UPLOAD_QUOTA', `Upload would exceed ${whose} upload quota`);

/** A `write` that notes who found no room on the disk. */
const tellingFullDisk =
  (
    files: DomainContext['files'],
    noteFullDisk: (caller: Caller) => Promise<void>,
  ): ((caller: Caller, place: string, bytes: Uint8Array) => Promise<void>) =>
  async (caller, place, bytes) => {
    try {
      await files.write(place, bytes);
    } catch (reason) {
      if (reason instanceof DiskFullError) await noteFullDisk(caller);
      throw reason;
    }
  };

/** How much may be stored, by everybody and by one person with their bots. @throws REALM_UPLOAD_QUOTA */
function* checkQuotas(
  tx: Reading,
  caller: Caller,
  sizeBytes: number,
  limits: Pick<Limits, 'personUploadBytes'>,
): Operation<void> {
  const { upload_quota: realmBytes } = realmSettings(yield* tx.findRealm());
  if (realmBytes !== null && (yield* tx.countUploadedBytes()) + sizeBytes > realmBytes) {
    throw overQuota('your organization’s');
  }
  const used = yield* tx.countUploadedBytesOf(caller.ownerId ?? caller.userId);
  if (used + sizeBytes > limits.personUploadBytes) throw overQuota('your');
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
  throw badRequest('Invalid attachment');
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
  limits: Pick<Limits, 'uploadBytes' | 'personUploadBytes'>,
  /** Told of every upload that found no room on the disk. */
  noteFullDisk: (caller: Caller) => Promise<void>,
): UploadOperations {
  const { files, nowSeconds } = context;
  const write = tellingFullDisk(files, noteFullDisk);
  const mostBytes = (): Promise<number> =>
    store.read(function* (tx) {
      return mostUploadBytes(yield* tx.findRealm(), limits);
    });
  return {
    mostUploadBytes: mostBytes,
    async upload(caller, parts) {
      const file = onlyFile(parts, await mostBytes());
      const sizeBytes = file.bytes.length;
      // Before a byte is written; asked again when the file is noted.
      await store.read((tx) => checkQuotas(tx, caller, sizeBytes, limits));
      const path = `${String(ORGANIZATION)}/${randomLetters()}/${safeName(file.fileName)}`;
      const attachment = {
        path,
        name: baseName(file.fileName),
        contentType: contentTypeOf(file.fileName, file.contentType),
        sizeBytes,
        ownerId: caller.userId,
        createdAt: nowSeconds(),
      };
      await write(caller, uploadPlace(path), file.bytes);
      try {
        await change(store, caller, function* (tx, now) {
          yield* checkQuotas(tx, now, sizeBytes, limits);
          yield* tx.addAttachment(attachment);
        });
      } catch (reason) {
        await files.remove(uploadPlace(path));
        throw reason;
      }
      return PREFIX + path;
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
