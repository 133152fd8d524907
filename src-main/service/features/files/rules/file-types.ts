/** What is known of a file by its name. */
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
export function contentTypeOf(fileName: string, declared: string): string {
  const extension = extensionOf(fileName);
  const known = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
  return known ?? MEDIA_TYPE.exec(declared)?.[0].toLowerCase() ?? UNKNOWN;
}

/** The last part of what a client sent as a name, which may be a whole path. */
export const baseName = (fileName: string): string =>
  cutCharacters(
    withoutInvisible(fileName.replace(/\p{Cc}/gu, '').replace(/^.*[/\\]/s, '')).trim(),
    255,
  ) || 'file';

/**
 * A name that can stand in an address and in Markdown as it is: letters and digits of any script, `.`, `_`, `-`.
 * A long one keeps its end, because that says what the file is.
 */
export function safeName(fileName: string): string {
  const safe = baseName(fileName.normalize('NFC'))
    .replace(/[^\p{L}\p{M}\p{N}\s._-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-')
    .replace(/^\.+/, '');
  return Array.from(safe).slice(-MAX_NAME_CHARACTERS).join('') || 'file';
}
