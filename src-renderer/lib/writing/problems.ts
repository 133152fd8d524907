/** What the service would refuse, found before it is asked. */
import type { LineKind } from '#shared/api/causes.ts';
import { explained } from '#shared/i18n/explain.ts';
import { characters } from './limits.ts';

export const tooLong = (text: string, what: LineKind, limit: number): string | undefined =>
  characters(text) > limit ? explained('one_line_too_long', { what, limit }) : undefined;

export const lineProblem = (text: string, what: LineKind, limit: number): string | undefined =>
  text.trim() === '' ? explained('one_line_empty', { what }) : tooLong(text, what, limit);
