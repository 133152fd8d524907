import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openingBounds } from '#desktop/windows/window-state.ts';

const main = { x: 0, y: 25, width: 1440, height: 875 };
const left = { x: -1920, y: 0, width: 1920, height: 1080 };

test.each([
  ['the first time', undefined, [main], { x: 170, y: 103, width: 1100, height: 720 }],
  [
    'as it was left',
    { x: 50, y: 60, width: 800, height: 600 },
    [main],
    { x: 50, y: 60, width: 800, height: 600 },
  ],
  [
    'on the second display',
    { x: -1000, y: 60, width: 800, height: 600 },
    [main, left],
    { x: -1000, y: 60, width: 800, height: 600 },
  ],
  [
    'its display gone',
    { x: -1000, y: 60, width: 800, height: 600 },
    [main],
    { x: 320, y: 163, width: 800, height: 600 },
  ],
  [
    'above the top',
    { x: 50, y: -300, width: 800, height: 600 },
    [main],
    { x: 320, y: 163, width: 800, height: 600 },
  ],
  [
    'below the bottom',
    { x: 50, y: 890, width: 800, height: 600 },
    [main],
    { x: 320, y: 163, width: 800, height: 600 },
  ],
  [
    'larger than the display',
    { x: 10, y: 30, width: 4000, height: 3000 },
    [main],
    { x: 10, y: 30, width: 1440, height: 875 },
  ],
])('%s it opens where it can be seen', (_name, kept, displays, expected) => {
  expect(openingBounds(kept, displays)).toEqual(expected);
});

test('wherever it was left, its top edge can be taken hold of', () => {
  const rectangle = fc.record({
    x: fc.integer({ min: -5000, max: 5000 }),
    y: fc.integer({ min: -5000, max: 5000 }),
    width: fc.integer({ min: 1, max: 6000 }),
    height: fc.integer({ min: 1, max: 6000 }),
  });
  const display = fc.record({
    x: fc.integer({ min: -3000, max: 3000 }),
    y: fc.integer({ min: -3000, max: 3000 }),
    width: fc.integer({ min: 640, max: 4000 }),
    height: fc.integer({ min: 480, max: 3000 }),
  });
  fc.assert(
    fc.property(rectangle, fc.array(display, { minLength: 1, maxLength: 3 }), (kept, displays) => {
      const opened = openingBounds(kept, displays);
      const isReachable = displays.some((area) => {
        const seen =
          Math.min(opened.x + opened.width, area.x + area.width) - Math.max(opened.x, area.x);
        return seen >= 120 && opened.y >= area.y && opened.y + 40 <= area.y + area.height;
      });
      expect(isReachable).toBe(true);
      expect(opened.width).toBeGreaterThanOrEqual(360);
    }),
  );
});
