/** Uploaded images that the service shows itself: avatars, custom emoji and the picture of the organization. */
import { PICTURE_MIB, PICTURE_SIDE } from '#shared/api/bounds.ts';
import { refusal } from '#shared/api/refusal.ts';
import { withoutMetadata } from '#shared/pictures/metadata/metadata.ts';
import { measurePicture } from '#shared/pictures/measure.ts';
import { isSmallPicture } from '#shared/pictures/size.ts';
import type { UploadedFile } from '#service/core/ports/handlers.ts';
import type { FileStore } from '#service/core/ports/environment.ts';
import { avatarPlace } from './file-paths.ts';

/** Those that every browser shows, in the places of an emoji and of a face too. */
const types: ReadonlySet<string> = new Set(['png', 'gif', 'jpg', 'webp']);
const MAX_BYTES = PICTURE_MIB * 1024 * 1024;

export interface Image {
  /** Without metadata: anybody may fetch it. */
  readonly bytes: Uint8Array;
  /** Nobody can guess it, and no other file ever has it. */
  readonly fileName: string;
}

function newFileName(extension: string): string {
  const words = crypto.getRandomValues(new Uint32Array(4));
  return `${Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('')}.${extension}`;
}

/**
 * The image of a request, without metadata and under a name of our own.
 * @throws BAD_REQUEST unless it is exactly one file of at most 5 MiB, and no picture that takes
 *         a computer much room to show (API decisions 13); BAD_IMAGE for anything but an image
 */
export function readImage(files: readonly UploadedFile[]): Image {
  const [file] = files;
  if (file === undefined || files.length > 1) throw refusal('one_image_expected');
  if (file.bytes.length > MAX_BYTES) {
    throw refusal('avatar_too_large', { limit: PICTURE_MIB });
  }
  const picture = measurePicture(file.bytes);
  const bytes = withoutMetadata(file.bytes);
  if (picture === null || bytes === null || !types.has(picture.type)) {
    throw refusal('unreadable_image');
  }
  if (!isSmallPicture(picture)) {
    throw refusal('image_too_large', { side: PICTURE_SIDE });
  }
  return { bytes, fileName: newFileName(picture.type) };
}

/**
 * Does some work with an image, whose file comes first, so that one that is announced can be shown; where the work fails,
 * it goes again.
 * @param placeOf  where its file lies
 */
export async function withImage<T>(
  store: FileStore,
  { bytes, fileName }: Image,
  placeOf: (fileName: string) => string,
  work: (fileName: string) => Promise<T>,
): Promise<T> {
  const path = placeOf(fileName);
  await store.write(path, bytes);
  try {
    return await work(fileName);
  } catch (error) {
    await store.remove(path);
    throw error;
  }
}

/**
 * The same with the picture of an account that may have come along, or with null.
 * @throws BAD_REQUEST, BAD_IMAGE (see `readImage`)
 */
export const withAvatar = <T>(
  store: FileStore,
  uploaded: readonly UploadedFile[],
  work: (fileName: string | null) => Promise<T>,
): Promise<T> =>
  uploaded.length === 0 ? work(null) : withImage(store, readImage(uploaded), avatarPlace, work);
