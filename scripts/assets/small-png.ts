/** PNGs of at most 256 colours: pictures of an interface need few, and become a third as large. */
import { encode } from 'fast-png';
import type { Page } from 'playwright';

interface Indexed {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each colour. */
  readonly palette: number[][];
  /** Base64 of one byte for each pixel. */
  readonly pixels: string;
}

/** Runs in a page, which can read the picture. The flat colours of the interface stay exactly what they are. */
async function index(png: string): Promise<Indexed> {
  const COLOURS = 256;
  const EXACT = 128;
  const bitmap = await createImageBitmap(await (await fetch(png)).blob());
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height).getContext('2d');
  if (canvas === null) throw new Error('no canvas');
  canvas.drawImage(bitmap, 0, 0);
  const rgba = new Uint32Array(canvas.getImageData(0, 0, width, height).data.buffer);

  const counts = new Map<number, number>();
  for (const pixel of rgba) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const channels = (pixel: number): readonly [number, number, number] => [
    pixel & 255,
    (pixel >> 8) & 255,
    (pixel >> 16) & 255,
  ];
  const chosen = byCount
    .slice(0, byCount.length > COLOURS ? EXACT : COLOURS)
    .map(([pixel]) => pixel);

  // What is left, such as photographs and the edges of letters, by cells of similar colours, the fullest first.
  const cells = new Map<number, { count: number; sums: [number, number, number] }>();
  for (const [pixel, count] of byCount.slice(chosen.length)) {
    const [red, green, blue] = channels(pixel);
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    const cell = cells.get(key) ?? { count: 0, sums: [0, 0, 0] };
    cells.set(key, cell);
    cell.count += count;
    [red, green, blue].forEach((value, i) => (cell.sums[i as 0 | 1 | 2] += value * count));
  }
  const means = [...cells.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, COLOURS - chosen.length)
    .map(({ count, sums }) => sums.map((sum) => Math.round(sum / count)));
  const palette = [...chosen.map((pixel) => [...channels(pixel)]), ...means];

  const nearest = new Map(chosen.map((pixel, i) => [pixel, i]));
  const find = (pixel: number): number => {
    const [red, green, blue] = channels(pixel);
    let best = 0;
    let least = Infinity;
    palette.forEach(([r = 0, g = 0, b = 0], i) => {
      const distance = 2 * (r - red) ** 2 + 4 * (g - green) ** 2 + 3 * (b - blue) ** 2;
      if (distance < least) [least, best] = [distance, i];
    });
    nearest.set(pixel, best);
    return best;
  };
  const pixels = Uint8Array.from(rgba, (pixel) => nearest.get(pixel) ?? find(pixel));
  let binary = '';
  for (let i = 0; i < pixels.length; i += 8192) {
    binary += String.fromCharCode(...pixels.subarray(i, i + 8192));
  }
  return { width, height, palette, pixels: btoa(binary) };
}

/** @param page  any page; it stays what it is */
export async function smallPng(page: Page, png: Uint8Array): Promise<Uint8Array> {
  const source = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const { width, height, palette, pixels } = await page.evaluate(index, source);
  const data = Buffer.from(pixels, 'base64');
  return encode({ width, height, data, depth: 8, channels: 1, palette }, { zlib: { level: 9 } });
}
