/** Cuts from pictures what is not needed to show them, without decoding: pixels, turn and colours stay to the bit. */
import { measurePicture } from '../measure.ts';
import { type CutMetadata, isSame, type Kept } from './cut.ts';
import { cutGif } from './gif.ts';
import { cutJpeg } from './jpeg.ts';
import { cutPng } from './png.ts';
import { cutWebp } from './webp.ts';

const formats: Readonly<Partial<Record<string, CutMetadata>>> = {
  jpg: cutJpeg,
  png: cutPng,
  webp: cutWebp,
  gif: cutGif,
};

function keptOf(bytes: Uint8Array): Kept | null {
  const cut = formats[measurePicture(bytes)?.type ?? ''];
  const kept = cut?.(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return kept?.hasPixels === true ? kept : null;
}

/**
 * Without comments, texts, times, EXIF but for the turn, XMP, IPTC, thumbnails, and whatever follows the picture or is
 * unknown. The colour profile stays.
 * @returns the same bytes where there is nothing to cut; null where they are no JPEG, PNG, WebP or GIF that can be shown
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array | null {
  const kept = keptOf(bytes)?.bytes() ?? null;
  return kept !== null && isSame(kept, bytes) ? bytes : kept;
}

/**
 * The same for a picture that tells where, when or with which device it was taken (EXIF, XMP, IPTC, MPF). Anything else is
 * returned as it is, also a picture that has the source of a drawing in its texts.
 */
export function withoutCameraData(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const kept = keptOf(bytes);
  return kept?.hadCameraData === true ? kept.bytes().slice() : bytes;
}
