/** Tables of pasted HTML as pipe tables, which have as many cells in each row and no merged ones. */
import type TurndownService from 'turndown';

type Cell = HTMLTableCellElement;

/** The rows from here to the end of the section that the cell may reach into. */
function rowsOf(cell: Cell, row: HTMLTableRowElement): number {
  const left = (row.parentElement?.children.length ?? 0) - row.sectionRowIndex;
  return cell.rowSpan === 0 ? left : Math.min(cell.rowSpan, left);
}

/** Columns that a cell covers, up to `to` and in the rows above `end`, both exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** Each cell where it begins; places that a merged cell covers, and that no cell fills, are empty. */
function gridOf(rows: readonly HTMLTableRowElement[]): (Cell | undefined)[][] {
  let spans: Span[] = [];
  const grid = rows.map((row, y) => {
    spans = spans.filter(({ end }) => end > y);
    const above = spans.toSorted((a, b) => a.from - b.from);
    const line: (Cell | undefined)[] = [];
    let x = 0;
    for (const cell of row.cells) {
      while ((above[0]?.from ?? Infinity) <= x) x = Math.max(x, above.shift()?.to ?? 0);
      line[x] = cell;
      spans.push({ from: x, to: x + cell.colSpan, end: y + rowsOf(cell, row) });
      x += cell.colSpan;
    }
    return line;
  });
  // Columns and rows in which no cell begins have nothing to show.
  const begun = new Set(grid.flatMap((line) => Object.keys(line).map(Number)));
  const columns = [...begun].sort((a, b) => a - b);
  return grid.filter((line) => line.length > 0).map((line) => columns.map((x) => line[x]));
}

function square(table: HTMLTableElement): void {
  const page = table.ownerDocument;
  const grid = gridOf([...table.rows]);
  const [first] = grid;
  if (first === undefined || (grid.length === 1 && first.length === 1)) {
    // A single cell of a spreadsheet is what it holds.
    table.replaceWith(...(first?.[0]?.childNodes ?? []));
    return;
  }
  const { caption } = table;
  if (caption !== null) {
    const title = page.createElement('p');
    title.append(...caption.childNodes);
    table.before(title);
  }
  const fresh = page.createElement('tbody');
  for (const line of grid) {
    const row = page.createElement('tr');
    row.append(...line.map((cell) => cell ?? page.createElement('td')));
    fresh.append(row);
  }
  table.replaceChildren(fresh);
}

/** What stands in a table within a cell is text of that cell. */
function flatten(table: HTMLTableElement): void {
  const parts = [...table.rows].flatMap((row) =>
    [...row.cells].flatMap((cell) => [...cell.childNodes, ' ']),
  );
  table.replaceWith(...parts);
}

/** Makes each table of the page one of rows of equal length. */
export function squareTables(page: Document): void {
  const tables = [...page.querySelectorAll('table')];
  for (const table of tables.toReversed())
    if (table.parentElement?.closest('table')) flatten(table);
  for (const table of page.querySelectorAll('table')) square(table);
}

const dashes: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' };

function delimiterOf(cell: Cell): string {
  const style = /text-align:\s*(\w+)/.exec(cell.getAttribute('data-style') ?? '')?.[1];
  return dashes[cell.getAttribute('align') ?? style ?? ''] ?? '---';
}

export function addTables(service: TurndownService): void {
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content) =>
      ` ${content
        .trim()
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ')
        .replaceAll('|', '\\|')} |`,
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      const row = node as HTMLTableRowElement;
      const delimiters = [...row.cells].map((cell) => ` ${delimiterOf(cell)} |`);
      const rule = row.previousElementSibling === null ? `\n|${delimiters.join('')}` : '';
      return `\n|${content.replaceAll('\n', '')}${rule}`;
    },
  });
  service.addRule('section', {
    filter: ['thead', 'tbody', 'tfoot'],
    replacement: (content) => content,
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  });
}
