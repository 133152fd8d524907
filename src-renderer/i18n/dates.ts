/** How moments are written. The words are English, so the forms are too; the region is the reader's. */
const locale = navigator.language.startsWith('en') ? navigator.language : 'en-GB';

/** As the region writes it, in 12 hours or in 24. */
const timeForms = hourForms({ timeStyle: 'short' });
const fullForms = hourForms({ dateStyle: 'full', timeStyle: 'short' });
const dayForm = form({ weekday: 'long', day: 'numeric', month: 'long' });
const fullDayForm = form({ dateStyle: 'full' });
const shortDayForm = form({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const shortMomentForm = form({ dateStyle: 'medium', timeStyle: 'short' });
const dateForm = form({ day: 'numeric', month: 'short' });
const dateAndYearForm = form({ day: 'numeric', month: 'short', year: 'numeric' });
const dayAndYearForm = form({ dateStyle: 'long' });

export type Hours = 'region' | 12 | 24;

/** Made when it is wanted first: each takes a millisecond or two, and a start needs few of them. */
function form(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let made: Intl.DateTimeFormat | undefined;
  return () => (made ??= new Intl.DateTimeFormat(locale, options));
}

function hourForms(
  options: Intl.DateTimeFormatOptions,
): Readonly<Record<Hours, () => Intl.DateTimeFormat>> {
  return {
    region: form(options),
    12: form({ ...options, hourCycle: 'h12' }),
    24: form({ ...options, hourCycle: 'h23' }),
  };
}

/** British forms begin hours of a half day with a nought, which nobody writes. */
const formatted = (
  forms: Readonly<Record<Hours, () => Intl.DateTimeFormat>>,
  seconds: number,
  hours: Hours,
): string =>
  forms[hours]()
    .format(toDate(seconds))
    .replace(/\b0(?=\d:\d\d\s[ap]m)/i, '');

const toDate = (seconds: number): Date => new Date(seconds * 1000);

/** `10:42` */
export const timeOfDay = (seconds: number, hours: Hours = 'region'): string =>
  formatted(timeForms, seconds, hours);

/** `Thursday, 20 November 2025 at 10:42` */
export const fullDate = (seconds: number, hours: Hours = 'region'): string =>
  formatted(fullForms, seconds, hours);

/** `Thursday, 20 November 2025` */
export const fullDay = (seconds: number): string => fullDayForm().format(toDate(seconds));

/** `Thu, 20 Nov 2025` */
export const shortDay = (seconds: number): string => shortDayForm().format(toDate(seconds));

/** `20 Nov`, with the year when it is another one than now. */
export const shortDate = (seconds: number, nowMs: number): string =>
  (toDate(seconds).getFullYear() === new Date(nowMs).getFullYear()
    ? dateForm
    : dateAndYearForm)().format(toDate(seconds));

/** `20 Nov 2025, 10:42` */
export const shortMoment = (seconds: number): string => shortMomentForm().format(toDate(seconds));

/** For the `datetime` attribute. */
export const machineDate = (seconds: number): string => toDate(seconds).toISOString();

/** Equal exactly for moments of one calendar day of the reader. */
export function dayKey(seconds: number): string {
  const date = toDate(seconds);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

/** The calendar day of the reader in which the moment lies, in UNIX seconds: `until` is the first after it. */
export function dayBounds(seconds: number): { readonly from: number; readonly until: number } {
  const date = toDate(seconds);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return {
    from: new Date(year, month, day).getTime() / 1000,
    until: new Date(year, month, day + 1).getTime() / 1000,
  };
}

/** The same day of the calendar of the reader as that in which the moment lies in UTC. */
export function asLocalDay(seconds: number): number {
  const date = toDate(seconds);
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()).getTime() / 1000;
}

/**
 * `today`, `yesterday` or the name of another day, for what is known to the day alone.
 * @param seconds  the beginning of the day, UTC
 */
export function dayOfUse(seconds: number, nowMs: number): string {
  const name = dayName(asLocalDay(seconds), asLocalDay(nowMs / 1000) * 1000);
  return name === 'Today' || name === 'Yesterday' ? name.toLowerCase() : `on ${name}`;
}

/** `Today`, `Yesterday`, `Thursday 20 November`, or with the year when it is another one. */
export function dayName(seconds: number, nowMs: number): string {
  const key = dayKey(seconds);
  const now = new Date(nowMs);
  if (key === dayKey(nowMs / 1000)) return 'Today';
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (key === dayKey(yesterday.getTime() / 1000)) return 'Yesterday';
  const date = toDate(seconds);
  return date.getFullYear() === now.getFullYear()
    ? dayForm().format(date)
    : dayAndYearForm().format(date);
}
