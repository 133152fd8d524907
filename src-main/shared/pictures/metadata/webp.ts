import { ascii, joined, PictureCopy, nameAt, nothing, says } from './cut.ts';
import { orientationOnly } from './exif.ts';

const pixels: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ANMF']);
const shown: ReadonlySet<string> = new Set([...pixels, 'VP8X', 'ALPH', 'ANIM', 'ICCP']);
/** Bits of VP8X that announce chunks. */
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];
/** Some writers put the name of JPEG's segment before the TIFF. */
const EXIF = 'Exif\0\0';
/** Before the first chunk: RIFF, size, WEBP. */
const HEAD = 12;
/** Where the flags are: VP8X is the first chunk or not there. */
const FLAGS = HEAD + 8;

function littleUint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function turnChunk(data: Uint8Array): Uint8Array {
  const turn = orientationOnly(says(data, 0, EXIF) ? data.subarray(EXIF.length) : data);
  return turn.length === 0 ? nothing : joined(ascii('EXIF'), littleUint32(turn.length), turn);
}

/** Keeps pixels, animation, transparency, colour profile and the turn; what follows the end of the picture is cut. */
export function cutWebp(bytes: Uint8Array, view: DataView): PictureCopy | null {
  const size = view.getUint32(4, true);
  const limit = Math.min(8 + size, bytes.length);
  const copy = new PictureCopy(bytes);
  copy.keep(0, HEAD);
  const isExtended = nameAt(bytes, HEAD) === 'VP8X';
  let hasTurn = false;
  for (let at = HEAD; at + 8 <= limit && copy.goesOn();) {
    const length = view.getUint32(at + 4, true);
    // Longer than the picture says it is: no decoder takes that. Cut short it may be.
    if (at + 8 + length > limit && limit < bytes.length) return null;
    const end = Math.min(at + 8 + length + (length % 2), limit);
    const name = nameAt(bytes, at);
    if (name === 'EXIF') {
      // Without flags that announce it, no decoder looks for it.
      const turn: Uint8Array =
        isExtended && !hasTurn ? turnChunk(bytes.subarray(at + 8, end)) : nothing;
      copy.replace(at, end, turn);
      hasTurn ||= turn.length > 0;
    } else if (shown.has(name)) {
      copy.keep(at, end);
    }
    copy.hadCameraData ||= name === 'XMP ';
    copy.hasPixels ||= pixels.has(name);
    at = end;
  }
  writeHead(copy.bytes(), { isExtended, hasTurn, size: size - (limit - copy.length) });
  return copy;
}

/** @param head.size  of all that follows it */
function writeHead(
  bytes: Uint8Array,
  head: { readonly isExtended: boolean; readonly hasTurn: boolean; readonly size: number },
): void {
  bytes.set(littleUint32(head.size), 4);
  const flags = bytes[FLAGS];
  if (!head.isExtended || flags === undefined) return;
  bytes[FLAGS] = (flags & ~(HAS_EXIF | HAS_XMP)) | (head.hasTurn ? HAS_EXIF : 0);
}
