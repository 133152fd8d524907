/** Cuts from pictures what is not needed to show them, without decoding: pixels, turn and colours stay to the bit. */
import { measurePicture } from '../measure.ts';
import { type StripMetadata, isSame, type PictureCopy } from './cut.ts';
import { cutGif } from './gif.ts';
import { cutJpeg } from './jpeg.ts';
import { cutPng } from './png.ts';
import { cutWebp } from './webp.ts';

const formats: Readonly<Partial<Record<string, StripMetadata>>> = {
  jpg: cutJpeg,
  png: cutPng,
  webp: cutWebp,
  gif: cutGif,
};

function strippedCopyOf(bytes: Uint8Array): PictureCopy | null {
  const cut = formats[measurePicture(bytes)?.type ?? ''];
  const copy = cut?.(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return copy?.hasPixels === true ? copy : null;
}

/**
 * Without comments, texts, times, EXIF but for the turn, XMP, IPTC, thumbnails, and whatever follows the picture or is
 * unknown. The colour profile stays.
 * @returns the same bytes where there is nothing to cut; null where they are no JPEG, PNG, WebP or GIF that can be shown
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array | null {
  const copy = strippedCopyOf(bytes)?.bytes() ?? null;
  return copy !== null && isSame(copy, bytes) ? bytes : copy;
}

/**
 * The same for a picture that tells where, when or with which device it was taken (EXIF, XMP, IPTC, MPF). Anything else is
 * returned as it is, also a picture that has the source of a drawing in its texts.
 */
export function withoutCameraData(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = strippedCopyOf(bytes);
  return copy?.hadCameraData === true ? copy.bytes().slice() : bytes;
}
