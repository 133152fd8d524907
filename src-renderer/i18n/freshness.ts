import type { Connection } from '#shared/bridge/models/client.ts';
import { dayKey, type Hours, shortDate, timeOfDay } from './dates.ts';
import { placeWords } from './places.ts';

/** `10:42` today, else with its day in front: `20 Nov, 10:42`. */
function moment(seconds: number, nowMs: number, hours: Hours): string {
  const time = timeOfDay(seconds, hours);
  return dayKey(seconds) === dayKey(nowMs / 1000) ? time : `${shortDate(seconds, nowMs)}, ${time}`;
}

/** How old what is shown is, and why where the computer of the organization has said so. */
export function freshness(
  connection: Extract<Connection, { readonly state: 'offline' }>,
  nowMs: number,
  hours: Hours,
): string {
  const { liveUntilSeconds, asleepSinceSeconds } = connection;
  const { asleep, asOf, never } = placeWords.status;
  if (asleepSinceSeconds !== undefined) return asleep(moment(asleepSinceSeconds, nowMs, hours));
  return liveUntilSeconds === null ? never : asOf(moment(liveUntilSeconds, nowMs, hours));
}
