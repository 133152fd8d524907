import { cappedCount, type Badge } from '#shared/policies/unread-counts.ts';

/** Pixels from side to side. */
export const BADGE_SIZE = 16;
/** Digits of three by five dots, row by row: no font is at hand in the main process. */
const glyphs: Readonly<Record<string, readonly string[]>> = {
  '0': ['###', '#.#', '#.#', '#.#', '###'],
  '1': ['.#.', '##.', '.#.', '.#.', '###'],
  '2': ['###', '..#', '###', '#..', '###'],
  '3': ['###', '..#', '###', '..#', '###'],
  '4': ['#.#', '#.#', '###', '..#', '..#'],
  '5': ['###', '#..', '###', '..#', '###'],
  '6': ['###', '#..', '###', '#.#', '###'],
  '7': ['###', '..#', '.#.', '.#.', '.#.'],
  '8': ['###', '#.#', '###', '#.#', '###'],
  '9': ['###', '#.#', '###', '..#', '###'],
  '+': ['...', '.#.', '###', '.#.', '...'],
  '!': ['.#.', '.#.', '.#.', '...', '.#.'],
};

/** Pixels of 16 by 16, four bytes each (blue, green, red, alpha): a disc with a text of up to three characters. */
export function badgePixels(text: string): Uint8Array {
  const pixels = new Uint8Array(BADGE_SIZE * BADGE_SIZE * 4);
  const set = (x: number, y: number, colour: readonly number[]): void =>
    pixels.set(colour, (y * BADGE_SIZE + x) * 4);
  const disc = [0x2a, 0x3c, 0xc2, 0xff];
  const white = [0xff, 0xff, 0xff, 0xff];
  for (let y = 0; y < BADGE_SIZE; y += 1) {
    for (let x = 0; x < BADGE_SIZE; x += 1) {
      if (Math.hypot(x - 7.5, y - 7.5) <= 8) set(x, y, disc);
    }
  }
  const shown = Array.from(text).slice(0, 3);
  const left = Math.round((BADGE_SIZE - (shown.length * 4 - 1)) / 2);
  shown.forEach((character, index) => {
    (glyphs[character] ?? []).forEach((row, dy) => {
      Array.from(row).forEach((dot, dx) => {
        if (dot === '#') set(left + index * 4 + dx, 6 + dy, white);
      });
    });
  });
  return pixels;
}

/** The text on the icon; empty for none. */
export const badgeText = ({ badge, problem }: Badge): string => {
  if (problem !== null) return '!';
  return badge > 0 ? cappedCount(badge) : '';
};
