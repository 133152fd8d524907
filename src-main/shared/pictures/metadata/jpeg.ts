import { ascii, joined, PictureCopy, nothing, says } from './cut.ts';
import { orientationOnly } from './exif.ts';

const [START, END, SCAN] = [0xd8, 0xd9, 0xda];
const [JFIF, EXIF_OR_XMP, PROFILE_OR_MPF, IPTC, ADOBE] = [0xe0, 0xe1, 0xe2, 0xed, 0xee];
const [LAST_APPLICATION, COMMENT] = [0xef, 0xfe];
const EXIF = 'Exif\0\0';
/** The data of JFIF up to its thumbnail, and the length before them. */
const JFIF_BYTES = 16;

/** Markers without data, which stand among the pixels: 0xff itself, TEM and the restarts. */
const isAmongPixels = (marker: number): boolean =>
  marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** Where the next segment begins; behind the bytes where there is none. */
function segmentFrom(bytes: Uint8Array, start: number): number {
  for (let at = start; at + 1 < bytes.length; at += 1) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0xff && !isAmongPixels(next)) return at;
  }
  return bytes.length;
}

function turnSegment(tiff: Uint8Array): Uint8Array {
  const turn = orientationOnly(tiff);
  if (turn.length === 0) return nothing;
  const length = 2 + EXIF.length + turn.length;
  return joined(new Uint8Array([0xff, EXIF_OR_XMP, 0, length]), ascii(EXIF), turn);
}

/** Keeps of an application's segment what decoders look at. */
class Applications {
  readonly #bytes: Uint8Array;
  readonly #kept: PictureCopy;
  #hasExif = false;

  constructor(bytes: Uint8Array, copy: PictureCopy) {
    this.#bytes = bytes;
    this.#kept = copy;
  }

  /** @param at  where the segment's marker stands @param end  where the segment ends */
  take(marker: number, at: number, end: number): void {
    const isNamed = (name: string): boolean => says(this.#bytes, at + 4, name);
    const isColor =
      (marker === PROFILE_OR_MPF && isNamed('ICC_PROFILE\0')) ||
      (marker === ADOBE && isNamed('Adobe'));
    if (isColor) this.#kept.keep(at, end);
    else if (marker === EXIF_OR_XMP) this.#replaceExif(at, end);
    else if (marker === JFIF && isNamed('JFIF\0')) this.#keepWithoutThumbnail(at, end);
    this.#kept.hadCameraData ||= marker === IPTC || (marker === PROFILE_OR_MPF && isNamed('MPF\0'));
  }

  #replaceExif(at: number, end: number): void {
    const isFirst = !this.#hasExif && says(this.#bytes, at + 4, EXIF);
    const tiff = this.#bytes.subarray(at + 4 + EXIF.length, end);
    this.#kept.replace(at, end, isFirst ? turnSegment(tiff) : nothing);
    this.#hasExif ||= isFirst;
  }

  #keepWithoutThumbnail(at: number, end: number): void {
    if (end < at + 2 + JFIF_BYTES) return;
    this.#kept.add(new Uint8Array([0xff, JFIF, 0, JFIF_BYTES]));
    this.#kept.keep(at + 4, at + JFIF_BYTES);
    this.#kept.add(new Uint8Array(2));
  }
}

/** Keeps tables, frames and scans, the colour profile and the turn; what follows the end of the picture is cut. */
export function cutJpeg(bytes: Uint8Array, view: DataView): PictureCopy | null {
  const copy = new PictureCopy(bytes);
  const applications = new Applications(bytes, copy);
  copy.keep(0, 2);
  let at = segmentFrom(bytes, 2);
  while (at + 4 <= bytes.length && copy.goesOn()) {
    const marker = view.getUint8(at + 1);
    const end = at + 2 + view.getUint16(at + 2);
    // A picture that is cut short among its scans is shown.
    if (marker === START || marker === END || end < at + 4 || end > bytes.length) {
      break;
    }
    if (marker >= JFIF && marker <= LAST_APPLICATION) applications.take(marker, at, end);
    else if (marker !== COMMENT) copy.keep(at, end);
    at = segmentFrom(bytes, end);
    if (marker !== SCAN) continue;
    copy.hasPixels = true;
    copy.keep(end, at);
  }
  if (bytes[at + 1] === END) copy.keep(at, at + 2);
  return copy;
}
