/** People to add, from a file of CSV whose first line names the columns. */
import { suggestion } from '#node/command-line/nearest.ts';
import type { PeopleRequest, PersonRole } from '#hosting/commands/people-requests.ts';
import { CsvError, type CsvRecord, placeText, readCsv } from './csv.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export type NewPerson = Extract<PeopleRequest, { readonly kind: 'add' }>['people'][number];

export interface PersonLine {
  readonly line: number;
  readonly person: NewPerson;
}

export interface BadLine {
  readonly line: number;
  /** As the first line calls it; null where all of the line is meant. */
  readonly column: Column | null;
  readonly reason: string;
}

const columns = ['email', 'name', 'role', 'streams'] as const;
export type Column = (typeof columns)[number];

const roles: Readonly<Record<string, PersonRole>> = {
  administrator: 'admin',
  admin: 'admin',
  member: 'member',
  guest: 'guest',
};

export const roleNames = { admin: 'administrator', member: 'member', guest: 'guest' } as const;

/** As the window calls it; undefined for none of them. */
export const readRole = (text: string): PersonRole | undefined => {
  const name = text.trim().toLowerCase();
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
};

/** Separated by commas or semicolons; by | where a name has one of these. */
export const streamsIn = (text: string): readonly string[] =>
  text
    .split(text.includes('|') ? '|' : /[,;]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** @throws CsvError */
function columnsOf({ line, cells }: CsvRecord): readonly (Column | '')[] {
  const names = cells.map((cell) => cell.trim().toLowerCase().replace('e-mail', 'email'));
  const found = names.map((name, index) => {
    // Spreadsheets write the columns behind the last one, too.
    const column = name === '' ? '' : columns.find((each) => each === name);
    if (column !== undefined) return column;
    throw new CsvError(
      cliWords('csv_column_unknown', {
        place: placeText(line, String(index + 1)),
        column: name,
        columns: columns.join(', '),
        hint: suggestion(name, columns),
      }),
    );
  });
  const missing = ['email', 'name'].find((name) => !names.includes(name));
  if (missing !== undefined) {
    const place = placeText(line, null);
    throw new CsvError(cliWords('csv_column_missing', { place, column: missing }));
  }
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new CsvError(cliWords('csv_column_twice', { place: placeText(line, twice) }));
  }
  return found;
}

/**
 * @param others  the role and the streams of those who have none in their line
 * @throws CsvError where it is no such file at all
 */
export function readPeopleFile(
  bytes: Uint8Array,
  others: Pick<NewPerson, 'role' | 'streams'>,
): { readonly people: readonly PersonLine[]; readonly bad: readonly BadLine[] } {
  const [header = { line: 1, cells: [] }, ...records] = readCsv(bytes);
  const names = columnsOf(header);
  const people: PersonLine[] = [];
  const bad: BadLine[] = [];
  for (const { line, cells } of records) {
    const cell = (column: Column): string => cells[names.indexOf(column)]?.trim() ?? '';
    const role = cell('role') === '' ? others.role : readRole(cell('role'));
    const streams = streamsIn(cell('streams'));
    const nameless = cells.findIndex((each, at) => each.trim() !== '' && (names[at] ?? '') === '');
    if (nameless !== -1) {
      const { message } = cliWords('csv_cell_without_column', { cell: nameless + 1 });
      bad.push({ line, column: null, reason: message });
    } else if (role === undefined) {
      const { message } = cliWords('role_unknown_in_file', { role: cell('role') });
      bad.push({ line, column: 'role', reason: message });
    } else {
      const person = { email: cell('email'), fullName: cell('name'), role };
      people.push({
        line,
        person: { ...person, streams: streams.length > 0 ? [...streams] : others.streams },
      });
    }
  }
  return { people, bad };
}
