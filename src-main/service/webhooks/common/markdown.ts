/**
 * How messages are written from what comes from outside. A string is always something from outside and is escaped; only
 * what these functions made is markup. So no payload can mention anybody, form markup or break a link.
 */
import { marksAround } from '#shared/text/fences.ts';
import { escapeMarkdown } from '#service/markdown/render.ts';

/** A piece of a message's content. */
export class Markdown {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** What may stand in a text: strings and numbers as they are, markup as these functions made it. */
export type Value = string | number | Markdown;

const MAX_VALUE = 500;
const MAX_URL = 2000;
const MAX_QUOTE = 3000;
const MAX_FENCE = 2000;
const MAX_ITEMS = 20;

// Line breaks and tabs stay; white space of other kinds becomes a space where a text is put on one line.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b-\x1f\x7f]/g;

/** More than this of one value nobody reads; what follows is not looked at. */
const MAX_READ = 20_000;

const clean = (text: string): string =>
  text.slice(0, MAX_READ).toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROL, '');

/** At most so many characters, cut behind a word where there is one near the end. */
export function cutAtWord(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const kept = characters.slice(0, max - 1).join('');
  const word = /^[^]*\S(?=\s+\S*$)/.exec(kept)?.[0] ?? '';
  return `${word.length > kept.length * 0.8 ? word : kept}…`;
}

const escapeInline = (text: string): string =>
  escapeMarkdown(cutAtWord(clean(text).replace(/\s+/g, ' ').trim(), MAX_VALUE));

const sourceOf = (value: Value): string => {
  if (value instanceof Markdown) return value.source;
  return typeof value === 'number' ? String(value) : escapeInline(value);
};

/** A text with values in it, each escaped and on one line. */
export const md = (texts: TemplateStringsArray, ...values: readonly Value[]): Markdown =>
  new Markdown(
    texts
      .map((text, index) => text + (index < values.length ? sourceOf(values[index] ?? '') : ''))
      .join(''),
  );

export const bold = (value: Value): Markdown => {
  const source = sourceOf(value);
  return new Markdown(source === '' ? '' : `**${source}**`);
};

/** An address that can be the target of a link; undefined for anything else. */
function safeUrl(url: string | undefined): string | undefined {
  const text = url?.trim() ?? '';
  if (text.length > MAX_URL || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
    return undefined;
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\s\0-\x1f\x7f()<>[\]\\|`*"]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29').replace('*', '%2A'),
  );
}

/** A link, or the label alone where the address cannot be linked. */
export function link(label: Value, url: string | undefined): Markdown {
  const source = sourceOf(label);
  const target = safeUrl(url);
  return new Markdown(target === undefined || source === '' ? source : `[${source}](${target})`);
}

/** A link that says nothing where it leads nowhere. */
export const linkIfAny = (label: string, url: string | undefined): Markdown | undefined =>
  safeUrl(url) === undefined ? undefined : link(label, url);

/** Between backquotes where that is safe even if the message is cut in the middle of it. */
export const code = (text: string): Markdown =>
  new Markdown(/^[\w./+-]{1,100}$/.test(text) ? `\`${text}\`` : escapeInline(text));

const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === '' || (value instanceof Markdown && value.source === '');

/** With commas. */
export const separated = (values: readonly Value[]): Markdown =>
  new Markdown(values.map(sourceOf).join(', '));

/** With commas and a closing "and". */
export function enumerate(values: readonly Value[]): Markdown {
  const sources = values.slice(0, MAX_ITEMS).map(sourceOf);
  const more = values.length - sources.length;
  if (more > 0) sources.push(`${more} more`);
  const last = sources.pop() ?? '';
  return new Markdown(sources.length === 0 ? last : `${sources.join(', ')} and ${last}`);
}

export type Labelled = readonly [label: string, value: Value | undefined];

/** A list of named values; those that are undefined are left out. */
export const values = (rows: readonly Labelled[]): Markdown =>
  new Markdown(
    rows
      .flatMap(([label, value]) =>
        value === undefined || isEmpty(value)
          ? []
          : [`* ${escapeInline(label)}: ${sourceOf(value)}`],
      )
      .join('\n'),
  );

/** @param total  how many there are altogether, where not all were sent */
export function bullets(items: readonly Value[], total = items.length): Markdown {
  const shown = items.slice(0, MAX_ITEMS).map((item) => `* ${sourceOf(item)}`);
  const more = Math.max(total, items.length) - shown.length;
  return new Markdown([...shown, ...(more > 0 ? [`* and ${more} more`] : [])].join('\n'));
}

/** Several lines of somebody's text, as a quotation. */
export function quote(text: string | undefined): Markdown {
  const cut = cutAtWord(clean(text ?? '').trim(), MAX_QUOTE).replace(/\n{3,}/g, '\n\n');
  if (cut === '') return new Markdown('');
  const lines = escapeMarkdown(cut).split('\n');
  return new Markdown(lines.map((line) => `> ${line}`.trimEnd()).join('\n'));
}

/** Somebody's text as it is, with its lines. */
export function paragraphs(text: string | undefined, max = MAX_QUOTE): Markdown {
  return new Markdown(escapeMarkdown(cutAtWord(clean(text ?? '').trim(), max)));
}

/** Text that keeps its lines and spaces. */
export function fence(text: string | undefined, language = '', max = MAX_FENCE): Markdown {
  const cut = cutAtWord(
    clean(text ?? '')
      .trimEnd()
      .replace(/^\n+/, ''),
    max,
  );
  if (cut === '') return new Markdown('');
  const marks = marksAround(cut);
  return new Markdown(`${marks}${language}\n${cut}\n${marks}`);
}

/** One below the other; what is empty or undefined is left out. */
export const lines = (...blocks: readonly (Markdown | undefined)[]): Markdown =>
  new Markdown(
    blocks
      .flatMap((block) => (block === undefined || block.source === '' ? [] : [block.source]))
      .join('\n'),
  );

/** The words of a piece of HTML: some services send nothing else. */
export const wordsOfHtml = (html: string): string =>
  html
    .slice(0, MAX_READ)
    .replace(/<(?:br|\/p|\/div|\/li)\b[^<>]{0,200}>/gi, '\n')
    .replace(/<[^<>]{0,2000}>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .trim();

const ZONED = /^\d{4}-\d\d-\d\dT[\d:.]{4,20}(?:Z|[+-]\d\d:?\d\d)$/;

/** A moment in the reader's own time zone; what is no moment stays as it was sent. @param seconds or an ISO 8601 text */
export function moment(time: string | number | undefined): Value | undefined {
  if (time === undefined) return undefined;
  const isExact = typeof time === 'number' || ZONED.test(time);
  const date = new Date(typeof time === 'number' ? time * 1000 : time);
  // Years of four digits.
  const isNear = date.getTime() >= 0 && date.getTime() < 253_402_300_800_000;
  return isExact && isNear
    ? new Markdown(`<time:${date.toISOString().slice(0, 19)}Z>`)
    : String(time);
}

/** `1 commit`, `2 commits`. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `pull_request_review` and `pull-request-review` as words. */
export const words = (name: string): string => name.replace(/[_-]+/g, ' ').trim();

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a table has for a word from outside. */
export const wordFor = (
  table: Readonly<Record<string, string>>,
  key: string,
): string | undefined => (Object.hasOwn(table, key) ? table[key] : undefined);
