import { CONTENT_BYTES } from '#shared/api/bounds.ts';
import { refusal } from '#shared/api/refusal.ts';
import { openFences } from '#shared/text/fences.ts';

/** What is longer is no word, and is cut anywhere. */
const MAX_WORD = 100;
const TRUNCATED = '\n[message truncated]';

const encoder = new TextEncoder();
const countBytes = (text: string): number => encoder.encode(text).length;

/**
 * A message's content as it is stored (API decisions 2.4): trailing white space is removed, line
 * breaks are LF, nothing is cut silently.
 * @throws BAD_REQUEST when empty, with NUL, or over 10,000 bytes of UTF-8
 */
export function checkContent(content: string): string {
  // Forms sent as multipart write every line break as two characters.
  const trimmed = content.replace(/\r\n?/g, '\n').trimEnd();
  if (trimmed.trim() === '') throw refusal('message_empty');
  if (trimmed.includes('\0')) throw refusal('message_with_nul');
  const bytes = countBytes(trimmed);
  if (bytes > CONTENT_BYTES) {
    throw refusal('message_too_long', { bytes, limit: CONTENT_BYTES });
  }
  return trimmed;
}

/** At most so many bytes, cut behind a word where there is one near the end. */
function cutBytes(text: string, room: number): string {
  let kept = '';
  let bytes = 0;
  for (const character of text) {
    bytes += countBytes(character);
    if (bytes > room) break;
    kept += character;
  }
  if (/^\s/.test(text.slice(kept.length))) return kept.trimEnd();
  const tail = kept.slice(-MAX_WORD);
  const space = tail.search(/\s\S*$/);
  return space === -1 ? kept : kept.slice(0, kept.length - tail.length + space).trimEnd();
}

/** The lines that would end the blocks in which a text breaks off. */
const closingLines = (text: string): string =>
  openFences(text)
    .map(({ marker, length }) => `\n${marker.repeat(length)}`)
    .toReversed()
    .join('');

/** For incoming webhooks alone, whose sender cannot correct the text: cut, with a marker. */
export function truncateContent(content: string): string {
  const trimmed = content.trimEnd();
  if (countBytes(trimmed) <= CONTENT_BYTES) return trimmed;
  const kept = cutBytes(trimmed, CONTENT_BYTES - countBytes(TRUNCATED));
  const closing = closingLines(kept);
  if (closing === '') return kept + TRUNCATED;
  // Without its end the marker would be part of the code.
  return cutBytes(kept, countBytes(kept) - countBytes(closing)) + closing + TRUNCATED;
}
