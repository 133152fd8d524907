/** Streams that were archived, and how one comes back. */
import { count } from '../count.ts';

/** As many names as are read at a glance. */
const MAX_NAMES = 12;

const named = (names: readonly string[]): string => {
  const shown = names.slice(0, MAX_NAMES);
  const others = names.length - shown.length;
  if (others > 0) return `${shown.join(', ')} and ${count(others, 'other', 'others')}`;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
};

export const archivedWords = {
  choice: 'Archived',
  list: 'Archived streams',
  since: (day: string): string => `archived ${day}`,
  returning: (n: number): string =>
    n === 0 ? 'nobody comes back' : count(n, 'member comes back', 'members come back'),
  run: 'Bring back…',
  runLabel: (name: string): string => `Bring back ${name}`,
  empty: 'No stream is archived',
  emptyHint: 'A stream that you archive in its settings is found here, and can be brought back.',
  none: 'No archived stream matches.',

  title: (name: string): string => `Bring back ${name}?`,
  text: 'Its messages, topics and links are there again, with what was read and what was not.',
  who: (names: readonly string[]): string =>
    `In it again, with the settings that they had: ${named(names)}.`,
  onlyYou: 'Nobody of those who were in it can come back: you will be its only member.',
  onlyYouPrivate:
    'It is private, and nobody of those who were in it can come back: you will be its only member, and what was written before stays closed to you and to whoever you add.',
  name: 'Name',
  confirm: 'Bring back',
  busy: 'Bringing back…',
  done: (name: string): string => `${name} is back.`,
  open: 'Open it',
} as const;
