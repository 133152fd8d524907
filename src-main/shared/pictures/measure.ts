/** What a picture is and how large it would be, told by its bytes and not by its name, before anything decodes it. */
import { measureAvif } from './avif.ts';
import { letters } from './letters.ts';
import type { PictureSize } from './size.ts';
import { measureWebp } from './webp.ts';

type PictureType = 'png' | 'gif' | 'jpg' | 'webp' | 'bmp' | 'avif';

interface Picture extends PictureSize {
  readonly type: PictureType;
}

/** As the format announces it; whatever is missing ends the reading with a RangeError. */
type Measure = (view: DataView) => PictureSize | null;

const PNG_SIGNATURE = '\u0089PNG\r\n\u001a\n';

function measurePng(view: DataView): PictureSize | null {
  if (letters(view, 12, 4) !== 'IHDR') return null;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  // The number of moments stands before the first pixels, or counts for nothing.
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const name = letters(view, at + 4, 4);
    if (name === 'acTL') return { ...size, frames: Math.max(1, view.getUint32(at + 8)) };
    if (name === 'IDAT') break;
  }
  return { ...size, frames: 1 };
}

/** The bytes that the colours of a GIF take, by the flags before them. */
const colorBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

/** Where the data of a block of a GIF end, which come in pieces with their lengths. */
function afterPieces(view: DataView, start: number): number {
  let at = start;
  while (view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
  return at + 1;
}

function measureGif(view: DataView): PictureSize | null {
  let width = view.getUint16(6, true);
  let height = view.getUint16(8, true);
  let frames = 0;
  try {
    let at = 13 + colorBytes(view.getUint8(10));
    for (let kind = view.getUint8(at); kind === 0x21 || kind === 0x2c; kind = view.getUint8(at)) {
      if (kind === 0x2c) {
        frames += 1;
        // Browsers make room for a picture that leaves its area.
        width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
        height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
        at += 11 + colorBytes(view.getUint8(at + 9));
      } else {
        at += 2;
      }
      at = afterPieces(view, at);
    }
  } catch (error) {
    // Cut short: what came before is shown.
    if (!(error instanceof RangeError)) throw error;
  }
  return frames === 0 ? null : { width, height, frames };
}

/** Begins of the frame: those between 0xc0 and 0xcf that are no tables. */
const isFrameOfJpeg = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function measureJpeg(view: DataView): PictureSize | null {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (isFrameOfJpeg(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), frames: 1 };
    }
    // Pixels before any size, or the end.
    if (marker === 0xda || marker === 0xd9) return null;
    const isFilling = marker === 0xff;
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isFilling ? 1 : 2 + (isAlone ? 0 : view.getUint16(at + 2));
  }
  return null;
}

/** The lengths of the headers that there are. */
const bmpHeaders: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

function measureBmp(view: DataView): PictureSize | null {
  if (!bmpHeaders.has(view.getUint32(14, true))) return null;
  const isOld = view.getUint32(14, true) === 12;
  const width = isOld ? view.getUint16(18, true) : view.getInt32(18, true);
  // A negative height is one from top to bottom.
  const height = isOld ? view.getUint16(20, true) : Math.abs(view.getInt32(22, true));
  return { width, height, frames: 1 };
}

function formatOf(
  view: DataView,
): { readonly type: PictureType; readonly measure: Measure } | null {
  if (letters(view, 0, 8) === PNG_SIGNATURE) return { type: 'png', measure: measurePng };
  if (/^GIF8[79]a$/.test(letters(view, 0, 6))) return { type: 'gif', measure: measureGif };
  if (letters(view, 0, 3) === '\u00ff\u00d8\u00ff') return { type: 'jpg', measure: measureJpeg };
  if (/^RIFF[^]{4}WEBP$/.test(letters(view, 0, 12))) return { type: 'webp', measure: measureWebp };
  if (letters(view, 4, 4) === 'ftyp') return { type: 'avif', measure: measureAvif };
  return letters(view, 0, 2) === 'BM' ? { type: 'bmp', measure: measureBmp } : null;
}

/** Null where the bytes are no picture that every browser shows. */
export function measurePicture(bytes: Uint8Array): Picture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const format = formatOf(view);
    const size = format?.measure(view) ?? null;
    if (format === null || size === null || size.width <= 0 || size.height <= 0) return null;
    return { type: format.type, ...size };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
