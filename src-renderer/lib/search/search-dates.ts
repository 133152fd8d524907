/**
 * Filters by day: what can be typed, which moments it means, and how a chip says them. Days are those of the reader;
 * `before` and `after` leave the day itself out, so that the three of them divide all messages.
 */
import type { NarrowTerm } from '#shared/api/narrow.ts';
import { dayBounds, fullDay, shortDay, shortMoment } from '#renderer/i18n/dates.ts';
import { searchWords } from '#renderer/i18n/search.ts';
import { plain } from '#shared/text/fuzzy.ts';

export type DateOperator = 'before' | 'after' | 'date';

/** They become terms of time when they are whole. */
export const dateNames: ReadonlyMap<string, DateOperator> = new Map([
  ['before', 'before'],
  ['after', 'after'],
  ['date', 'date'],
  ['on', 'date'],
  ['during', 'date'],
]);

export const isDateOperator = (operator: string): operator is DateOperator =>
  operator === 'before' || operator === 'after' || operator === 'date';

/** A day by its first moment, in UNIX seconds. */
interface Day {
  readonly from: number;
}

/** Moments are counted from here on. */
const FIRST_YEAR = 1970;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const FILTER = new RegExp(
  `(^|\\s)(-?)(${[...dateNames.keys()].join('|')}):(\\S+)(?=(\\s|$))`,
  'gi',
);

const daysBefore = (nowMs: number, days: number): Day => {
  const now = new Date(nowMs);
  return dayOf(now.getFullYear(), now.getMonth(), now.getDate() - days);
};

const dayOf = (year: number, month: number, day: number): Day => ({
  from: new Date(year, month, day).getTime() / 1000,
});

const isoOf = ({ from }: Day): string => {
  const date = new Date(from * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

const named: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

function readDay(text: string, nowMs: number): Day | { readonly problem: string } {
  const daysAgo = named[text.toLowerCase()];
  if (daysAgo !== undefined) return daysBefore(nowMs, daysAgo);
  const [whole, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (whole === undefined) return { problem: searchWords.noDate(text) };
  if ((year ?? 0) < FIRST_YEAR) return { problem: searchWords.tooEarly };
  const found = dayOf(year ?? 0, (month ?? 0) - 1, day ?? 0);
  const date = new Date(found.from * 1000);
  // A day that a month does not have would become one of the next.
  const isSame = date.getMonth() + 1 === month && date.getDate() === day;
  return isSame ? found : { problem: searchWords.noDay(text) };
}

/** East of Greenwich the first day begins before them. */
const moment = (seconds: number): number => Math.max(0, seconds);

function termOf(operator: DateOperator, { from }: Day, isNegated: boolean): NarrowTerm {
  const { until } = dayBounds(from);
  const negated = isNegated ? { negated: true } : {};
  switch (operator) {
    case 'before':
      return { operator: 'sent-before', operand: moment(from), ...negated };
    case 'after':
      return { operator: 'sent-after', operand: moment(until), ...negated };
    case 'date':
      return { operator: 'sent-within', operand: [moment(from), moment(until)], ...negated };
  }
}

function operatorOf(name: string): DateOperator {
  return dateNames.get(name.toLowerCase()) ?? 'date';
}

export type DateTerms =
  | { readonly terms: readonly NarrowTerm[]; readonly text: string }
  /** A sentence that says what to do. */
  | { readonly problem: string };

/** Whether a place in a text lies within quotes, where filters are words. */
export const isQuoted = (text: string, at: number): boolean =>
  (text.slice(0, at).match(/"/g) ?? []).length % 2 === 1;

/**
 * Takes whole filters by day out of a text, wherever they stand, except within quotes. @param isTyping  at the end of the
 * text one may not be whole yet, and stays
 */
export function extractDates(text: string, nowMs: number, isTyping = false): DateTerms {
  const terms: NarrowTerm[] = [];
  const kept: string[] = [];
  let at = 0;
  for (const found of text.matchAll(FILTER)) {
    const [whole, , minus, name = '', operand = '', end] = found;
    if (isQuoted(text, found.index) || (isTyping && end === '')) continue;
    const day = readDay(operand, nowMs);
    if ('problem' in day) {
      if (isTyping) continue;
      return day;
    }
    terms.push(termOf(operatorOf(name), day, minus === '-'));
    kept.push(text.slice(at, found.index));
    at = found.index + whole.length;
  }
  kept.push(text.slice(at));
  return { terms, text: terms.length === 0 ? text : kept.join('').trimStart() };
}

export interface DaySuggestion {
  /** As it can be typed. */
  readonly name: string;
  readonly hint: string;
  /** The same in two parts: why it is offered, and which day it is. */
  readonly reason: string;
  readonly day: string;
  readonly term: NarrowTerm;
}

/** Days that may be meant by what is typed so far of one; none for what is no day. */
export function daySuggestions(
  { operator, operand, isNegated }: { operator: DateOperator; operand: string; isNegated: boolean },
  nowMs: number,
): readonly DaySuggestion[] {
  const now = new Date(nowMs);
  const [year, month] = [now.getFullYear(), now.getMonth()];
  const offered = [
    { name: 'today', hint: '', day: daysBefore(nowMs, 0) },
    { name: 'yesterday', hint: '', day: daysBefore(nowMs, 1) },
    { name: '', hint: searchWords.weekAgo, day: daysBefore(nowMs, 7) },
    { name: '', hint: searchWords.firstOfMonth, day: dayOf(year, month, 1) },
    { name: '', hint: searchWords.firstOfYear, day: dayOf(year, 0, 1) },
  ].map(({ name, hint, day }) => ({ name: name === '' ? isoOf(day) : name, hint, day }));
  const begun = plain(operand);
  const typed = readDay(operand, nowMs);
  const own = 'problem' in typed ? [] : [{ name: isoOf(typed), hint: '', day: typed }];
  const isTyped = DATE.test(operand) ? own : [];
  const found = [
    ...isTyped,
    ...offered.filter(({ name, day }) => name.startsWith(begun) || isoOf(day).startsWith(begun)),
  ];
  const seen = new Set<string>();
  return found
    .filter(({ day }) => !seen.has(isoOf(day)) && seen.add(isoOf(day)))
    .map(({ name, hint, day }) => ({
      name,
      hint: hint === '' ? fullDay(day.from) : `${fullDay(day.from)}, ${hint}`,
      reason: hint === '' ? name : hint,
      day: fullDay(day.from),
      term: termOf(operator, day, isNegated),
    }));
}

const isStart = (seconds: number): boolean => dayBounds(seconds).from === seconds;

/** What a chip says of a time; null for other terms. Moments that are no borders of days here were chosen elsewhere. */
export function dateLabel({ operator, operand }: NarrowTerm): string | null {
  const { chip } = searchWords;
  const [first = 0, second = 0] = Array.isArray(operand) ? operand.map(Number) : [Number(operand)];
  switch (operator) {
    case 'sent-before':
      return isStart(first) ? chip.before(shortDay(first)) : chip.before(shortMoment(first));
    case 'sent-after':
      return isStart(first) ? chip.after(shortDay(first - 1)) : chip.since(shortMoment(first));
    case 'sent-within':
      return isStart(first) && dayBounds(first).until === second
        ? chip.date(shortDay(first))
        : chip.between(shortMoment(first), shortMoment(second));
    default:
      return null;
  }
}
