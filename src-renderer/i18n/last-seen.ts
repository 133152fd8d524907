/** When somebody was last here, as finely as it is known. */
import { count } from './count.ts';
import { asLocalDay, dayName, shortDate } from './dates.ts';

interface Moment {
  readonly seconds: number;
  /** Whether it is known to the day alone, of which `seconds` is the beginning, UTC. */
  readonly isDay: boolean;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** `5 minutes ago`, `today`, `yesterday`, `3 Nov`. */
export function ago({ seconds, isDay }: Moment, nowSeconds: number): string {
  const passed = nowSeconds - seconds;
  if (!isDay && passed < MINUTE) return 'just now';
  if (!isDay && passed < HOUR)
    return `${count(Math.floor(passed / MINUTE), 'minute', 'minutes')} ago`;
  const [at, now] = isDay ? [asLocalDay(seconds), asLocalDay(nowSeconds)] : [seconds, nowSeconds];
  const day = dayName(at, now * 1000);
  return day === 'Today' || day === 'Yesterday' ? day.toLowerCase() : shortDate(at, now * 1000);
}
