import { STATUS_CHARACTERS } from '#shared/api/bounds.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { UserStatus } from '#shared/api/models/presence.ts';
import type { StatusRow } from '#service/db/port.ts';
import { countCharacters } from '#service/core/rules/names.ts';

/**
 * A status text on one line.
 * @throws BAD_REQUEST when it is longer than 60 characters
 */
export function checkStatusText(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (countCharacters(line) > STATUS_CHARACTERS) {
    throw refusal('status_too_long', { limit: STATUS_CHARACTERS });
  }
  return line;
}

/** What was said; what was not is absent. */
export const statusShape = (row: StatusRow): UserStatus => ({
  ...(row.is_away === 1 ? { away: true } : {}),
  ...(row.status_text === '' ? {} : { status_text: row.status_text }),
});
