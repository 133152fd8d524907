/** What an uploaded image is, told by its bytes and not by its name. */
import { imageSize } from 'image-size';

export type ImageType = 'png' | 'gif' | 'jpg' | 'webp';

const imageTypes: ReadonlyMap<string | undefined, ImageType> = new Map<
  string | undefined,
  ImageType
>([
  ['png', 'png'],
  ['gif', 'gif'],
  ['jpg', 'jpg'],
  ['webp', 'webp'],
]);

/** The type of an image that every browser shows, or undefined when the bytes are not one. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  try {
    // A copy: it looks beyond the end of a part of something longer.
    const { type, width, height } = imageSize(new Uint8Array(bytes));
    return width > 0 && height > 0 ? imageTypes.get(type) : undefined;
  } catch {
    // Whatever it stumbles over: these bytes are no image.
    return undefined;
  }
}
