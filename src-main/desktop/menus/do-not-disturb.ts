import { isDoNotDisturb } from '#shared/bridge/models/preference-defaults.ts';
import type { Preferences } from '#shared/bridge/models/preferences.ts';

/** Seconds since 1970; null until it is turned off. */
export type QuietUntil = Preferences['doNotDisturbUntilSeconds'];

export interface QuietChoice {
  readonly label: string;
  readonly until: QuietUntil;
}

/** Tomorrow begins when people come to work, not at midnight. */
const MORNING_HOUR = 8;
const MINUTE = 60;

export function quietChoices(now: Date): readonly QuietChoice[] {
  const seconds = Math.ceil(now.getTime() / 1000);
  const day = now.getDate() + 1;
  const morning = new Date(now.getFullYear(), now.getMonth(), day, MORNING_HOUR);
  return [
    { label: 'For 30 minutes', until: seconds + 30 * MINUTE },
    { label: 'For 1 hour', until: seconds + 60 * MINUTE },
    { label: 'Until tomorrow morning', until: morning.getTime() / 1000 },
    { label: 'Until I turn it off', until: null },
  ];
}

/** What the key of the application does. */
export const toggledQuiet = (until: QuietUntil, now: Date): QuietUntil =>
  isQuiet(until, now) ? 0 : null;

export const isQuiet = (until: QuietUntil, now: Date): boolean =>
  isDoNotDisturb({ doNotDisturbUntilSeconds: until }, now.getTime() / 1000);

/** "Do not disturb until 14:30"; the day is named when it is not today. */
export function quietLabel(until: QuietUntil, now: Date): string {
  if (!isQuiet(until, now)) return 'Do not disturb';
  if (until === null) return 'Do not disturb is on';
  const end = new Date(until * 1000);
  const time = end.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const isToday = end.toDateString() === now.toDateString();
  const day = isToday ? '' : ` ${end.toLocaleDateString([], { weekday: 'long' })}`;
  return `Do not disturb until${day} ${time}`;
}
