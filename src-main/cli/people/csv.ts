/** CSV as spreadsheets write it: RFC 4180 with commas, semicolons or tabs, in UTF-8. */

/** Why a file cannot be read as CSV, in one sentence. */
export class CsvError extends Error {}

export interface CsvRecord {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** @throws CsvError */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16 || bytes.subarray(0, 64).includes(0)) {
    throw new CsvError('it is UTF-16: save it as CSV in UTF-8');
  }
  try {
    // Leaves out the mark that says what it is.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CsvError('it is not UTF-8: save it as CSV in UTF-8');
  }
}

/** What stands between cells: that which is most often in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: first.split(sign).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).sign;
}

interface Cell {
  readonly cell: string;
  /** Where what follows it begins. */
  readonly end: number;
}

/** @throws CsvError */
function quotedCell(text: string, from: number, line: number): Cell {
  let cell = '';
  let at = from + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end === -1) throw new CsvError(`line ${String(line)}: a quote is not closed`);
    cell += text.slice(at, end);
    if (text[end + 1] !== '"') return { cell, end: end + 1 };
    cell += '"';
    at = end + 2;
  }
}

/** @throws CsvError */
function cellAt(text: string, from: number, ends: ReadonlySet<string>, line: number): Cell {
  const isQuoted = text[from] === '"';
  const { cell, end: behind } = isQuoted ? quotedCell(text, from, line) : { cell: '', end: from };
  let end = behind;
  while (end < text.length && !ends.has(text[end] ?? '')) end++;
  if (!isQuoted) return { cell: text.slice(from, end), end };
  if (end === behind) return { cell, end };
  throw new CsvError(`line ${String(line)}: something stands behind a closed quote`);
}

/** Empty lines are left out. @throws CsvError with the line */
export function readCsv(bytes: Uint8Array): readonly CsvRecord[] {
  const text = decoded(bytes);
  const separator = separatorOf(text);
  const ends = new Set([separator, '\n', '\r']);
  const records: CsvRecord[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const begins = line;
    const cells: string[] = [];
    for (;;) {
      const { cell, end } = cellAt(text, at, ends, line);
      cells.push(cell);
      line += cell.split(/\r\n|\r|\n/).length - 1;
      at = end;
      if (text[at] !== separator) break;
      at++;
    }
    if (cells.some((cell) => cell.trim() !== '')) records.push({ line: begins, cells });
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line++;
  }
  return records;
}

/** One line, quoted where it has to be. What a spreadsheet would take for a formula begins with an apostrophe. */
export const csvLine = (cells: readonly string[]): string =>
  cells
    .map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell))
    .map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');
