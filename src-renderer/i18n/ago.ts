import { dayName, timeOfDay, type Hours } from './dates.ts';

/** `10:42` today, else the day: in a list where the year and the hour would be too much. */
export function dayOrTime(seconds: number, nowMs: number, hours: Hours = 'region'): string {
  const day = dayName(seconds, nowMs);
  return day === 'Today' ? timeOfDay(seconds, hours) : day;
}
