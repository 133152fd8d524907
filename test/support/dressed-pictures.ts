/** Pictures as cameras and editors write them: pixels of the tests, and around them what says where they were taken. */

export type Bytes = Uint8Array<ArrayBuffer>;

/** Stands in everything that a stranger may not read. */
export const SECRET = '48.2082N 16.3738E';

export interface Dress {
  /** As EXIF counts; 1 says nothing. */
  readonly orientation: number;
  readonly hasProfile: boolean;
  /** With everything that has to go; else what has to stay, as it has to stay. */
  readonly hasSecrets: boolean;
}

export const bytesOf = (...parts: readonly (string | Uint8Array | readonly number[])[]): Bytes => {
  const lists = parts.map((part) =>
    typeof part === 'string' ? Uint8Array.from(part, (letter) => letter.charCodeAt(0)) : part,
  );
  const all = new Uint8Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
};

export const textOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

const number = (bytes: number, value: number, isLittle: boolean): number[] => {
  const big = Array.from(
    { length: bytes },
    (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) & 0xff,
  );
  return isLittle ? big.reverse() : big;
};

const two = (value: number): number[] => number(2, value, true);
const four = (value: number): number[] => number(4, value, true);

/** A TIFF with maker, turn and a directory of positions; little-endian, as most cameras write it. */
function tiffWithPosition(orientation: number): Bytes {
  const position = bytesOf(SECRET, [0]);
  const maker = [...two(0x010f), ...two(2), ...four(position.length), ...four(68)];
  const turn = [...two(0x0112), ...two(3), ...four(1), ...two(orientation), ...two(0)];
  const places = [...two(0x8825), ...two(4), ...four(1), ...four(50)];
  const latitude = [...two(2), ...two(2), ...four(position.length), ...four(68)];
  const first = [...two(3), ...maker, ...turn, ...places, ...four(0)];
  return bytesOf('II', two(42), four(8), first, two(1), latitude, four(0), position);
}

/** The shortest that says how it is turned. */
export const turnTiff = (orientation: number): Bytes =>
  bytesOf(
    'MM',
    [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    [0, 0, 0, 0],
  );

const xmp = `<x:xmpmeta><exif:GPSLatitude>${SECRET}</exif:GPSLatitude></x:xmpmeta>`;
const profile = 'a profile of colours';

const segment = (marker: number, ...data: readonly (string | Uint8Array)[]): Bytes => {
  const all = bytesOf(...data);
  return bytesOf([0xff, marker, ...number(2, all.length + 2, false)], all);
};

/** @param jpeg  begins with JFIF, as encoders write it */
export function dressJpeg(jpeg: Uint8Array, { orientation, hasProfile, hasSecrets }: Dress): Bytes {
  const afterJfif = 4 + (jpeg[4] ?? 0) * 256 + (jpeg[5] ?? 0);
  const exif = hasSecrets
    ? segment(0xe1, 'Exif\0\0', tiffWithPosition(orientation))
    : segment(0xe1, 'Exif\0\0', turnTiff(orientation));
  const secrets = [
    segment(0xe0, 'JFXX\0\x10', SECRET),
    segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', xmp),
    segment(0xe1, 'Exif\0\0', tiffWithPosition(3)),
    segment(0xe2, 'MPF\0', SECRET),
    segment(0xed, 'Photoshop 3.0\x008BIM', SECRET),
    segment(0xe5, SECRET),
    segment(0xfe, SECRET),
  ];
  return bytesOf(
    jpeg.subarray(0, afterJfif),
    hasSecrets || orientation !== 1 ? exif : [],
    ...(hasSecrets ? secrets : []),
    hasProfile ? segment(0xe2, 'ICC_PROFILE\0\x01\x01', profile) : [],
    jpeg.subarray(afterJfif),
    // A second picture with its own position, as MPF lists it.
    hasSecrets ? bytesOf(jpeg.subarray(0, afterJfif), exif, jpeg.subarray(afterJfif), SECRET) : [],
  );
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

export const pngChunk = (name: string, ...data: readonly (string | Uint8Array)[]): Bytes => {
  const all = bytesOf(...data);
  const named = bytesOf(name, all);
  return bytesOf(number(4, all.length, false), named, number(4, crc32(named), false));
};

export function dressPng(png: Uint8Array, { orientation, hasProfile, hasSecrets }: Dress): Bytes {
  const [head, end] = [33, png.length - 12];
  const before = [
    pngChunk('tEXt', 'Comment\0', SECRET),
    pngChunk('zTXt', 'Raw profile type exif\0\0', SECRET),
    pngChunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', xmp),
    pngChunk('eXIf', tiffWithPosition(orientation)),
    pngChunk('tIME', SECRET.slice(0, 7)),
    pngChunk('zzZz', SECRET),
  ];
  const turn = orientation === 1 ? [] : [pngChunk('eXIf', turnTiff(orientation))];
  return bytesOf(
    png.subarray(0, head),
    hasProfile ? pngChunk('iCCP', 'profile\0\0', profile) : [],
    ...(hasSecrets ? before : turn),
    png.subarray(head, end),
    ...(hasSecrets
      ? [pngChunk('eXIf', tiffWithPosition(3)), pngChunk('tEXt', 'Author\0', SECRET)]
      : []),
    png.subarray(end),
    hasSecrets ? SECRET : [],
  );
}

const webpChunk = (
  name: string,
  ...data: readonly (string | Uint8Array | readonly number[])[]
): Bytes => {
  const all = bytesOf(...data);
  return bytesOf(name, number(4, all.length, true), all, all.length % 2 === 0 ? [] : [0]);
};

/** @param webp  of 1 × 1 pixel, in its simple form: it becomes an extended one */
export function dressWebp(webp: Uint8Array, { orientation, hasProfile, hasSecrets }: Dress): Bytes {
  const hasExif = hasSecrets || orientation !== 1;
  const flags = (hasProfile ? 0x20 : 0) | (hasExif ? 0x08 : 0) | (hasSecrets ? 0x04 : 0);
  const exif = webpChunk(
    'EXIF',
    hasSecrets ? tiffWithPosition(orientation) : turnTiff(orientation),
  );
  const inside = bytesOf(
    'WEBP',
    webpChunk('VP8X', [flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    hasProfile ? webpChunk('ICCP', profile) : [],
    webp.subarray(12),
    hasExif ? exif : [],
    ...(hasSecrets ? [webpChunk('XMP ', xmp), webpChunk('secr', SECRET)] : []),
  );
  return bytesOf('RIFF', number(4, inside.length, true), inside, hasSecrets ? SECRET : []);
}

const gifExtension = (label: number, name: string, data: string): Bytes =>
  bytesOf([0x21, label], ...(name === '' ? [] : [[name.length], name]), [data.length], data, [0]);

/** A GIF is never turned. */
export function dressGif(gif: Uint8Array, { hasProfile, hasSecrets }: Dress): Bytes {
  const head = 13 + (((gif[10] ?? 0) & 0x80) === 0 ? 0 : 3 << (((gif[10] ?? 0) & 7) + 1));
  const secrets = [
    gifExtension(0xfe, '', SECRET),
    gifExtension(0xff, 'XMP DataXMP', xmp),
    gifExtension(0xff, 'SOMEBODYS10', SECRET),
    gifExtension(0x42, '', SECRET),
  ];
  return bytesOf(
    gif.subarray(0, head),
    gifExtension(0xff, 'NETSCAPE2.0', '\x01\0\0'),
    hasProfile ? gifExtension(0xff, 'ICCRGBG1012', profile) : [],
    ...(hasSecrets ? secrets : []),
    gif.subarray(head),
    hasSecrets ? SECRET : [],
  );
}
