/** Bytes of pictures as the page can show them, measured before anything decodes them (API decisions 13). */
import { measurePicture } from '#shared/pictures/measure.ts';
import {
  isPlayedPicture,
  isShownPicture,
  MAX_WHOLE_PIXELS,
  pixelsOf,
} from '#shared/pictures/size.ts';

/** A picture that can be shown: addresses of bytes that this page holds. */
export interface LoadedImage {
  readonly url: string;
  /** The first moment of a picture that moves; the same as `url` of one that does not. */
  readonly stillUrl: string;
  readonly isAnimated: boolean;
}

/** In pixels, of what was made smaller: every encoder takes it. */
const MAX_SIDE = 8192;

/** Null where the bytes are no picture, or one of more pixels than a window decodes. */
export async function showable(
  blob: Blob,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<LoadedImage | null> {
  const picture = measurePicture(bytes);
  if (picture === null || !isShownPicture(picture)) return null;
  if (pixelsOf(picture) > MAX_WHOLE_PIXELS) return still(await inTurn(() => redrawn(blob)));
  if (picture.frames === 1) return still(blob);
  const first = await redrawn(blob);
  if (first === null || !isPlayedPicture(picture)) return still(first);
  return {
    url: URL.createObjectURL(blob),
    stillUrl: URL.createObjectURL(first),
    isAnimated: true,
  };
}

function still(blob: Blob | null): LoadedImage | null {
  if (blob === null) return null;
  const url = URL.createObjectURL(blob);
  return { url, stillUrl: url, isAnimated: false };
}

let turn: Promise<unknown> = Promise.resolve();

/** One after the other: each takes hundreds of megabytes while it is decoded. */
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const result = turn.then(run);
  turn = result;
  return result;
}

/** The first moment, and no larger than what is shown whole. Null where it cannot be decoded. */
async function redrawn(blob: Blob): Promise<Blob | null> {
  try {
    const bitmap = await createImageBitmap(blob);
    const { width, height } = bitmap;
    const scale = Math.min(
      1,
      Math.sqrt(MAX_WHOLE_PIXELS / pixelsOf({ width, height, frames: 1 })),
      MAX_SIDE / Math.max(width, height),
    );
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.floor(width * scale));
    canvas.height = Math.max(1, Math.floor(height * scale));
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    // A PNG of a photograph would be many times as long.
    const type = scale < 1 ? 'image/webp' : 'image/png';
    return await new Promise((resolve) => canvas.toBlob(resolve, type));
  } catch {
    return null;
  }
}
