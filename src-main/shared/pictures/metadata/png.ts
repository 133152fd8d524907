import { ascii, joined, PictureCopy, nameAt, nothing, says } from './cut.ts';
import { orientationOnly } from './exif.ts';

/** Optional chunks that a picture is shown by. */
const shown: ReadonlySet<string> = new Set([
  ...['acTL', 'fcTL', 'fdAT', 'tRNS', 'bKGD', 'pHYs'],
  ...['iCCP', 'cHRM', 'gAMA', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI'],
]);
const texts: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt']);
/** Keywords of texts that hold EXIF, IPTC or XMP. */
const profiles = ['XML:com.adobe.xmp', 'Raw profile type '];
/** Length and name before the data of a chunk; all that is around them. */
const [HEAD, FRAME] = [8, 12];

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ ((crc & 1) === 0 ? 0 : 0xedb88320);
  }
  return ~crc >>> 0;
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function turnChunk(tiff: Uint8Array): Uint8Array {
  const turn = orientationOnly(tiff);
  if (turn.length === 0) return nothing;
  const named = joined(ascii('eXIf'), turn);
  return joined(uint32(turn.length), named, uint32(crc32(named)));
}

/** Capital letters begin what a decoder cannot do without. */
const isShown = (name: string): boolean => /^[A-Z]/.test(name) || shown.has(name);

/** Keeps what is needed to decode it, its animation and its colours; what follows the end of the picture is cut. */
export function cutPng(bytes: Uint8Array, view: DataView): PictureCopy | null {
  const copy = new PictureCopy(bytes);
  copy.keep(0, 8);
  let hasExif = false;
  for (let at = 8; at + HEAD <= bytes.length && copy.goesOn();) {
    const name = nameAt(bytes, at + 4);
    if (!/^[A-Za-z]{4}$/.test(name)) break;
    const end = Math.min(at + FRAME + view.getUint32(at), bytes.length);
    if (name === 'eXIf') {
      copy.replace(at, end, hasExif ? nothing : turnChunk(bytes.subarray(at + HEAD, end)));
      hasExif = true;
    } else if (isShown(name)) {
      copy.keep(at, end);
    } else if (texts.has(name)) {
      copy.hadCameraData ||= profiles.some((profile) => says(bytes, at + HEAD, profile));
    }
    copy.hasPixels ||= name === 'IDAT';
    if (name === 'IEND') break;
    at = end;
  }
  return copy;
}
