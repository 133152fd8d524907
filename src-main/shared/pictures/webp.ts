import { letters } from './letters.ts';
import type { PictureSize } from './size.ts';

interface Chunk {
  readonly name: string;
  /** Where its data begin. */
  readonly at: number;
}

function* chunksOf(view: DataView): Generator<Chunk> {
  for (let at = 12; at + 8 <= view.byteLength;) {
    const name = letters(view, at, 4);
    yield { name, at: at + 8 };
    // Each is filled up to an even length.
    const length = view.getUint32(at + 4, true);
    at += 8 + length + (length % 2);
  }
}

const IS_ANIMATED = 2;
const countFrames = (view: DataView): number =>
  [...chunksOf(view)].filter(({ name }) => name === 'ANMF').length;

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;

/** @throws RangeError where the bytes end too early */
export function measureWebp(view: DataView): PictureSize | null {
  for (const { name, at } of chunksOf(view)) {
    if (name === 'VP8X') {
      const frames = (view.getUint8(at) & IS_ANIMATED) === 0 ? 1 : countFrames(view);
      return { width: uint24(view, at + 4) + 1, height: uint24(view, at + 7) + 1, frames };
    }
    if (name === 'VP8L') {
      const sizes = view.getUint32(at + 1, true);
      return { width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1, frames: 1 };
    }
    if (name === 'VP8 ') {
      const width = view.getUint16(at + 6, true) & 0x3fff;
      return { width, height: view.getUint16(at + 8, true) & 0x3fff, frames: 1 };
    }
  }
  return null;
}
