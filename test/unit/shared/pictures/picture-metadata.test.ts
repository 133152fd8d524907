import { decode, encode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import { withoutCameraData, withoutMetadata } from '#shared/pictures/metadata/metadata.ts';
import {
  type Bytes,
  bytesOf,
  type Dress,
  dressGif,
  dressJpeg,
  dressPng,
  dressWebp,
  pngChunk,
  SECRET,
  textOf,
} from '#test/support/dressed-pictures.ts';
import { expectLinear } from '#test/support/growth.ts';
import { gif, jpeg, larger, png, svg, webp } from '#test/support/images.ts';
import { shortOrLong } from '#test/support/long.ts';
import { type Random, randomFrom, seedsOf } from '#test/support/random.ts';

/** Two scans with restarts, filling and a stuffed byte among them; between them tables, and a position. */
const progressive = bytesOf(
  jpeg.subarray(0, 20),
  [0xff, 0xc2, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0],
  [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, 1, 2, 0xff, 0, 3, 0xff, 0xd0, 4],
  [0xff, 0xc4, 0, 5, 1, 2, 3],
  [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, 5, 0xff, 0, 6],
  [0xff, 0xd9],
);

const pictures: readonly (readonly [
  string,
  Bytes,
  (picture: Uint8Array, dress: Dress) => Bytes,
])[] = [
  ['JPEG', jpeg, dressJpeg],
  ['progressive JPEG', progressive, dressJpeg],
  ['PNG', png, dressPng],
  ['WebP', webp, dressWebp],
  ['GIF', gif, dressGif],
  ['GIF that moves', larger.gif, dressGif],
];
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];

describe.each(pictures)('the metadata of a %s', (_, picture, dress) => {
  test('all but pixels, turn and colour profile is cut, and nothing a second time [picture-metadata.pixels-turn-colour]', () => {
    for (const orientation of orientations) {
      for (const hasProfile of [true, false]) {
        const secret = dress(picture, { orientation, hasProfile, hasSecrets: true });
        const clean = dress(picture, { orientation, hasProfile, hasSecrets: false });
        expect(textOf(secret)).toContain(SECRET);
        expect(withoutMetadata(secret)).toEqual(clean);
        expect(withoutCameraData(secret)).toEqual(clean);
        // As a part of something longer, and as it comes out.
        const within = bytesOf([1], secret).subarray(1);
        expect(withoutMetadata(within)).toEqual(clean);
        expect(withoutMetadata(clean)).toBe(clean);
        expect(withoutCameraData(clean)).toBe(clean);
      }
    }
  });

  test('metadata is cut as well where the picture ends too early, and nothing crashes', () => {
    const dressed = dress(picture, { orientation: 6, hasProfile: true, hasSecrets: true });
    for (let length = 0; length < dressed.length; length += 1) {
      const kept = withoutMetadata(dressed.subarray(0, length));
      if (kept !== null) expect(textOf(kept)).not.toContain(SECRET);
    }
  });
});

test('what cameras write between the scans of a JPEG is cut', () => {
  const second = progressive.lastIndexOf(0xda) - 1;
  const comment = [0xff, 0xfe, 0, 2 + SECRET.length];
  const secret = bytesOf(
    progressive.subarray(0, second),
    comment,
    SECRET,
    progressive.subarray(second),
  );
  expect(withoutMetadata(secret)).toEqual(progressive);
});

test('the thumbnail of a JPEG is cut, which may show what was cropped', () => {
  const head = [0xff, 0xe0, 0, 19, ...bytesOf('JFIF\0'), 1, 1, 0, 0, 72, 0, 72, 1, 1];
  const secret = bytesOf([0xff, 0xd8], head, [10, 20, 30], jpeg.subarray(20));
  const clean = bytesOf([0xff, 0xd8], head.with(3, 16).fill(0, 16), jpeg.subarray(20));
  expect(withoutMetadata(secret)).toEqual(clean);
});

test('the pixels of any PNG are the same, whatever is around them', () => {
  const seeds = seedsOf('PICTURE_SEED', shortOrLong(20, 500));
  for (const seed of seeds) {
    const random = randomFrom(seed);
    const [width, height] = [1 + random.below(20), 1 + random.below(20)];
    const data = Uint8Array.from({ length: width * height * 4 }, () => random.below(256));
    const picture = bytesOf(encode({ width, height, data, channels: 4, depth: 8 }));
    const orientation = random.pick(orientations);
    const dressed = dressPng(picture, { orientation, hasProfile: false, hasSecrets: true });
    const kept = withoutMetadata(dressed) ?? new Uint8Array();
    expect(decode(kept).data, `seed ${String(seed)}`).toEqual(data);
  }
});

test('what was not taken with a camera is uploaded as it is, with the source of a drawing in it', () => {
  const source = pngChunk('tEXt', 'mxfile\0', '<mxfile/>');
  const drawing = bytesOf(png.subarray(0, 33), source, png.subarray(33), 'more');
  expect(withoutCameraData(drawing)).toBe(drawing);
  for (const other of [svg, larger.avif, new Uint8Array()]) {
    expect(withoutCameraData(other)).toBe(other);
    expect(withoutMetadata(other)).toBeNull();
  }
});

/** A picture in which a few bytes are other ones, or repeated, or gone. */
function damaged(picture: Uint8Array, random: Random): Bytes {
  let bytes = bytesOf(picture);
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = random.below(bytes.length);
    const end = at + random.below(8);
    const middle = random.chance(0.5) ? [random.below(256)] : bytes.subarray(0, random.below(20));
    bytes = bytesOf(bytes.subarray(0, at), middle, bytes.subarray(end));
  }
  return bytes;
}

test('damaged pictures are cut once or left alone, and nothing crashes', () => {
  const seeds = seedsOf('PICTURE_SEED', shortOrLong(300, 20_000));
  for (const seed of seeds) {
    const random = randomFrom(seed);
    const [, picture, dress] = random.pick(pictures);
    const dressed = dress(picture, { orientation: 6, hasProfile: true, hasSecrets: true });
    const kept = withoutMetadata(damaged(dressed, random));
    if (kept !== null) expect(withoutMetadata(kept), `seed ${String(seed)}`).toEqual(kept);
  }
});

describe('the time that it takes', () => {
  const repeated = (part: readonly number[] | Uint8Array, times: number): Bytes =>
    bytesOf(...Array.from({ length: times }, () => part));

  test.each([
    ['segments of a JPEG', jpeg, 20, [0xff, 0xe1, 0, 2]],
    [
      'EXIF of a JPEG',
      jpeg,
      20,
      [0xff, 0xe1, 0, 18, ...bytesOf('Exif\0\0II*\0\x08\0\0\0\xff\xff')],
    ],
    ['fillers of a JPEG', jpeg, 20, [0xff]],
    ['markers of a JPEG', jpeg, jpeg.length - 2, [0xff, 0xd0]],
    ['chunks of a PNG', png, 33, pngChunk('tEXt')],
    ['turns of a PNG', png, 33, pngChunk('eXIf', 'II*\0\x08\0\0\0\xff\xff')],
    ['comments of a GIF', gif, 19, [0x21, 0xfe, 0]],
    ['pieces of a GIF', gif, 19, [0x21, 0xfe, 1, 1, 0]],
  ] as const)('the time that %s take is linear', async (what, picture, at, part) => {
    await expectLinear(
      {
        size: 20_000,
        make: (size) =>
          bytesOf(picture.subarray(0, at), repeated(part, size), picture.subarray(at)),
        run: (bytes) => {
          expect(withoutMetadata(bytes)).not.toBeNull();
        },
      },
      what,
    );
  });
});
