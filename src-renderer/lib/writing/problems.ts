/** What the service would refuse, found before it is asked. */
import type { LineKind } from '#shared/api/causes.ts';
import { explained } from '#shared/i18n/explain.ts';
import { composeWords } from '#renderer/i18n/compose.ts';
import { characters } from './limits.ts';

const MIB = 1024 * 1024;

export const tooLong = (text: string, what: LineKind, limit: number): string | undefined =>
  characters(text) > limit ? explained('one_line_too_long', { what, limit }) : undefined;

export const lineProblem = (text: string, what: LineKind, limit: number): string | undefined =>
  text.trim() === '' ? explained('one_line_empty', { what }) : tooLong(text, what, limit);

/** @param limit  in MiB; null while it is not known */
export function fileTooLarge({ size }: Blob, limit: number | null): string | undefined {
  if (limit === null || size <= limit * MIB) return undefined;
  const reason = explained('upload_too_large', { limit });
  return composeWords.fileTooLarge((size / MIB).toFixed(1), reason);
}
