import type { Rectangle } from 'electron';

export const usualSize = { width: 1100, height: 720 } as const;
export const smallestSize = { width: 360, height: 400 } as const;

/** So much of the top edge has to be on a display that a person can take the window and move it. */
const GRIP = { width: 120, height: 40 } as const;

const clamp = (value: number, least: number, most: number): number =>
  Math.max(Math.min(value, most), Math.min(least, most));

/**
 * Where the window opens: as it was left where that can be seen, else in the middle of the first display.
 * @param displays  what each display leaves to windows; the first one is the main one
 */
export function openingBounds(
  kept: Rectangle | undefined,
  displays: readonly Rectangle[],
): Rectangle {
  for (const display of displays) {
    if (kept === undefined) break;
    const fitted = { x: kept.x, y: kept.y, ...fittedSize(kept, display) };
    if (hasGrip(fitted, display)) return fitted;
  }
  const first = displays[0];
  if (first === undefined) return { x: 0, y: 0, ...usualSize };
  const { width, height } = fittedSize(kept ?? usualSize, first);
  return {
    x: Math.round(first.x + (first.width - width) / 2),
    y: Math.round(first.y + (first.height - height) / 2),
    width,
    height,
  };
}

type Size = Pick<Rectangle, 'width' | 'height'>;

const fittedSize = ({ width, height }: Size, display: Size): Size => ({
  width: clamp(width, smallestSize.width, display.width),
  height: clamp(height, smallestSize.height, display.height),
});

function hasGrip(window: Rectangle, display: Rectangle): boolean {
  const left = Math.max(window.x, display.x);
  const right = Math.min(window.x + window.width, display.x + display.width);
  const below = display.y + display.height - window.y;
  return right - left >= GRIP.width && window.y >= display.y && below >= GRIP.height;
}
