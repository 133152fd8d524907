import { letters } from './letters.ts';
import type { PictureSize } from './size.ts';

interface Box {
  readonly name: string;
  /** Where its data begin and end. */
  readonly start: number;
  readonly end: number;
}

/** Boxes that hold others, with the bytes before the first of these. */
const holders: Readonly<Record<string, number>> = {
  meta: 4,
  iprp: 0,
  ipco: 0,
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  stsd: 8,
};
/** As deep as the format itself goes. */
const MAX_DEPTH = 6;

function* boxesIn(view: DataView, start: number, limit: number, depth = 0): Generator<Box> {
  for (let at = start; at + 8 <= limit;) {
    const name = letters(view, at + 4, 4);
    const short = view.getUint32(at);
    const head = short === 1 ? 16 : 8;
    // 0 is as far as there is anything, 1 says that the length follows as 64 bits.
    const long = short === 1 ? Number(view.getBigUint64(at + 8)) : short;
    const end = short === 0 ? limit : Math.min(at + long, limit);
    if (end < at + head) return;
    yield { name, start: at + head, end };
    const skipped = Object.hasOwn(holders, name) ? holders[name] : undefined;
    if (skipped !== undefined && depth < MAX_DEPTH) {
      yield* boxesIn(view, at + head + skipped, end, depth + 1);
    }
    at = end;
  }
}

/** The kinds of a file that browsers take for AVIF. */
function isAvif(view: DataView): boolean {
  const [first] = boxesIn(view, 0, view.byteLength);
  if (first === undefined) return false;
  for (let at = first.start; at + 4 <= first.end; at += 4) {
    if (/^avi[fs]$/.test(letters(view, at, 4))) return true;
  }
  return false;
}

/**
 * The largest of the pictures in it: which of them is shown takes more reading.
 * @throws RangeError where the bytes end too early
 */
export function measureAvif(view: DataView): PictureSize | null {
  if (!isAvif(view)) return null;
  let [width, height, frames] = [0, 0, 1];
  const take = (boxWidth: number, boxHeight: number): void => {
    width = Math.max(width, boxWidth);
    height = Math.max(height, boxHeight);
  };
  for (const { name, start } of boxesIn(view, 0, view.byteLength)) {
    if (name === 'ispe') take(view.getUint32(start + 4), view.getUint32(start + 8));
    if (name === 'av01') take(view.getUint16(start + 24), view.getUint16(start + 26));
    if (name === 'stsz' || name === 'stz2') frames = Math.max(frames, view.getUint32(start + 8));
  }
  return { width, height, frames };
}
