/** What the formats share: a picture is walked part by part, and what it is shown by is copied. */

/** More than any picture has: a million of them would keep others waiting. */
const MAX_PARTS = 100_000;

/** What stays of a picture, in its order. */
export class PictureCopy {
  /** Something left out can say where, when or with which device the picture was taken. */
  hadCameraData = false;
  /** There is something to show. */
  hasPixels = false;
  readonly #source: Uint8Array;
  readonly #copy: Uint8Array<ArrayBuffer>;
  #length = 0;
  #parts = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
    // What is put in place of EXIF may be a few bytes longer, once.
    this.#copy = new Uint8Array(source.length + 64);
  }

  get length(): number {
    return this.#length;
  }

  /** Called before each part. False where there are too many: then there is nothing to show. */
  goesOn(): boolean {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) this.hasPixels = false;
    return this.#parts <= MAX_PARTS;
  }

  /** Copies these bytes of the source, as many of them as there are. */
  keep(from: number, to: number): void {
    this.add(this.#source.subarray(from, to));
  }

  add(bytes: Uint8Array): void {
    this.#copy.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Puts these bytes in place of those of the source that may be EXIF or the like. */
  replace(from: number, to: number, bytes: Uint8Array): void {
    this.add(bytes);
    this.hadCameraData ||= !isSame(bytes, this.#source.subarray(from, to));
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#copy.subarray(0, this.#length);
  }
}

/** Null where the bytes are no picture of the format that a decoder could show. */
export type StripMetadata = (bytes: Uint8Array, view: DataView) => PictureCopy | null;

export const nothing = new Uint8Array();

export const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

export const joined = (...parts: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => [...part]));

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

/** Whether these letters stand there. A picture can have a million places to look at: no string is made of them. */
export function says(bytes: Uint8Array, at: number, letters: string): boolean {
  for (let index = 0; index < letters.length; index += 1) {
    if (bytes[at + index] !== letters.charCodeAt(index)) return false;
  }
  return true;
}

/** The name of a part, in four letters. */
export const nameAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
