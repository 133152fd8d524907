import { expect, test } from 'vitest';
import { measurePicture } from '#shared/pictures/measure.ts';
import { gif, jpeg, larger, png, pngOf, svg, webp } from '#test/support/images.ts';

const size = (type: string, width: number, height: number, frames = 1) => ({
  ...{ type, width, height, frames },
});

test.each([
  ['PNG', png, size('png', 1, 1)],
  ['GIF', gif, size('gif', 1, 1)],
  ['JPEG', jpeg, size('jpg', 1, 1)],
  ['WebP', webp, size('webp', 1, 1)],
  ['lossless WebP', larger.losslessWebp, size('webp', 30, 20)],
  ['WebP that one can see through', larger.extendedWebp, size('webp', 30, 20)],
  ['AVIF', larger.avif, size('avif', 30, 20)],
  ['GIF that moves', larger.gif, size('gif', 30, 20, 3)],
  ['WebP that moves', larger.webp, size('webp', 30, 20, 3)],
  ['PNG that moves', pngOf(70_000, 3, 9), size('png', 70_000, 3, 9)],
])('%s tells how large it is', (_, bytes, expected) => {
  expect(measurePicture(bytes)).toEqual(expected);
  // Also as a part of something longer.
  const within = new Uint8Array([...bytes, ...png]).subarray(0, bytes.length);
  expect(measurePicture(within)).toEqual(expected);
});

test('a GIF is as large as the pictures in it, however small it says it is', () => {
  const leaving = new Uint8Array(gif);
  // The only picture's distance from the left and its height.
  const at = leaving.indexOf(0x2c, 13);
  new DataView(leaving.buffer).setUint16(at + 1, 60_000, true);
  new DataView(leaving.buffer).setUint16(at + 7, 50_000, true);
  expect(measurePicture(leaving)).toEqual(size('gif', 60_001, 50_000));
});

test('the moments of a picture that is cut short are those that came', () => {
  expect(measurePicture(larger.gif.subarray(0, larger.gif.length / 2))).toMatchObject({
    frames: 2,
  });
});

function box(name: string, ...parts: readonly (readonly number[])[]): number[] {
  const data = parts.flat();
  return [0, 0, 0, data.length + 8, ...new TextEncoder().encode(name), ...data];
}

test('an AVIF that moves is its largest track and has its moments', () => {
  const entry = box('av01', Array<number>(24).fill(0), [0x13, 0x88, 0x0b, 0xb8]);
  const samples = box('stsz', Array<number>(8).fill(0), [0, 0, 1, 44]);
  const table = box('stbl', box('stsd', Array<number>(8).fill(0), entry), samples);
  const movie = box('moov', box('trak', box('mdia', box('minf', table))));
  const type = box('ftyp', [...new TextEncoder().encode('avis')], [0, 0, 0, 0]);
  expect(measurePicture(new Uint8Array([...type, ...movie]))).toEqual(
    size('avif', 5000, 3000, 300),
  );
});

test.each([
  ['nothing', new Uint8Array()],
  ['a drawing', svg],
  ['text', new TextEncoder().encode('BMore text than a header has, though it begins like one')],
  ['a film', new Uint8Array(box('ftyp', [...new TextEncoder().encode('isom')]))],
  ['a PNG without pixels', pngOf(0, 5)],
  ['boxes that lead back', new Uint8Array([0, 0, 0, 0, ...new TextEncoder().encode('ftypavif')])],
])('%s is no picture', (_, bytes) => {
  expect(measurePicture(bytes)).toBeNull();
});

test('no beginning of a picture is too short to be looked at', () => {
  for (const whole of [png, gif, jpeg, webp, ...Object.values(larger)]) {
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => measurePicture(whole.subarray(0, length))).not.toThrow();
    }
  }
});
