/**
 * A test: its file below test/, its title exactly as its source writes it (of a table of tests the template), and,
 * where a file has that title more than once, the title of the `describe` around it: all of that title in it.
 */
export type Reference = readonly [file: string, title: string, group?: string];

/** What proves each row, by the key of the row. */
export type Rows = Readonly<Record<string, readonly Reference[]>>;

/** The rows of one table, under their full keys. */
export const table = (name: string, rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([row, references]) => [`${name}: ${row}`, references]),
  );

/** Rows that the same tests prove. */
export const alike = (rows: readonly string[], references: readonly Reference[]): Rows =>
  Object.fromEntries(rows.map((row) => [row, references]));
