/** CSV as spreadsheets write it: RFC 4180 with commas, semicolons or tabs, in UTF-8. */
import { withoutFormula } from '#service/features/organization/rules/csv.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

/** Why a file cannot be read as CSV; its words begin with the place. */
export class CsvError extends ExplainedError {}

export interface CsvRecord {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A cell of a file: its line, and the name of its column where it has one. */
export const placeText = (line: number, column: string | null): string =>
  `line ${String(line)}${column === null ? '' : `, column ${column}`}`;

/** Each byte as one character: what divides cells is the same in every code that ASCII is part of. */
interface RawCell {
  readonly raw: string;
  /** Where what follows it begins. */
  readonly end: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UTF8_MARK = '\u00ef\u00bb\u00bf';

/** @throws CsvError */
function checkUtf16(bytes: Uint8Array): void {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked || bytes.subarray(0, 64).includes(0)) {
    throw new CsvError(cliWords('csv_utf16'));
  }
}

/** What stands between cells: that which is most often in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: first.split(sign).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).sign;
}

/** Undefined where the quote is not closed. */
function quotedCell(text: string, from: number): RawCell | undefined {
  let raw = '';
  let at = from + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end === -1) return undefined;
    raw += text.slice(at, end);
    if (text[end + 1] !== '"') return { raw, end: end + 1 };
    raw += '"';
    at = end + 2;
  }
}

class CsvReader {
  readonly #text: string;
  readonly #separator: string;
  readonly #ends: ReadonlySet<string>;
  #at = 0;
  #line = 1;
  /** Of the first record. */
  #names: readonly string[] = [];

  constructor(text: string) {
    this.#text = text;
    // Excel says so where it is another one than the system's.
    const [hint = '', separator = separatorOf(text)] =
      /^"?sep=([,;\t])"?(?:\r\n|\r|\n)/i.exec(text) ?? [];
    this.#separator = separator;
    this.#ends = new Set([separator, '\n', '\r']);
    this.#at = hint.length;
    if (hint !== '') this.#line++;
  }

  /** Empty lines are left out. @throws CsvError */
  records(): readonly CsvRecord[] {
    const records: CsvRecord[] = [];
    while (this.#at < this.#text.length) {
      const line = this.#line;
      const cells = this.#cells().map((raw, index) => this.#decoded(raw, line, index));
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (records.length === 0) this.#names = cells;
      records.push({ line, cells });
    }
    return records;
  }

  /** Those of the next record, and goes on behind it. */
  #cells(): readonly string[] {
    const cells: string[] = [];
    for (;;) {
      const { raw, end } = this.#cell(cells.length);
      cells.push(raw);
      this.#line += raw.split(/\r\n|\r|\n/).length - 1;
      this.#at = end;
      if (this.#text[this.#at] !== this.#separator) break;
      this.#at++;
    }
    this.#at += this.#text.startsWith('\r\n', this.#at) ? 2 : 1;
    this.#line++;
    return cells;
  }

  #cell(index: number): RawCell {
    let from = this.#at;
    // Written by hand, a blank often follows the comma.
    while (this.#text[from] === ' ') from++;
    if (this.#text[from] !== '"') {
      const end = this.#endFrom(this.#at);
      return { raw: this.#text.slice(this.#at, end), end };
    }
    const cell = quotedCell(this.#text, from);
    if (cell === undefined) throw this.#error(this.#line, index, 'csv_quote_open');
    const end = this.#endFrom(cell.end);
    if (this.#text.slice(cell.end, end).trim() === '') return { raw: cell.raw, end };
    throw this.#error(this.#line, index, 'csv_text_behind_quote');
  }

  #endFrom(from: number): number {
    let end = from;
    while (end < this.#text.length && !this.#ends.has(this.#text[end] ?? '')) end++;
    return end;
  }

  #decoded(raw: string, line: number, index: number): string {
    try {
      return utf8.decode(Buffer.from(raw, 'latin1'));
    } catch {
      throw this.#error(line, index, 'csv_not_utf8');
    }
  }

  #error(
    line: number,
    index: number,
    cause: 'csv_quote_open' | 'csv_text_behind_quote' | 'csv_not_utf8',
  ): CsvError {
    const name = this.#names[index]?.trim() ?? '';
    const place = placeText(line, name === '' ? String(index + 1) : name);
    return new CsvError(cliWords(cause, { place }));
  }
}

/** @throws CsvError with the line and the column */
export function readCsv(bytes: Uint8Array): readonly CsvRecord[] {
  checkUtf16(bytes);
  const text = Buffer.from(bytes).toString('latin1');
  const isMarked = text.startsWith(UTF8_MARK);
  return new CsvReader(isMarked ? text.slice(UTF8_MARK.length) : text).records();
}

/** One line, quoted where it has to be. */
export const csvLine = (cells: readonly string[]): string =>
  cells
    .map(withoutFormula)
    .map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');
