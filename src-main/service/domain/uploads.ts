/** Uploaded files: storing them, and who may see them (API decisions, section 7.6). */
import { badRequest, ServiceError } from '../../contract/errors.ts';
import type { StoredFile } from '../../contract/files.ts';
import type { Caller, UploadedFile } from '../../contract/handlers.ts';
import type { Attachment } from '../../contract/models/attachment.ts';
import type { Rendered } from '../markdown/render.ts';
import type { AttachmentRow, Store } from '../store/port.ts';
import type { DomainContext } from './ports.ts';
import { baseName, contentTypeOf, safeName } from './rules/file-types.ts';
import { canReadHistory, factsOf } from './rules/permissions.ts';
import { realmSettings } from './rules/realm-settings.ts';

/** The one organization of a service. */
const ORGANIZATION = 1;
const RANDOM_LETTERS = 24;
const PREFIX = '/user_uploads/';

export interface UploadOperations {
  /**
   * Stores a file; settles when it is on disk.
   * @returns its address on this server
   * @throws BAD_REQUEST unless there is exactly one file of at most `maxBytes`; REALM_UPLOAD_QUOTA
   */
  readonly upload: (caller: Caller, files: readonly UploadedFile[]) => Promise<string>;
  readonly listAttachments: (caller: Caller) => Promise<{
    readonly attachments: readonly Attachment[];
    readonly usedBytes: number;
  }>;
  /** @throws BAD_REQUEST when there is none, or it is somebody else's */
  readonly removeAttachment: (caller: Caller, id: number) => Promise<void>;
  /** @param path  what follows `/user_uploads/`, decoded */
  readonly findUpload: (
    caller: Caller,
    path: string,
  ) => Promise<StoredFile | 'absent' | 'forbidden'>;
}

export type FileAccessStore = Pick<
  Store,
  'findAttachment' | 'findStream' | 'holdsLinkTo' | 'isMember' | 'listLinkingStreamIds'
>;

/** As `findVisibleMessage` decides, for all messages at once that link to the file. */
async function canSee(
  store: FileAccessStore,
  caller: Caller,
  file: AttachmentRow,
): Promise<boolean> {
  if (file.owner_id === caller.userId) return true;
  if (await store.holdsLinkTo(file.id, caller.userId)) return true;
  for (const streamId of await store.listLinkingStreamIds(file.id)) {
    const stream = await store.findStream(streamId);
    if (stream === undefined || stream.is_archived === 1) continue;
    const isSubscribed = await store.isMember(stream.recipient_id, caller.userId);
    if (canReadHistory(caller, factsOf(stream), isSubscribed)) return true;
  }
  return false;
}

/**
 * The paths of the files that a message by this author shows to its readers, as `linkAttachments` takes them. Who may
 * not see a file does not open it to others, or to themselves, by naming its address.
 */
export async function sharedPaths(
  store: FileAccessStore,
  author: Caller,
  { uploadPaths }: Pick<Rendered, 'uploadPaths'>,
): Promise<readonly string[]> {
  const shared: string[] = [];
  for (const path of new Set(uploadPaths.map((each) => each.normalize('NFC')))) {
    const file = await store.findAttachment(path);
    if (file !== undefined && (await canSee(store, author, file))) shared.push(path);
  }
  return shared;
}

/** Letters that nobody guesses. */
function randomLetters(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_LETTERS));
  return Array.from(bytes, (byte) => letters[byte & 63]).join('');
}

/** Without the file's name, which not every file system can write. */
const placeOf = (path: string): string => `uploads/${path.split('/').slice(0, 2).join('/')}`;

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

type UploadStore = FileAccessStore &
  Pick<
    Store,
    'addAttachment' | 'countUploadedBytes' | 'findRealm' | 'listAttachments' | 'removeAttachment'
  >;

export function uploadOperations(
  store: UploadStore,
  context: DomainContext,
  limits: { readonly maxBytes: number },
): UploadOperations {
  const { files, nowSeconds } = context;

  /** Before a byte is written; the store looks again when it notes the file. */
  async function quotaFor(sizeBytes: number): Promise<number | null> {
    const settings = realmSettings(await store.findRealm());
    const { upload_quota: quota } = settings as { readonly upload_quota: number | null };
    if (quota !== null && (await store.countUploadedBytes()) + sizeBytes > quota) {
      throw new ServiceError(
        'REALM_UPLOAD_QUOTA',
        'Upload would exceed your organization’s upload quota',
      );
    }
    return quota;
  }

  return {
    async upload(caller, parts) {
      const file = onlyFile(parts, limits.maxBytes);
      const quotaBytes = await quotaFor(file.bytes.length);
      const path = `${String(ORGANIZATION)}/${randomLetters()}/${safeName(file.fileName)}`;
      const attachment = {
        path,
        name: baseName(file.fileName),
        contentType: contentTypeOf(file.fileName, file.contentType),
        sizeBytes: file.bytes.length,
        ownerId: caller.userId,
        createdAt: nowSeconds(),
      };
      await files.write(placeOf(path), file.bytes);
      try {
        await store.addAttachment(attachment, quotaBytes);
      } catch (reason) {
        await files.remove(placeOf(path));
        throw reason;
      }
      return PREFIX + path;
    },
    listAttachments: (caller) => store.listAttachments(caller.userId),
    async removeAttachment(caller, id) {
      await files.remove(placeOf(await store.removeAttachment(id, caller.userId)));
    },
    async findUpload(caller, path) {
      const row = await store.findAttachment(path.normalize('NFC'));
      if (row === undefined) return 'absent';
      if (!(await canSee(store, caller, row))) return 'forbidden';
      return {
        name: row.name,
        contentType: row.content_type,
        sizeBytes: row.size_bytes,
        version: String(row.id),
        read: (from, to) => files.stream(placeOf(row.path), from, to),
      };
    },
  };
}
