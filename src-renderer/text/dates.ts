/** How moments are written. The words are English, so the forms are too; the region is the reader's. */
const locale = navigator.language.startsWith('en') ? navigator.language : 'en-GB';

const timeForm = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const fullForm = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
const dayForm = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
const dayAndYearForm = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });

const toDate = (seconds: number): Date => new Date(seconds * 1000);

/** `10:42` */
export const timeOfDay = (seconds: number): string => timeForm.format(toDate(seconds));

/** `Thursday, 20 November 2025 at 10:42` */
export const fullDate = (seconds: number): string => fullForm.format(toDate(seconds));

/** For the `datetime` attribute. */
export const machineDate = (seconds: number): string => toDate(seconds).toISOString();

/** Equal exactly for moments of one calendar day of the reader. */
export function dayKey(seconds: number): string {
  const date = toDate(seconds);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
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
    ? dayForm.format(date)
    : dayAndYearForm.format(date);
}
