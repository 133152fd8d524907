/** How large pictures may be (API decisions 13). */
import { PICTURE_SIDE } from '../api/bounds.ts';

export interface PictureSize {
  /** In pixels; of the whole area on which an animation draws. */
  readonly width: number;
  readonly height: number;
  /** How many moments it has: 1 unless it moves. */
  readonly frames: number;
}

/** Counts all moments of an avatar or emoji, and one of a picture in a message. */
const MAX_PIXELS = 100_000_000;
/** Over all moments of what a window plays: a minute of a recorded screen. */
const MAX_PLAYED_PIXELS = 1_000_000_000;
/** What is larger is made smaller once, before it is shown. */
export const MAX_WHOLE_PIXELS = PICTURE_SIDE * PICTURE_SIDE;

export const pixelsOf = ({ width, height }: PictureSize): number => width * height;

/** Whether it can be somebody's face or an emoji. */
export const isSmallPicture = (picture: PictureSize): boolean =>
  Math.max(picture.width, picture.height) <= PICTURE_SIDE &&
  pixelsOf(picture) * picture.frames <= MAX_PIXELS;

/** Whether a window may decode it; else it is a file like every other one. */
export const isShownPicture = (picture: PictureSize): boolean => pixelsOf(picture) <= MAX_PIXELS;

/** Whether a window may let it move. */
export const isPlayedPicture = (picture: PictureSize): boolean =>
  pixelsOf(picture) <= MAX_WHOLE_PIXELS && pixelsOf(picture) * picture.frames <= MAX_PLAYED_PIXELS;
