/** The one thing in EXIF that a picture is shown by: how it is turned. */
import { nothing, says } from './cut.ts';

const ORIENTATION = 0x0112;
/** Bytes of an entry of a TIFF directory. */
const ENTRY = 12;
const UPRIGHT = 1;

/** @returns 1 to 8 as EXIF counts; upright where the TIFF does not say */
function orientationOf(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = says(tiff, 0, 'II');
  if (!isLittle && !says(tiff, 0, 'MM')) return UPRIGHT;
  try {
    const directory = view.getUint32(4, isLittle);
    const count = view.getUint16(directory, isLittle);
    for (let index = 0; index < count; index += 1) {
      const entry = directory + 2 + index * ENTRY;
      if (view.getUint16(entry, isLittle) !== ORIENTATION) continue;
      const value = view.getUint16(entry + 8, isLittle);
      return value >= 1 && value <= 8 ? value : UPRIGHT;
    }
  } catch (error) {
    // The directory leads out of the data.
    if (!(error instanceof RangeError)) throw error;
  }
  return UPRIGHT;
}

/**
 * A TIFF that says nothing but how the picture is turned; empty where it stands upright.
 * @param tiff  the data of EXIF, without `Exif\0\0`
 */
export function orientationOnly(tiff: Uint8Array): Uint8Array {
  const orientation = orientationOf(tiff);
  if (orientation === UPRIGHT) return nothing;
  return new Uint8Array([
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8],
    ...[0, 1, ORIENTATION >> 8, ORIENTATION & 0xff, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  ]);
}
