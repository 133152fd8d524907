/** The smallest images of each type, and things that only look like one. */
import { bytesOf, pngChunk } from './dressed-pictures.ts';

const bytes = (base64: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(base64, 'base64'));

export const png = bytes(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);
export const gif = bytes('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
export const jpeg = bytes(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
);
export const webp = bytes('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA');

/** Of 30 × 20 pixels, as encoders write them; the first two in three moments. */
export const larger = {
  gif: bytes(
    'R0lGODlhHgAUAIAAAExpcf8AACH5BAUAAAAALAAAAAAeABQAAAIXjI+py+0Po5y02ouz3rz7D4biSJZmUgAAIfkEBQAAAAAsAAAAAB4AFACATGlxAAD/AheMj6nL7Q+jnLTai7PevPsPhuJIlmZSAAAh+QQFAAAAACwAAAAAHgAUAIBMaXEAgAACF4yPqcvtD6OctNqLs968+w+G4kiWZlIAADs=',
  ),
  webp: bytes(
    'UklGRrQAAABXRUJQVlA4WAoAAAACAAAAHQAAEwAAQU5JTQYAAAD/////AQBBTk1GKAAAAAAAAAAAAB0AABMAAGQAAAJWUDhMDwAAAC8dwAQABxD9j/4HIqL/AQBBTk1GKAAAAAAAAAAAAB0AABMAAGQAAABWUDhMDwAAAC8dwAQABxDR//4HIqL/AQBBTk1GKAAAAAAAAAAAAB0AABMAAGQAAABWUDhMDwAAAC8dwAQAB1DAiP4HIqL/AQA=',
  ),
  losslessWebp: bytes('UklGRhwAAABXRUJQVlA4TA8AAAAvHcAEAAcQ/Y/+ByKi/wEA'),
  extendedWebp: bytes(
    'UklGRnAAAABXRUJQVlA4WAoAAAAQAAAAHQAAEwAAQUxQSAoAAAABB1DAiAhERP8DVlA4IEAAAABwAwCdASoeABQAPm00lkekIyIhKAgAgA2JZQDKLoB+AABBlBAA/vCbQ//ILlhdcjX/8gP+QH/ID/+PfYwoMAAA',
  ),
  avif: bytes(
    'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAAXBtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRpbG9jAAAAAERAAAIAAQAAAAABlAABAAAAAAAAAC8AAgAAAAABwwABAAAAAAAAABsAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABhdjAxAAAAABVpbmZlAgAAAAACAABhdjAxAAAAAA5waXRtAAAAAAABAAAAr2lwcnAAAACKaXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAAB4AAAAUAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAcAAAAAA5waXhpAAAAAAEIAAAAOGF1eEMAAAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAdaXBtYQAAAAAAAAACAAEDgQIDAAIEhAIFhgAAABppcmVmAAAAAAAAAA5hdXhsAAIAAQABAAAAUm1kYXQSAAoIOBE7NpAQ0GkyIRlCYwTDzzzzQSAAxOHHQOjmTZAo09FbldurVSxkgIdcPBIACgUYETs2FTIQGAAooQC9jRSjRbt0jtSZ1A==',
  ),
} as const;

/** A header that announces more than there is: measuring it must do. */
export function pngOf(width: number, height: number, moments = 1): Uint8Array<ArrayBuffer> {
  const header = png.slice(0, 33);
  const view = new DataView(header.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  const animation = new Uint8Array(20);
  const announced = new DataView(animation.buffer);
  announced.setUint32(0, 8);
  animation.set(new TextEncoder().encode('acTL'), 4);
  announced.setUint32(8, moments);
  return new Uint8Array([...header, ...(moments === 1 ? [] : animation), ...png.slice(33)]);
}

/** A picture of so many bytes, nearly all of them pixels. */
export const heavyPng = (bytes: number): Uint8Array<ArrayBuffer> =>
  bytesOf(
    png.subarray(0, 33),
    pngChunk('IDAT', new Uint8Array(bytes - png.length - 12)),
    png.subarray(33),
  );

export const svg = new Uint8Array(
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>'),
);

/** A multipart body with one file. */
export function upload(
  content: Uint8Array<ArrayBuffer>,
  name = 'image.png',
  part = 'file',
): FormData {
  const form = new FormData();
  form.append(part, new Blob([content]), name);
  return form;
}
