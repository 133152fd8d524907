/** Uploaded images that the service shows itself: avatars and custom emoji. */
import { badRequest, ServiceError } from '../../contract/errors.ts';
import type { UploadedFile } from '../../contract/handlers.ts';
import { imageTypeOf } from '../images/inspect.ts';
import type { FileStore } from './ports.ts';

const MAX_BYTES = 5 * 1024 * 1024;

export interface Image {
  readonly bytes: Uint8Array;
  /** Nobody can guess it, and no other file ever has it. */
  readonly fileName: string;
}

function newFileName(extension: string): string {
  const words = crypto.getRandomValues(new Uint32Array(4));
  return `${Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('')}.${extension}`;
}

/**
 * The image of a request, under a name of our own.
 * @throws BAD_REQUEST unless it is exactly one file of at most 5 MiB; BAD_IMAGE for anything but an image
 */
export function readImage(files: readonly UploadedFile[]): Image {
  const [file] = files;
  if (file === undefined || files.length > 1) throw badRequest('Exactly one file must be uploaded');
  if (file.bytes.length > MAX_BYTES) {
    throw badRequest('Uploaded file is larger than the allowed limit of 5 MiB');
  }
  const type = imageTypeOf(file.bytes);
  if (type === undefined) {
    throw new ServiceError(
      'BAD_IMAGE',
      'The file is not an image that can be read: expected PNG, GIF, JPEG or WebP',
    );
  }
  return { bytes: file.bytes, fileName: newFileName(type) };
}

/**
 * Does some work with the picture that may have come along, under the name of its file in `avatars/1`, or with null.
 * The file comes first, so that a picture that is announced can be shown; where the work fails, it goes again.
 * @throws BAD_REQUEST, BAD_IMAGE (see `readImage`)
 */
export async function withAvatar<T>(
  store: FileStore,
  uploaded: readonly UploadedFile[],
  work: (fileName: string | null) => Promise<T>,
): Promise<T> {
  if (uploaded.length === 0) return work(null);
  const { bytes, fileName } = readImage(uploaded);
  const path = `avatars/1/${fileName}`;
  await store.write(path, bytes);
  try {
    return await work(fileName);
  } catch (error) {
    await store.remove(path);
    throw error;
  }
}
