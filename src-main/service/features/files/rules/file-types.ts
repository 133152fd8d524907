/** What is known of a file by its name, and what it is called here. */
import { withoutInvisible } from '#shared/text/invisible-characters.ts';
import { cutCharacters } from '#service/core/rules/names.ts';

const MAX_NAME_CHARACTERS = 100;

const byExtension: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  csv: 'text/csv',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  zip: 'application/zip',
};

const UNKNOWN = 'application/octet-stream';
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+/;

const extensionOf = (name: string): string => /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The media type of a file, without parameters: many clients send none, so its name decides first. */
function contentTypeOf(fileName: string, declared: string): string {
  const extension = extensionOf(fileName);
  const known = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
  return known ?? MEDIA_TYPE.exec(declared)?.[0].toLowerCase() ?? UNKNOWN;
}

/** The last part of what a client sent as a name, which may be a whole path. */
const baseName = (fileName: string): string =>
  cutCharacters(
    withoutInvisible(fileName.replace(/\p{Cc}/gu, '').replace(/^.*[/\\]/s, '')).trim(),
    255,
  ) || 'file';

/**
 * A name that can stand in an address and in Markdown as it is: letters and digits of any script, `.`, `_`, `-`.
 * A long one keeps its end, because that says what the file is.
 */
function safeName(fileName: string): string {
  const safe = baseName(fileName.normalize('NFC'))
    .replace(/[^\p{L}\p{M}\p{N}\s._-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-')
    .replace(/^\.+/, '');
  return Array.from(safe).slice(-MAX_NAME_CHARACTERS).join('') || 'file';
}

/** The one organization of a service. */
const ORGANIZATION = 1;
const RANDOM_LETTERS = 24;

/** Letters that nobody guesses. */
export function randomLetters(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_LETTERS));
  return Array.from(bytes, (byte) => letters[byte & 63]).join('');
}

/** A new file as it is called and where it lies. @param fileName  as the client sent it */
export const describeFile = (fileName: string, declaredType: string, letters: string) => ({
  path: `${String(ORGANIZATION)}/${letters}/${safeName(fileName)}`,
  name: baseName(fileName),
  contentType: contentTypeOf(fileName, declaredType),
});
