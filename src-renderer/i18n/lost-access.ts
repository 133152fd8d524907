import type { GoneStream } from '#shared/bridge/models/client-state.ts';
import { fullDate, type Hours } from './dates.ts';

/** What has become of a stream that the account no longer sees. */
export function formerStreamText({ name, how, sinceSeconds }: GoneStream, hours: Hours): string {
  const stays = 'What you received stays readable.';
  if (sinceSeconds === null) return `You are not in #${name}, or it was archived. ${stays}`;
  const since = fullDate(sinceSeconds, hours);
  switch (how) {
    case 'archived':
      return `#${name} was archived on ${since}. ${stays}`;
    case 'left':
      return `You left #${name}, or were taken out of it, on ${since}. ${stays}`;
    case 'hidden':
      return `#${name} was archived, or closed to you, on ${since}. ${stays}`;
  }
}

export const savedDraftWords = {
  label: 'What you were writing here',
  copy: 'Copy',
} as const;
