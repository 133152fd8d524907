/** The two containers that keep one icon in several sizes, each of them a PNG. */

export interface SizedPng {
  /** Width and height in pixels. */
  readonly size: number;
  readonly png: Buffer;
}

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;

/** A Windows .ico; its sizes are at most 256. */
export function ico(images: readonly SizedPng[]): Buffer {
  const directory = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * images.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(images.length, 4);
  let offset = directory.length;
  for (const [index, { size, png }] of images.entries()) {
    const at = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * index;
    // The format has one byte for a side, and writes 256 as 0.
    directory.writeUInt8(size % 256, at);
    directory.writeUInt8(size % 256, at + 1);
    directory.writeUInt16LE(1, at + 4);
    directory.writeUInt16LE(32, at + 6);
    directory.writeUInt32LE(png.length, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([directory, ...images.map(({ png }) => png)]);
}

/** The kinds of an .icns that hold a PNG, by their size: the plain ones and those of a screen with twice the dots. */
const icnsTypes: readonly { readonly type: string; readonly size: number }[] = [
  { type: 'icp4', size: 16 },
  { type: 'icp5', size: 32 },
  { type: 'ic11', size: 32 },
  { type: 'ic12', size: 64 },
  { type: 'ic07', size: 128 },
  { type: 'ic13', size: 256 },
  { type: 'ic08', size: 256 },
  { type: 'ic14', size: 512 },
  { type: 'ic09', size: 512 },
  { type: 'ic10', size: 1024 },
];

export const icnsSizes: readonly number[] = [...new Set(icnsTypes.map(({ size }) => size))];

/** A macOS .icns of the images whose size it has a kind for. */
export function icns(images: readonly SizedPng[]): Buffer {
  const chunks = icnsTypes.flatMap(({ type, size }) => {
    const image = images.find((each) => each.size === size);
    return image === undefined ? [] : [chunk(type, image.png)];
  });
  return chunk('icns', Buffer.concat(chunks));
}

function chunk(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32BE(header.length + content.length, 4);
  return Buffer.concat([header, content]);
}
