/** Times of every day, by the clock on the wall. */

export interface TimeOfDay {
  readonly hours: number;
  readonly minutes: number;
}

/** The last moment at which it was this time. */
export function lastDue({ hours, minutes }: TimeOfDay, now: Date): Date {
  const due = new Date(now);
  due.setHours(hours, minutes, 0, 0);
  if (due.getTime() > now.getTime()) due.setDate(due.getDate() - 1);
  return due;
}

/** Whether what was done last at that moment is due: the hour has come since, or the clock was set back behind it. */
export const isDue = (at: TimeOfDay, lastMs: number, now: Date): boolean =>
  lastMs < lastDue(at, now).getTime() || lastMs > now.getTime();

/** Whether a pause since that moment still lasts; it ends where the clock was set back behind its beginning. */
export const isPausing = (sinceMs: number, pauseMs: number, now: Date): boolean =>
  sinceMs <= now.getTime() && now.getTime() < sinceMs + pauseMs;
