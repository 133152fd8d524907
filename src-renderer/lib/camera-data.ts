import { withoutCameraData } from '#shared/pictures/metadata/metadata.ts';
import { says } from '#shared/pictures/metadata/cut.ts';

/** A picture is read whole, which is no way for anything longer. */
const MOST_PICTURE_BYTES = 200 * 1024 * 1024;
const HEAD_BYTES = 12;

/** Of the formats that can tell where they were taken, and from which that can be cut. */
const isPicture = (head: Uint8Array): boolean =>
  says(head, 0, '\xff\xd8\xff') ||
  says(head, 0, '\x89PNG') ||
  says(head, 0, 'GIF8') ||
  (says(head, 0, 'RIFF') && says(head, 8, 'WEBP'));

const bytesOf = async (part: Blob): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await part.arrayBuffer());

/**
 * The file itself where nothing has to be cut from it; null where it is too large to look. Of anything but a picture only the
 * beginning is read.
 */
export async function withoutCameraDataOf(file: File): Promise<Blob | null> {
  if (!isPicture(await bytesOf(file.slice(0, HEAD_BYTES)))) return file;
  if (file.size > MOST_PICTURE_BYTES) return null;
  const bytes = await bytesOf(file);
  const cut = withoutCameraData(bytes);
  return cut === bytes ? file : new Blob([cut], { type: file.type });
}
