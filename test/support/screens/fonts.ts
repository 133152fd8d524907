import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { projectDir } from '../machine.ts';

/** Fonts whose letters are as wide as in those of systems, whatever this computer has. */
const fonts = {
  /** As of Ubuntu Condensed or Arial Narrow. */
  narrow: { scale: 0.9, average: 0.4, widest: 1 },
  /** As of Segoe UI or Roboto. */
  usual: { scale: 1.12, average: 0.5, widest: 1.5 },
  /** Wider than Noto Sans, Verdana and DejaVu Sans. */
  wide: { scale: 1.32, average: 0.6, widest: 3.5 },
} as const;

export type FontName = keyof typeof fonts;

export const fontNames = Object.keys(fonts) as readonly FontName[];

const weights = { 400: 'Regular', 700: 'Bold' } as const;

/** Where tables of a font say how wide its letters are, from which browsers make the width of an empty field. */
const fields = {
  average: ['OS/2', 2],
  units: ['head', 18],
  least: ['head', 36],
  most: ['head', 40],
} as const;

function offsetOf(font: DataView, [table, at]: readonly [string, number]): number {
  const FIRST_TABLE = 12;
  const tagOf = (entry: number): string =>
    [0, 1, 2, 3].map((i) => String.fromCharCode(font.getUint8(entry + i))).join('');
  let entry = FIRST_TABLE;
  while (tagOf(entry) !== table) entry += 16;
  return font.getUint32(entry + 8) + at;
}

/** A sans-serif with a table of contents that speaks of letters as wide as those of `name`. */
async function bytesOf(name: FontName, weight: keyof typeof weights): Promise<string> {
  const { scale, average, widest } = fonts[name];
  const file = `node_modules/katex/dist/fonts/KaTeX_SansSerif-${weights[weight]}.ttf`;
  const bytes = await readFile(join(projectDir, file));
  const font = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const units = font.getUint16(offsetOf(font, fields.units)) / scale;
  font.setInt16(offsetOf(font, fields.average), Math.round(units * average));
  font.setInt16(offsetOf(font, fields.least), 0);
  font.setInt16(offsetOf(font, fields.most), Math.round(units * widest));
  return bytes.toString('base64');
}

interface Face {
  readonly name: string;
  readonly weight: string;
  readonly scale: string;
  readonly base64: string;
}

/** Draws the page in that font while `look` looks at it. */
export async function inFont<T>(page: Page, name: FontName, look: () => Promise<T>): Promise<T> {
  const faces = await Promise.all(
    ([400, 700] as const).map(async (weight): Promise<Face> => ({
      ...{ name, weight: String(weight), base64: await bytesOf(name, weight) },
      scale: `${String(fonts[name].scale * 100)}%`,
    })),
  );
  await page.evaluate(draw, faces);
  try {
    return await look();
  } finally {
    await page.evaluate(() => document.documentElement.style.removeProperty('--font'));
  }
}

/** Runs in the page. From bytes, because its policy lets it load no fonts from elsewhere. */
async function draw(faces: readonly Face[]): Promise<void> {
  for (const { name, weight, scale, base64 } of faces) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const face = new FontFace(name, bytes, { weight, sizeAdjust: scale } as FontFaceDescriptors);
    document.fonts.add(await face.load());
    document.documentElement.style.setProperty('--font', `${name}, sans-serif`);
  }
}
