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
