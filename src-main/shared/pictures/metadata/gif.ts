import { PictureCopy, says } from './cut.ts';

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [PLAIN_TEXT, CONTROL, APPLICATION] = [0x01, 0xf9, 0xff];
/** How often it plays, and its colours. */
const applications = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'];

const colorBytes = (flags = 0): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

/** Where data end that come in pieces with their lengths; behind the bytes where they are cut short. */
function afterPieces(bytes: Uint8Array, start: number): number {
  let at = start;
  let length = bytes[at];
  while (length !== undefined && length > 0) {
    at += 1 + length;
    length = bytes[at];
  }
  return at + 1;
}

function keepExtension(copy: PictureCopy, bytes: Uint8Array, at: number, end: number): void {
  const label = bytes[at + 1];
  // Behind the length of their name.
  const isOf = (name: string): boolean => label === APPLICATION && says(bytes, at + 3, name);
  const isShown = label === CONTROL || label === PLAIN_TEXT || applications.some(isOf);
  if (isShown) copy.keep(at, end);
  copy.hadCameraData ||= isOf('XMP DataXMP');
}

/** Keeps pictures, their times and how often they play; what follows the end of the picture is cut. */
export function cutGif(bytes: Uint8Array): PictureCopy | null {
  const copy = new PictureCopy(bytes);
  let at = 13 + colorBytes(bytes[10]);
  copy.keep(0, at);
  // Decoders take anything but these for the end, too.
  while ((bytes[at] === EXTENSION || bytes[at] === IMAGE) && copy.goesOn()) {
    const isImage = bytes[at] === IMAGE;
    const end = afterPieces(bytes, isImage ? at + 11 + colorBytes(bytes[at + 9]) : at + 2);
    if (isImage) copy.keep(at, end);
    else keepExtension(copy, bytes, at, end);
    copy.hasPixels ||= isImage;
    at = end;
  }
  if (bytes[at] === TRAILER) copy.keep(at, at + 1);
  return copy;
}
