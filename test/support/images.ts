/** The smallest images of each type, and things that only look like one. */

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
