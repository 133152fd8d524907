import type { SearchView } from '#shared/bridge/models/conversation.ts';
import { operatorNames, type OperatorIn, operators } from '#shared/search/operators.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';
import { searchWords } from '#renderer/i18n/search.ts';
import { fuzzyFilter, plain } from '#shared/text/fuzzy.ts';
import {
  dateNames,
  dateLabel,
  type DateOperator,
  daySuggestions,
  isDateOperator,
  isQuoted,
  extractDates,
} from './search-dates.ts';

/** Filters that take the name of something; the others have few operands. */
type NamedOperator = 'stream' | 'topic' | 'sender' | 'pm-with';
type Operator = OperatorIn<'box'> | DateOperator;

const names: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ...operatorNames('box'),
  ...dateNames,
]);

const SUGGESTED = 8;
/** As many names as a chip has room for. */
const NAMED = 2;

/** What names can stand for. */
export interface SearchSource {
  readonly streams: readonly { readonly streamId: number; readonly name: string }[];
  readonly people: readonly { readonly userId: number; readonly fullName: string }[];
  /** Those of the stream that was chosen, else all that are known. */
  readonly topics: readonly string[];
  readonly ownUserId: number;
  /** Some moment of today. */
  readonly nowMs: number;
}

/** A filter that is being typed at the end of a text. */
export interface OpenFilter {
  readonly before: string;
  readonly isNegated: boolean;
  readonly operator: Operator;
  readonly operand: string;
  /** With quotes, where there are. */
  readonly typed: string;
}

export interface Suggestion {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  /** The filter that it adds; null where it only begins one. */
  readonly term: NarrowTerm | null;
  /** What the field holds afterwards. */
  readonly text: string;
}

const filterStart = new RegExp(`(^|\\s)(-?)(${[...names.keys()].join('|')}):`, 'gi');

/** The filter that somebody is typing, if any: the last one, which reaches to the end, because names have blanks. */
export function openFilter(text: string): OpenFilter | null {
  const found = [...text.matchAll(filterStart)].findLast(
    ({ index, 1: blank = '' }) => !isQuoted(text, index + blank.length),
  );
  if (found === undefined) return null;
  const [whole, blank = '', minus = '', name = ''] = found;
  const operator = names.get(name.toLowerCase());
  if (operator === undefined) return null;
  const typed = text.slice(found.index + whole.length).trim();
  return {
    before: text.slice(0, found.index + blank.length),
    isNegated: minus === '-',
    operator,
    operand: typed.replaceAll(/^"|"$/g, ''),
    typed,
  };
}

const termOf = (
  { isNegated }: Pick<OpenFilter, 'isNegated'>,
  operator: string,
  operand: NarrowTerm['operand'],
): NarrowTerm => ({ operator, operand, ...(isNegated ? { negated: true } : {}) });

interface Candidate {
  readonly name: string;
  readonly operand: NarrowTerm['operand'];
}

function candidates(operator: NamedOperator, source: SearchSource): readonly Candidate[] {
  switch (operator) {
    case 'stream':
      return source.streams.map(({ streamId, name }) => ({ name, operand: streamId }));
    case 'topic':
      return source.topics.map((topic) => ({ name: topic, operand: topic }));
    case 'sender':
      return source.people.map(({ userId, fullName }) => ({ name: fullName, operand: userId }));
    case 'pm-with':
      return source.people
        .filter(({ userId }) => userId !== source.ownUserId)
        .map(({ userId, fullName }) => ({ name: fullName, operand: [userId] }));
  }
}

const isNamed = (operator: Operator): operator is NamedOperator =>
  operator === 'stream' || operator === 'topic' || operator === 'sender' || operator === 'pm-with';

function operandSuggestions(filter: OpenFilter, source: SearchSource): readonly Suggestion[] {
  const { operator, operand, before } = filter;
  if (operator === 'near') return [];
  if (isDateOperator(operator)) {
    return daySuggestions({ ...filter, operator }, source.nowMs).map(({ name, hint, term }) => {
      const label = `${filter.isNegated ? '-' : ''}${operator}:${name}`;
      return { key: label, label, hint, term, text: before };
    });
  }
  if (isNamed(operator)) return nameSuggestions({ ...filter, operator }, source);
  // What has two names is offered once.
  const all = [...new Set(Object.values<string>(operators[operator].words))].map((name) => ({
    name,
    operand: name,
  }));
  return fuzzyFilter(operand, all, ({ name }) => name).map((each) => suggest(filter, each));
}

function suggest(filter: OpenFilter, { name, operand }: Candidate, more = {}): Suggestion {
  const { operator, isNegated, before } = filter;
  const label = `${isNegated ? '-' : ''}${operator}:${name}`;
  const key = `${label}:${String(operand)}`;
  return { key, label, hint: '', term: termOf(filter, operator, operand), text: before, ...more };
}

/** Those with the name; where none has all that was typed, those that its beginning may mean, with the rest as words. */
function nameSuggestions(filter: NamedFilter, source: SearchSource): readonly Suggestion[] {
  const all = candidates(filter.operator, source);
  const found = fuzzyFilter(filter.operand, all, ({ name }) => name);
  if (found.length > 0 || filter.operator === 'topic')
    return found.slice(0, SUGGESTED).map((each) => suggest(filter, each));
  const meant = meantBy(filter, all);
  if (meant === null) return [];
  const { reading, begun } = meant;
  const more = { text: `${filter.before}${reading.rest}` };
  const each = begun.slice(0, SUGGESTED).map((candidate) => suggest(filter, candidate, more));
  return filter.operator === 'sender' && begun.length > 1
    ? [suggest(filter, everybody(reading, begun), more), ...each]
    : each;
}

const everybody = ({ name }: Reading, begun: readonly Candidate[]): Candidate => ({
  name: searchWords.everybodyCalled(name, begun.length),
  operand: begun.flatMap(({ operand }) => (typeof operand === 'number' ? [operand] : [])),
});

/** Filters that begin as the last word does; all of them where nothing is typed. */
function operatorSuggestions(text: string): readonly Suggestion[] {
  const [, before = '', minus = '', word = ''] = /^(.*\s|)(-?)(\S*)$/s.exec(text) ?? [];
  const begun = plain(word);
  return Object.entries(searchWords.operators)
    .map(([name, hint]) => ({ name: name.includes(':') ? name : `${name}:`, hint }))
    .filter(({ name }) => name.startsWith(begun) || name.split(':')[1]?.startsWith(begun) === true)
    .map(({ name, hint }) => {
      const label = `${minus}${name}`;
      const [operator = '', operand = ''] = name.split(':');
      const isWhole = operand !== '';
      return {
        key: label,
        label,
        hint: minus === '' ? hint : `${searchWords.not} ${hint}`,
        term: isWhole ? termOf({ isNegated: minus === '-' }, operator, operand) : null,
        text: isWhole ? before : `${before}${label}`,
      };
    });
}

/** What may be meant by what is typed so far. */
export function suggestionsFor(text: string, source: SearchSource): readonly Suggestion[] {
  const filter = openFilter(text);
  return filter === null ? operatorSuggestions(text) : operandSuggestions(filter, source);
}

/** Whether the suggestion is what stands there already: then nothing is left to choose. */
export function isTyped({ label, term }: Suggestion, text: string): boolean {
  const filter = openFilter(text);
  return (
    term !== null &&
    filter !== null &&
    plain(label.slice(label.indexOf(':') + 1)) === plain(filter.operand)
  );
}

type NamedFilter = OpenFilter & { readonly operator: NamedOperator };

export type Finished =
  | { readonly terms: readonly NarrowTerm[]; readonly text: string }
  /** A sentence that says what to do. */
  | { readonly problem: string };

interface Reading {
  readonly name: string;
  /** Words that are no part of the name. */
  readonly rest: string;
}

/** No name is longer than 100 characters. */
const MAX_NAME_WORDS = 50;

/** What may be the name at the beginning of what was typed: what stands in quotes, else as many words as possible. */
function readingsOf({ typed }: OpenFilter): readonly Reading[] {
  const quoted = /^"([^"]*)(?:"(.*))?$/s.exec(typed);
  if (quoted !== null) return [{ name: quoted[1] ?? '', rest: (quoted[2] ?? '').trimStart() }];
  const words = typed.split(/\s+/);
  const most = Math.min(words.length, MAX_NAME_WORDS);
  return Array.from({ length: most }, (_, at) => ({
    name: words.slice(0, most - at).join(' '),
    rest: words.slice(most - at).join(' '),
  }));
}

/** The longest beginning of what was typed that somebody's name or a word of it begins with, and all whose do. */
function meantBy(
  filter: OpenFilter,
  all: readonly Candidate[],
): { readonly reading: Reading; readonly begun: readonly Candidate[] } | null {
  const names = all.map((candidate) => ({ candidate, name: ` ${plain(candidate.name)}` }));
  for (const reading of readingsOf(filter)) {
    const wanted = ` ${plain(reading.name)}`;
    const begun = names.filter(({ name }) => wanted !== ' ' && name.includes(wanted));
    if (begun.length > 0) return { reading, begun: begun.map(({ candidate }) => candidate) };
  }
  return null;
}

function finishNamed(filter: NamedFilter, source: SearchSource): Finished {
  const { operator } = filter;
  const all = candidates(operator, source);
  const readings = readingsOf(filter);
  const done = (found: NarrowTerm['operand'], text: string): Finished => ({
    terms: [termOf(filter, operator, found)],
    text,
  });
  for (const { name, rest } of readings) {
    const wanted = plain(name);
    const found = all.find((each) => plain(each.name) === wanted);
    if (found !== undefined) return done(found.operand, rest);
  }
  const [whole] = readings;
  // Not every topic is known here: the service looks for it.
  if (operator === 'topic' && whole !== undefined && whole.name !== '')
    return done(whole.name, whole.rest);
  return finishBegun(filter, operator === 'topic' ? null : meantBy(filter, all));
}

/** A first name is enough where no other has it. */
function finishBegun(filter: NamedFilter, meant: ReturnType<typeof meantBy>): Finished {
  const { operator, operand } = filter;
  const [only, ...others] = meant?.begun ?? [];
  if (meant && only && others.length === 0)
    return { terms: [termOf(filter, operator, only.operand)], text: meant.reading.rest };
  return { problem: problemOf(operator === 'stream', meant?.reading.name ?? '', operand) };
}

function problemOf(isStream: boolean, ambiguous: string, operand: string): string {
  if (ambiguous !== '')
    return (isStream ? searchWords.severalStreams : searchWords.severalPeople)(ambiguous);
  return (isStream ? searchWords.unknownStream : searchWords.unknownPerson)(operand);
}

/** Turns the filters of a text into terms, and leaves its words. Without filters the text stays as it is. */
export function finishText(text: string, source: SearchSource): Finished {
  const dates = extractDates(text, source.nowMs);
  if ('problem' in dates) return dates;
  const finished = finishFilters(dates.text, source);
  return 'problem' in finished || dates.terms.length === 0
    ? finished
    : { ...finished, terms: [...dates.terms, ...finished.terms] };
}

function finishFilters(text: string, source: SearchSource): Finished {
  const filter = openFilter(text);
  if (filter === null) return { terms: [], text };
  const last = finishOne(filter, source);
  if ('problem' in last) return last;
  const others = finishFilters(filter.before, source);
  if ('problem' in others) return others;
  const words = last.text === '' ? others.text : `${others.text.trimEnd()} ${last.text}`;
  return { terms: [...others.terms, ...last.terms], text: words.trimStart() };
}

/** @returns its term, and the words behind it */
function finishOne(filter: OpenFilter, source: SearchSource): Finished {
  const { operator, operand, typed } = filter;
  if (isDateOperator(operator)) return { problem: searchWords.noDate(operand) };
  if (isNamed(operator)) return finishNamed({ ...filter, operator }, source);
  const [word = '', ...others] = typed.split(/\s+/);
  const rest = others.join(' ');
  if (operator === 'near') {
    if (!/^\d{1,15}$/.test(word)) return { problem: searchWords.noMessage(operand) };
    return { terms: [termOf(filter, operator, Number(word))], text: rest };
  }
  const words: Readonly<Record<string, string>> = operators[operator].words;
  const value = word.toLowerCase();
  const meaning = Object.hasOwn(words, value) ? words[value] : undefined;
  if (meaning !== undefined) return { terms: [termOf(filter, operator, meaning)], text: rest };
  return { problem: searchWords.unknownOperand(`${operator}:${operand}`) };
}

function sendersLabel(operand: NarrowTerm['operand'], nameOf: (userId: number) => string): string {
  const senders = Array.isArray(operand) ? operand : [operand];
  const named = senders
    .slice(0, NAMED)
    .map((each) => (typeof each === 'number' ? nameOf(each) : each))
    .join(', ');
  return searchWords.andMore(named, senders.length - NAMED);
}

/** What a chip says. */
export function termLabel(
  { operator, operand, negated = false }: NarrowTerm,
  names: {
    readonly streamNameOf: (streamId: number) => string;
    readonly nameOf: (userId: number) => string;
  },
): string {
  const text = ((): string => {
    switch (operator) {
      case 'stream':
        return searchWords.chip.stream(
          typeof operand === 'number' ? names.streamNameOf(operand) : String(operand),
        );
      case 'sender':
        return searchWords.chip.sender(sendersLabel(operand, names.nameOf));
      case 'pm-with':
        return searchWords.chip['pm-with'](
          Array.isArray(operand)
            ? operand.map((id) => (typeof id === 'number' ? names.nameOf(id) : id)).join(', ')
            : String(operand),
        );
      case 'topic':
        return searchWords.chip.topic(String(operand));
      default:
        return dateLabel({ operator, operand }) ?? `${operator}:${String(operand)}`;
    }
  })();
  return negated ? `${searchWords.not} ${text}` : text;
}

/** Words and filters of a search apart: the words stand in the field, the filters are chips. */
export function splitTerms(terms: readonly NarrowTerm[]): {
  readonly chips: readonly NarrowTerm[];
  readonly text: string;
} {
  const isWords = ({ operator, negated }: NarrowTerm): boolean =>
    operator === 'search' && negated !== true;
  return {
    chips: terms.filter((term) => !isWords(term)),
    text: terms
      .filter(isWords)
      .map(({ operand }) => String(operand))
      .join(' '),
  };
}

/** Whether hits can be ranked: by words. */
export const hasWords = (terms: readonly NarrowTerm[]): boolean => splitTerms(terms).text !== '';

/** A search in one of the two orders, as far as it has words. */
export const searchView = (
  terms: readonly NarrowTerm[],
  order: SearchView['order'],
): SearchView => ({
  kind: 'search',
  terms,
  ...(order !== undefined && hasWords(terms) ? { order } : {}),
});

/** The same filter twice finds nothing else. */
const once = (terms: readonly NarrowTerm[]): readonly NarrowTerm[] => [
  ...new Map(terms.map((term) => [JSON.stringify(term), term])).values(),
];

/** The search for these filters and words, and the message that it is to open at. */
export function searchFor(
  chips: readonly NarrowTerm[],
  text: string,
): { readonly terms: readonly NarrowTerm[]; readonly near: number | null } | null {
  const near = chips.find(({ operator }) => operator === 'near')?.operand;
  const filters = chips.filter(({ operator }) => operator !== 'near');
  const words = text.trim();
  const terms =
    words === '' ? once(filters) : [...once(filters), { operator: 'search', operand: words }];
  if (terms.length === 0 && near === undefined) return null;
  return { terms, near: typeof near === 'number' ? near : null };
}
