import { badRequest } from '../../../contract/errors.ts';

export const MAX_CONTENT_BYTES = 10_000;
const TRUNCATED = '\n[message truncated]';

const encoder = new TextEncoder();
const countBytes = (text: string): number => encoder.encode(text).length;

/**
 * A message's content as it is stored (API decisions, section 2.4): trailing white space is removed, line
 * breaks are LF, nothing is cut silently.
 * @throws BAD_REQUEST when empty, with NUL, or over 10,000 bytes of UTF-8
 */
export function checkContent(content: string): string {
  // Forms sent as multipart write every line break as two characters.
  const trimmed = content.replace(/\r\n?/g, '\n').trimEnd();
  if (trimmed.trim() === '') throw badRequest('Message must not be empty');
  if (trimmed.includes('\0')) throw badRequest('Message must not contain NUL');
  const bytes = countBytes(trimmed);
  if (bytes > MAX_CONTENT_BYTES) {
    throw badRequest(
      `Message too long: ${String(bytes)} bytes (limit: ${String(MAX_CONTENT_BYTES)} bytes)`,
    );
  }
  return trimmed;
}

/** For incoming webhooks alone, whose sender cannot correct the text: cut, with a marker. */
export function truncateContent(content: string): string {
  const trimmed = content.trimEnd();
  if (countBytes(trimmed) <= MAX_CONTENT_BYTES) return trimmed;
  const room = MAX_CONTENT_BYTES - countBytes(TRUNCATED);
  let kept = '';
  let bytes = 0;
  for (const character of trimmed) {
    bytes += countBytes(character);
    if (bytes > room) break;
    kept += character;
  }
  return kept + TRUNCATED;
}
