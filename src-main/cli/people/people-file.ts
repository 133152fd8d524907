/** People to add, from a file of CSV whose first line names the columns. */
import { suggestion } from '#node/command-line/nearest.ts';
import type { PeopleRequest, PersonRole } from '#hosting/commands/people-requests.ts';
import { CsvError, type CsvRecord, readCsv } from './csv.ts';

export type NewPerson = Extract<PeopleRequest, { readonly kind: 'add' }>['people'][number];

export interface PersonLine {
  readonly line: number;
  readonly person: NewPerson;
}

export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

const columns = ['email', 'name', 'role', 'streams'] as const;
type Column = (typeof columns)[number];

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
function columnsOf(header: CsvRecord | undefined): readonly Column[] {
  const names = (header?.cells ?? []).map((cell) =>
    cell.trim().toLowerCase().replace('e-mail', 'email'),
  );
  const found = names.map((name) => {
    const column = columns.find((each) => each === name);
    if (column !== undefined) return column;
    throw new CsvError(
      `line 1: the column '${name}' is none of ${columns.join(', ')}${suggestion(name, columns)}`,
    );
  });
  const missing = ['email', 'name'].find((name) => !names.includes(name));
  if (missing !== undefined) throw new CsvError(`line 1: there is no column ${missing}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new CsvError(`line 1: the column ${twice} is there twice`);
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
  const [header, ...records] = readCsv(bytes);
  const names = columnsOf(header);
  const people: PersonLine[] = [];
  const bad: BadLine[] = [];
  for (const { line, cells } of records) {
    const cell = (column: Column): string => cells[names.indexOf(column)]?.trim() ?? '';
    const role = cell('role') === '' ? others.role : readRole(cell('role'));
    const streams = streamsIn(cell('streams'));
    if (cells.length > names.length) {
      const reason = `there are ${String(cells.length)} cells, and ${String(names.length)} columns: put a cell with a separator in it into quotes`;
      bad.push({ line, reason });
    } else if (role === undefined) {
      bad.push({
        line,
        reason: `the role '${cell('role')}' is none of administrator, member, guest`,
      });
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
